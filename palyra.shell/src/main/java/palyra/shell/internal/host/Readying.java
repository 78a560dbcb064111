package palyra.shell.internal.host;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.osgi.framework.BundleContext;
import org.osgi.framework.InvalidSyntaxException;
import palyra.api.core.ops.FindingSource;
import palyra.api.core.ops.Ops;
import palyra.shared.readiness.ReadinessFindings;

/**
 * Whether the gateway is ready, as {@code /readyz} says; while nobody judges that, whether the
 * engine says so. Thread-safe.
 */
public final class Readying {
    /** Selects the sources of this class. */
    public static final String TARGET = "(" + ReadinessFindings.PROPERTY + "=true)";

    private final Set<FindingSource> judges = ConcurrentHashMap.newKeySet();

    /** Takes in who judges. */
    public void add(FindingSource judge) {
        judges.add(judge);
    }

    /** Lets go of who judged. */
    public void remove(FindingSource judge) {
        judges.remove(judge);
    }

    /** Returns what is not ready, each with a sentence; empty when everything is. */
    public Map<String, String> missing(BundleContext context) {
        Map<String, String> missing = new LinkedHashMap<>();
        boolean judged = false;
        for (FindingSource judge : judges) {
            try {
                judge.findings()
                        .forEach(
                                found ->
                                        missing.merge(
                                                found.area(), found.message(), Readying::both));
                judged = true;
            } catch (RuntimeException | LinkageError e) { // may be in the middle of an update
                continue;
            }
        }
        if (!judged && !engineReady(context)) {
            missing.put("gateway", "The engine is not open.");
        }
        return missing;
    }

    private static String both(String one, String other) {
        return one + " " + other;
    }

    private static boolean engineReady(BundleContext context) {
        try {
            return context.getAllServiceReferences(null, "(" + Ops.READY + "=true)") != null;
        } catch (InvalidSyntaxException e) {
            throw new IllegalStateException(e);
        }
    }
}
