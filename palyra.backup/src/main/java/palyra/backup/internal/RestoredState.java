package palyra.backup.internal;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
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
import palyra.shared.files.DurableFiles;
import palyra.shared.hash.Digests;

/**
 * Whether a restored state folder has all that its backup had. The folder has the list of files
 * from the restoration on; the first look shortens it to what is missing, and once nothing is it is
 * deleted: from then on files may change and go as they always may.
 */
@Component(
        service = {HealthCheck.class, FindingSource.class},
        immediate = true,
        property = {HealthCheck.NAME + "=" + RestoredState.NAME, HealthCheck.TAGS + "=ready"})
public final class RestoredState implements HealthCheck, FindingSource {
    static final String NAME = "restored";
    private static final Logger LOG = LoggerFactory.getLogger(RestoredState.class);
    private static final int MOST_NAMED = 5;

    /**
     * Where a start makes again what is missing, and operators do not edit: a file counts with the
     * content of the backup alone. Elsewhere an operator may have edited what was restored.
     */
    private static final List<String> BY_CONTENT =
            List.of("keys/", "vault/", "skills/", "policy/sets/");

    private final Path state;
    private final Path list;
    private final DurableFiles files = new DurableFiles();
    private Manifest missing; // null until the first look; guarded by this

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
    private synchronized String problem() {
        try {
            Manifest wanted = Manifest.of(Files.readAllBytes(list));
            Manifest now = missing(state, wanted);
            if (now.files().isEmpty() && now.payloadFiles() == 0) {
                Files.deleteIfExists(list);
                LOG.info("The restored state folder has all that its backup had.");
                return "";
            }
            if (!now.equals(missing)) {
                shorten(now);
                missing = now;
            }
            return "The restored state folder lacks " + words(now);
        } catch (NoSuchFileException e) {
            return "";
        } catch (IOException | PalyraException e) {
            return "The list of restored files cannot be read (" + e.getMessage() + ")";
        }
    }

    /**
     * Returns what a restored state folder lacks of its backup, the list itself when it cannot be
     * read; empty when nothing is asked for.
     */
    public static Optional<Manifest> missing(Path state) throws IOException {
        try {
            Manifest wanted = Manifest.of(Files.readAllBytes(state.resolve(Manifest.NAME)));
            return Optional.of(missing(state, wanted));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (PalyraException e) {
            return Optional.of(new Manifest("", 0, 0, 0, Map.of(Manifest.NAME, "")));
        }
    }

    private static Manifest missing(Path state, Manifest wanted) throws IOException {
        Map<String, String> lacking = new TreeMap<>();
        for (Map.Entry<String, String> file : wanted.files().entrySet()) {
            if (!isThere(state.resolve(file.getKey()), file.getKey(), file.getValue())) {
                lacking.put(file.getKey(), file.getValue());
            }
        }
        long payloadFiles = wanted.payloadFiles();
        return new Manifest(
                wanted.palyra(),
                wanted.createdAtMillis(),
                payloadFiles > 0 && payloadFiles <= whole(state) ? 0 : payloadFiles,
                wanted.records(),
                lacking);
    }

    private static boolean isThere(Path file, String name, String sha256) throws IOException {
        if (!Files.isRegularFile(file)) {
            return false;
        }
        return BY_CONTENT.stream().noneMatch(name::startsWith)
                || Digests.sha256Hex(Files.readAllBytes(file)).equals(sha256);
    }

    /** Returns how many payload files are not empty; palyra tape verify looks at their content. */
    private static long whole(Path state) throws IOException {
        Path payloads = state.resolve("journal/payloads");
        if (!Files.isDirectory(payloads)) {
            return 0;
        }
        try (Stream<Path> all = Files.find(payloads, 2, (path, is) -> is.isRegularFile())) {
            return all.filter(file -> file.toFile().length() > 0).count();
        }
    }

    /** What is there now may change later without being missed. */
    private void shorten(Manifest now) throws IOException {
        Path part = list.resolveSibling(Manifest.NAME + ".part");
        Files.deleteIfExists(part);
        files.writeNew(part, now.json());
        files.rename(part, list);
        files.sync(state);
    }

    private static String words(Manifest missing) {
        Set<String> names = new TreeSet<>(missing.files().keySet());
        List<String> words = new ArrayList<>();
        if (!names.isEmpty()) {
            words.add(
                    (names.size() == 1 ? "a file" : names.size() + " files")
                            + " of its backup: "
                            + names.stream().limit(MOST_NAMED).collect(Collectors.joining(", "))
                            + (names.size() > MOST_NAMED ? ", …" : ""));
        }
        if (missing.payloadFiles() > 0) {
            words.add(
                    "payload files of its tapes: journal/payloads had "
                            + missing.payloadFiles()
                            + ", none of them empty");
        }
        return String.join("; ", words);
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
                                NAME,
                                problem + ".",
                                "Stop the gateway and put the files of the backup back, all of a"
                                        + " folder together, or restore the backup into an empty"
                                        + " state folder. To go on without them: palyra state"
                                        + " accept."));
    }
}
