package palyra.sandbox.internal.output;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.sandbox.internal.git.GitChoice;

/**
 * The files with the whole output of commands: one folder an agent, beside the workspaces, which
 * the agent's commands and file tools may read and nothing inside a sandbox can write, so that no
 * link and no exchanged folder is ever in the gateway's way. Old files make room for new ones.
 * Thread-safe.
 */
public final class OutputFiles {
    /** Name of the folder beside the workspaces; no agent's id begins with a full stop. */
    public static final String FOLDER = ".outputs";

    private static final Logger LOG = LoggerFactory.getLogger(OutputFiles.class);
    private static final String END = ".txt";

    private final Supplier<Path> workspaces;
    private final Supplier<OutputBounds> bounds;
    private final ReentrantLock lock = new ReentrantLock(); // of making room

    /** Files that are written to, with what their calls may still add. */
    private final Map<Path, AtomicLong> open = new ConcurrentHashMap<>();

    /**
     * Creates; nothing is made yet.
     *
     * @param workspaces folder of the workspaces, absolute
     */
    public OutputFiles(Supplier<Path> workspaces, Supplier<OutputBounds> bounds) {
        this.workspaces = workspaces;
        this.bounds = bounds;
    }

    private record Kept(Path path, long bytes, long atMillis) {}

    /**
     * Returns the folder of an agent, which need not exist.
     *
     * @param workspaces folder of the workspaces
     */
    public static Path of(Path workspaces, String agentId) {
        return workspaces.resolve(FOLDER).resolve(agentId);
    }

    /** Makes the folder of an agent and returns its real path; empty when that is impossible. */
    public Optional<String> readable(String agentId) {
        try {
            return Optional.of(made(agentId).toString());
        } catch (IOException e) {
            LOG.warn("There is no folder for the output of agent {}", agentId, e);
            return Optional.empty();
        }
    }

    /**
     * Returns the variables by which git in a sandbox of an agent finds its settings, which are in
     * the same folder; when they cannot be written there, git has none.
     */
    public Map<String, String> git(String agentId, GitChoice choice) {
        try {
            return choice.environment(made(agentId), agentId);
        } catch (IOException e) {
            LOG.warn("Git in sandboxes of agent {} has no settings", agentId, e);
            return Map.of("GIT_CONFIG_NOSYSTEM", "1");
        }
    }

    private Path made(String agentId) throws IOException {
        Path folder = of(workspaces.get(), agentId);
        if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
            if (folder.getFileSystem().supportedFileAttributeViews().contains("posix")) {
                Files.createDirectories(
                        folder,
                        PosixFilePermissions.asFileAttribute(
                                PosixFilePermissions.fromString("rwx------")));
            } else {
                Files.createDirectories(folder);
            }
        }
        return folder.toRealPath();
    }

    /** Returns where the output of a call goes. */
    public OutputStore of(String agentId, String callId) {
        return new OutputStore() {
            private AtomicLong left; // guarded by this; null before the first file

            @Override
            public synchronized OutputFile begin(String stream) {
                if (bounds.get().callBytes() == 0) {
                    return OutputFile.refused("", "outputFileBytes of palyra.sandbox is 0");
                }
                lock.lock();
                try {
                    Path folder = made(agentId);
                    if (left == null) {
                        left = new AtomicLong(room(folder));
                    }
                    Path path = folder.resolve(callId + "." + stream + END);
                    OutputFile file = OutputFile.make(path, left, () -> open.remove(path));
                    open.put(path, left);
                    return file;
                } catch (IOException e) {
                    return OutputFile.refused(
                            callId, "its file could not be made (" + e.getMessage() + ")");
                } finally {
                    lock.unlock();
                }
            }
        };
    }

    /**
     * Returns the files with output of a call, in the order of their names: what is left of one
     * that ended with the gateway, too.
     */
    public List<String> left(String agentId, String callId) {
        List<String> files = new ArrayList<>();
        for (String stream : List.of("err", "out")) {
            Path file = of(workspaces.get(), agentId).resolve(callId + "." + stream + END);
            if (Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
                files.add(file.toString());
            }
        }
        return files;
    }

    /** Returns the end of the text in one of those files. */
    public static String end(String file, int room) {
        long size = Path.of(file).toFile().length();
        byte[] bytes = OutputFile.read(file, Math.max(0, size - 4L * room), 4 * room);
        OutputWindow window = new OutputWindow(Math.max(bytes.length, 2));
        window.add(bytes, 0, bytes.length);
        window.end();
        return window.text().end(room);
    }

    /**
     * Removes what is too old or too much, and returns what a new call may add. What calls that run
     * may still add counts as used.
     */
    private long room(Path folder) throws IOException {
        OutputBounds most = bounds.get();
        List<Kept> kept = kept(folder);
        Set<AtomicLong> promised = Collections.newSetFromMap(new IdentityHashMap<>());
        open.forEach((path, left) -> addIf(path.startsWith(folder), promised, left));
        long used =
                kept.stream().mapToLong(Kept::bytes).sum()
                        + promised.stream().mapToLong(AtomicLong::get).sum();
        int count = kept.size();
        long oldest = System.currentTimeMillis() - most.maxAgeMillis();
        for (Kept file : kept) {
            boolean tooMuch =
                    count > most.files() - 2 || used > most.agentBytes() - most.shareOfCall();
            boolean unwanted = file.atMillis() < oldest || tooMuch;
            if (unwanted && !open.containsKey(file.path()) && Files.deleteIfExists(file.path())) {
                used -= file.bytes();
                count--;
            }
        }
        return Math.max(0, Math.min(most.shareOfCall(), most.agentBytes() - used));
    }

    private static void addIf(boolean wanted, Set<AtomicLong> all, AtomicLong one) {
        if (wanted) {
            all.add(one);
        }
    }

    /** Returns the files of a folder, those first that were written to longest ago. */
    private static List<Kept> kept(Path folder) throws IOException {
        List<Kept> kept = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder, "*" + END)) {
            for (Path entry : entries) {
                BasicFileAttributes found =
                        Files.readAttributes(
                                entry, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
                kept.add(new Kept(entry, found.size(), found.lastModifiedTime().toMillis()));
            }
        }
        kept.sort(Comparator.comparingLong(Kept::atMillis).thenComparing(Kept::path));
        return kept;
    }

    /** Removes what is too old, of every agent. */
    public void removeOld() {
        Path all = workspaces.get().resolve(FOLDER);
        if (!Files.isDirectory(all, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        lock.lock();
        try (DirectoryStream<Path> agents = Files.newDirectoryStream(all.toRealPath())) {
            for (Path agent : agents) {
                room(agent);
            }
        } catch (IOException e) {
            LOG.warn("Old output in {} could not be removed", all, e);
        } finally {
            lock.unlock();
        }
    }
}
