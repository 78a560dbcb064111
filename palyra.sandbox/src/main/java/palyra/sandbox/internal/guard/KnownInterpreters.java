package palyra.sandbox.internal.guard;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The interpreters and dispatchers that this host has, so that a copy of one under another name is
 * recognized. A folder is listed once, even if reached under several names, and again when it
 * changed. Files are compared by size first, so that only files that can be equal are read.
 * Thread-safe; the first caller waits for the listing.
 */
final class KnownInterpreters {
    private static final Logger LOG = LoggerFactory.getLogger(KnownInterpreters.class);
    private static final List<String> ALWAYS =
            List.of(
                    "/bin",
                    "/usr/bin",
                    "/usr/local/bin",
                    "/sbin",
                    "/usr/sbin",
                    "/opt/homebrew/bin");
    private static final int MOST_FOLDERS = 64;

    private final ProgramDigests digests;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<Path, Listing> listings = new HashMap<>(); // guarded by lock; by real path

    /**
     * What a folder held.
     *
     * @param changed when the folder had changed last
     * @param bySize interpreters and dispatchers by size in bytes
     */
    private record Listing(FileTime changed, Map<Long, List<Path>> bySize) {}

    KnownInterpreters(ProgramDigests digests) {
        this.digests = digests;
    }

    /**
     * Returns the interpreter or dispatcher that has the content of {@code program}.
     *
     * @param searchPath folders to look into beside those that every host has
     */
    Optional<Path> sameAs(Path program, List<String> searchPath) throws IOException {
        for (Path candidate : ofSize(Files.size(program), searchPath)) {
            if (Files.isSameFile(candidate, program)
                    || digests.of(candidate).equals(digests.of(program))) {
                return Optional.of(candidate.toRealPath());
            }
        }
        return Optional.empty();
    }

    /** Lists folders that are not listed yet. */
    List<Path> ofSize(long size, List<String> searchPath) {
        List<Path> found = new ArrayList<>();
        lock.lock();
        try {
            if (listings.size() > MOST_FOLDERS) {
                listings.clear();
            }
            for (Path folder : folders(searchPath)) {
                found.addAll(listing(folder).bySize().getOrDefault(size, List.of()));
            }
        } finally {
            lock.unlock();
        }
        return found;
    }

    private static Set<Path> folders(List<String> searchPath) {
        Set<Path> folders = new LinkedHashSet<>();
        List<String> all = new ArrayList<>(ALWAYS);
        all.addAll(searchPath);
        for (String folder : all) {
            try {
                folders.add(Path.of(folder).toRealPath());
            } catch (IOException e) {
                folders.remove(Path.of(folder)); // not there, which is a state like any other
            }
        }
        return folders;
    }

    /** Called under the lock. */
    private Listing listing(Path folder) {
        Listing known = listings.get(folder);
        try {
            FileTime changed = Files.getLastModifiedTime(folder);
            if (known == null || !known.changed().equals(changed)) {
                known = new Listing(changed, list(folder));
                listings.put(folder, known);
            }
            return known;
        } catch (IOException e) {
            listings.remove(folder);
            return new Listing(FileTime.fromMillis(0), Map.of());
        }
    }

    private static Map<Long, List<Path>> list(Path folder) {
        Map<Long, List<Path>> found = new HashMap<>();
        if (!Files.isReadable(folder) || !Files.isDirectory(folder)) {
            return found;
        }
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
            for (Path entry : entries) {
                add(entry, found);
            }
        } catch (IOException | DirectoryIteratorException e) {
            LOG.warn("The programs in {} cannot be compared: {}", folder, e.toString());
        }
        return found;
    }

    /** An entry that vanishes meanwhile is left out alone. */
    private static void add(Path entry, Map<Long, List<Path>> found) {
        ProgramKind kind = ProgramNames.kindOf(entry.getFileName().toString());
        boolean counts = kind.compareTo(ProgramKind.DISPATCHER) >= 0;
        if (!counts || !Files.isRegularFile(entry) || !Files.isReadable(entry)) {
            return;
        }
        try {
            long size = Files.size(entry);
            found.computeIfAbsent(size, s -> new ArrayList<>()).add(entry);
        } catch (IOException e) {
            LOG.debug("The program {} cannot be compared", entry, e);
        }
    }
}
