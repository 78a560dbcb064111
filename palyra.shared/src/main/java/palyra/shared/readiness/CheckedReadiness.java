package palyra.shared.readiness;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import palyra.api.core.ops.ReadinessJudge;

/**
 * Whether the gateway is ready, as the {@link ReadinessJudge} says. Without a judge it is not
 * ready: an old or guessed answer could tell of a journal that is gone. Thread-safe.
 */
public final class CheckedReadiness {
    /** Name under which a missing judge is reported. */
    public static final String JUDGE = "health";

    private static final String NO_JUDGE =
            "Readiness cannot be checked: the bundle palyra.health does not answer. If it is being"
                    + " replaced, ask again in a moment; otherwise start it (palyra bundle list"
                    + " shows its state).";

    private final Set<ReadinessJudge> judges = ConcurrentHashMap.newKeySet();

    /** Takes a judge in. */
    public void add(ReadinessJudge judge) {
        judges.add(judge);
    }

    /** Lets go of a judge. */
    public void remove(ReadinessJudge judge) {
        judges.remove(judge);
    }

    /**
     * Returns the parts that are not ready, by name, each with its sentences; empty when the
     * gateway is ready. May take as long as {@link ReadinessJudge#notReady}.
     */
    public Map<String, String> notReady() {
        Map<String, String> failing = new TreeMap<>();
        boolean judged = false;
        for (ReadinessJudge judge : judges) {
            try {
                judge.notReady()
                        .forEach((name, why) -> failing.merge(name, why, CheckedReadiness::both));
                judged = true;
            } catch (RuntimeException | LinkageError e) {
                // Its bundle may be in the middle of an update; unless another judge answers, that
                // is reported as no judge.
                continue;
            }
        }
        return judged ? failing : Map.of(JUDGE, NO_JUDGE);
    }

    /** Returns whether the gateway is ready. */
    public boolean ready() {
        return notReady().isEmpty();
    }

    private static String both(String one, String other) {
        return one.equals(other) ? one : one + " " + other;
    }
}
