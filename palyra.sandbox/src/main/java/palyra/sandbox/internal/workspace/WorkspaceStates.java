package palyra.sandbox.internal.workspace;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntSupplier;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.PalyraException;

/**
 * States of workspaces that people were asked about, so that a later question can name what
 * changed. They are kept in files by their digest, the oldest go first; a state that is not kept
 * costs the names of the changes and nothing else. Thread-safe.
 */
public final class WorkspaceStates {
    private static final Logger LOG = LoggerFactory.getLogger(WorkspaceStates.class);

    /** Longest time that one reading may take. */
    private static final long MOST_MILLIS = 1_500;

    private static final int MOST_KEPT_ENTRIES = 20_000;
    private static final int MOST_FILES = 64;
    private static final long MOST_BYTES = 32L << 20;
    private static final long MOST_UNPACKED_BYTES = 64L << 20;

    private final Path folder;
    private final IntSupplier mostEntries;
    private final ReentrantLock lock = new ReentrantLock(); // of removing old ones

    /**
     * Creates it.
     *
     * @param folder where states are kept; made with the first
     * @param mostEntries most files and folders of a workspace
     */
    public WorkspaceStates(Path folder, IntSupplier mostEntries) {
        this.folder = folder;
        this.mostEntries = mostEntries;
    }

    /**
     * What a workspace holds.
     *
     * @param sha256 digest of its state
     * @param entries files and folders in it
     * @param changes changes since the given state, one line each
     */
    public record Seen(String sha256, int entries, List<String> changes) {
        /** Copies. */
        public Seen {
            changes = List.copyOf(changes);
        }
    }

    /**
     * Reads the state of a workspace, keeps it, and compares it.
     *
     * @param since digest of an earlier state; empty for none
     * @throws PalyraException RESOURCE_EXHAUSTED when it is too large, DENIED when it cannot be
     *     read
     */
    public Seen see(Path workspace, String since) {
        WorkspaceManifest now = read(workspace);
        keep(now);
        return new Seen(now.sha256(), now.fingerprints().size(), changes(now, since));
    }

    /**
     * Returns the digest of the state of a workspace.
     *
     * @throws PalyraException as {@link #see}
     */
    public String digest(Path workspace) {
        return read(workspace).sha256();
    }

    private WorkspaceManifest read(Path workspace) {
        return new WorkspaceReader(mostEntries.getAsInt(), MOST_MILLIS).read(workspace);
    }

    private List<String> changes(WorkspaceManifest now, String since) {
        if (since.isEmpty() || since.equals(now.sha256())) {
            return List.of();
        }
        return kept(since)
                .map(now::since)
                .orElse(
                        List.of(
                                "files changed; the earlier state was not kept, so their names"
                                        + " are unknown"));
    }

    private Path file(String sha256) {
        return folder.resolve(sha256 + ".gz");
    }

    private void keep(WorkspaceManifest manifest) {
        Path file = file(manifest.sha256());
        if (manifest.fingerprints().size() > MOST_KEPT_ENTRIES) {
            return;
        }
        try {
            if (Files.exists(file)) {
                Files.setLastModifiedTime(file, FileTime.fromMillis(System.currentTimeMillis()));
                return;
            }
            Workspaces.makePrivate(folder);
            Path part = Files.createTempFile(folder, "state", ".part");
            try {
                write(manifest, part);
                Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
            } finally {
                Files.deleteIfExists(part);
            }
            tidy();
        } catch (IOException e) {
            LOG.warn(
                    "The state of a workspace was not kept, so a repeated approval request"
                            + " cannot name the changes: {}",
                    e.toString());
        }
    }

    private static void write(WorkspaceManifest manifest, Path file) throws IOException {
        try (OutputStream out =
                new GZIPOutputStream(new BufferedOutputStream(Files.newOutputStream(file)))) {
            StringBuilder text = new StringBuilder();
            manifest.fingerprints()
                    .forEach(
                            (path, print) ->
                                    text.append(path).append('\0').append(print).append('\0'));
            out.write(text.toString().getBytes(StandardCharsets.UTF_8));
        }
    }

    private Optional<WorkspaceManifest> kept(String sha256) {
        if (!sha256.matches("[0-9a-f]{64}")) {
            return Optional.empty();
        }
        try (InputStream in =
                new GZIPInputStream(new BufferedInputStream(Files.newInputStream(file(sha256))))) {
            byte[] bytes = in.readNBytes((int) MOST_UNPACKED_BYTES);
            String[] parts = new String(bytes, StandardCharsets.UTF_8).split("\0", -1);
            SortedMap<String, String> found = new TreeMap<>();
            for (int i = 0; i + 1 < parts.length; i += 2) {
                found.put(parts[i], parts[i + 1]);
            }
            return Optional.of(WorkspaceManifest.of(found))
                    .filter(manifest -> manifest.sha256().equals(sha256));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private void tidy() throws IOException {
        lock.lock();
        try {
            removeOldest();
        } finally {
            lock.unlock();
        }
    }

    private void removeOldest() throws IOException {
        List<Path> files = new ArrayList<>();
        try (Stream<Path> all = Files.list(folder)) {
            all.forEach(files::add);
        }
        files.sort(Comparator.comparing(WorkspaceStates::modified));
        long bytes = 0;
        for (Path file : files) {
            bytes += size(file);
        }
        for (int i = 0; i < files.size(); i++) {
            if (files.size() - i <= MOST_FILES && bytes <= MOST_BYTES) {
                return;
            }
            bytes -= size(files.get(i));
            Files.deleteIfExists(files.get(i));
        }
    }

    private static long modified(Path file) {
        try {
            return Files.getLastModifiedTime(file).toMillis();
        } catch (IOException e) {
            return 0;
        }
    }

    private static long size(Path file) {
        try {
            return Files.size(file);
        } catch (IOException e) {
            return 0;
        }
    }
}
