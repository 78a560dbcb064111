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
 * known for what it is. The list is made anew when a folder of it changed. Files are compared by
 * size first, so that nothing is read that cannot be equal. Thread-safe.
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

    private final Set<Path> folders = new LinkedHashSet<>();
    private final ProgramDigests digests;
    private final ReentrantLock lock = new ReentrantLock();
    private Map<Path, FileTime> looked = Map.of(); // guarded by lock
    private Map<Long, List<Path>> bySize = Map.of(); // guarded by lock

    KnownInterpreters(List<String> searchPath, ProgramDigests digests) {
        ALWAYS.forEach(folder -> folders.add(Path.of(folder)));
        searchPath.forEach(folder -> folders.add(Path.of(folder)));
        this.digests = digests;
    }

    /** Returns the interpreter or dispatcher that has the content of {@code program}. */
    Optional<Path> sameAs(Path program) throws IOException {
        for (Path candidate : ofSize(Files.size(program))) {
            if (Files.isSameFile(candidate, program)
                    || digests.of(candidate).equals(digests.of(program))) {
                return Optional.of(candidate);
            }
        }
        return Optional.empty();
    }

    private List<Path> ofSize(long size) {
        lock.lock();
        try {
            Map<Path, FileTime> now = changeTimes();
            if (!now.equals(looked)) {
                bySize = list();
                looked = now;
            }
            return List.copyOf(bySize.getOrDefault(size, List.of()));
        } finally {
            lock.unlock();
        }
    }

    private Map<Path, FileTime> changeTimes() {
        Map<Path, FileTime> times = new HashMap<>();
        for (Path folder : folders) {
            try {
                times.put(folder, Files.getLastModifiedTime(folder));
            } catch (IOException e) {
                times.remove(folder); // not there, which is a state like any other
            }
        }
        return times;
    }

    private Map<Long, List<Path>> list() {
        Map<Long, List<Path>> found = new HashMap<>();
        for (Path folder : folders) {
            if (Files.isReadable(folder) && Files.isDirectory(folder)) {
                list(folder, found);
            }
        }
        return found;
    }

    private static void list(Path folder, Map<Long, List<Path>> found) {
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
            for (Path entry : entries) {
                add(entry, found);
            }
        } catch (IOException | DirectoryIteratorException e) {
            LOG.warn("The programs in {} cannot be compared: {}", folder, e.toString());
        }
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
            found.computeIfAbsent(size, s -> new ArrayList<>()).add(entry.toRealPath());
        } catch (IOException e) {
            LOG.debug("The program {} cannot be compared", entry, e);
        }
    }
}
