package palyra.backup.internal;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.felix.hc.api.HealthCheck;
import org.apache.felix.hc.api.Result;
import org.osgi.framework.BundleContext;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.PalyraException;
import palyra.api.core.ops.Finding;
import palyra.api.core.ops.FindingSource;
import palyra.api.core.ops.Ops;
import palyra.backup.internal.archive.Manifest;

/**
 * Whether a restored state folder has all that its backup had. The folder has the list of files
 * from the restoration on; once all were there it is deleted, and files may go as they always may.
 */
@Component(
        service = {HealthCheck.class, FindingSource.class},
        immediate = true,
        property = {HealthCheck.NAME + "=" + RestoredState.NAME, HealthCheck.TAGS + "=ready"})
public final class RestoredState implements HealthCheck, FindingSource {
    static final String NAME = "restored";
    private static final Logger LOG = LoggerFactory.getLogger(RestoredState.class);
    private static final int MOST_NAMED = 5;

    private final Path state;
    private final Path list;

    /** Looks at the state folder at each question, until nothing is missing. */
    @Activate
    public RestoredState(BundleContext context) {
        this(Path.of(context.getProperty(Ops.STATE_FOLDER)));
    }

    RestoredState(Path state) {
        this.state = state;
        this.list = state.resolve(Manifest.NAME);
    }

    /** Returns what is wrong; empty when nothing is. */
    private String problem() {
        try {
            Manifest manifest = Manifest.of(Files.readAllBytes(list));
            TreeSet<String> missing =
                    manifest.files().keySet().stream()
                            .filter(name -> !Files.exists(state.resolve(name)))
                            .collect(Collectors.toCollection(TreeSet::new));
            if (missing.isEmpty()) {
                Files.deleteIfExists(list);
                LOG.info("The restored state folder has all that its backup had.");
                return "";
            }
            return "The restored state folder lacks "
                    + missing.size()
                    + " files of its backup: "
                    + missing.stream().limit(MOST_NAMED).collect(Collectors.joining(", "))
                    + (missing.size() > MOST_NAMED ? ", …" : "");
        } catch (NoSuchFileException e) {
            return "";
        } catch (IOException | PalyraException e) {
            return "The list of restored files cannot be read (" + e.getMessage() + ")";
        }
    }

    @Override
    public Result execute() {
        String problem = problem();
        return problem.isEmpty()
                ? new Result(Result.Status.OK, "Nothing that was restored is missing.")
                : new Result(Result.Status.CRITICAL, problem + "; see palyra doctor.");
    }

    @Override
    public List<Finding> findings() {
        String problem = problem();
        return problem.isEmpty()
                ? List.of()
                : List.of(
                        new Finding(
                                Finding.Severity.ERROR,
                                "backup",
                                problem + ".",
                                "Put the files back, or restore the backup into an empty state"
                                        + " folder. To go on without them: palyra state accept."));
    }
}
