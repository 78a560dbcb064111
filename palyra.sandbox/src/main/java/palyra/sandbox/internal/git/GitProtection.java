package palyra.sandbox.internal.git;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.shared.files.MediumFailure;
import palyra.shared.hash.Digests;

/**
 * Keeps what commands leave in repositories from running code outside of their sandbox. Before a
 * command starts, what is there is recorded durably; at its end, whichever it is, that is compared
 * and undone, see {@link GitReview}. A record that a gateway left behind is used at the next start,
 * or before the next command in that workspace. Commands that run in one workspace at the same time
 * are compared with what was there before the first of them, so that none makes what another did
 * the state to go back to. Thread-safe.
 */
public final class GitProtection {
    private static final Logger LOG = LoggerFactory.getLogger(GitProtection.class);
    private static final String SUFFIX = ".json";
    private static final FileAttribute<?> OWN =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

    private final Path records;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<Path, Watched> watched = new HashMap<>(); // guarded by lock

    /**
     * Creates it.
     *
     * @param records folder for what workspaces were like; made with the first
     */
    public GitProtection(Path records) {
        this.records = records;
    }

    /** A workspace in which commands run. */
    private static final class Watched {
        private final ReentrantLock own = new ReentrantLock();
        private int users; // guarded by the lock of all
        private int running; // guarded by own
        private GitSnapshot before; // guarded by own
        private final List<String> earlier = new ArrayList<>(); // guarded by own; not told yet
    }

    /** One command in a workspace. */
    public interface Call {
        /** A command in whose workspace nothing is looked at. */
        Call NONE = List::of;

        /**
         * The command has ended, or never started; only the first call does anything.
         *
         * @return what was undone, as sentences for the model
         */
        List<String> end();
    }

    /**
     * A command is about to start.
     *
     * @param workspace absolute real path
     * @throws PalyraException TOOL_UNAVAILABLE when what is there cannot be recorded
     */
    public Call begin(Path workspace) {
        Watched entry = enter(workspace);
        entry.own.lock();
        try {
            if (entry.running == 0) {
                entry.before = whole(() -> recorded(workspace, entry.earlier));
            }
            entry.running++;
        } catch (IOException e) {
            leave(workspace, entry);
            throw new PalyraException(
                    ErrorCode.TOOL_UNAVAILABLE,
                    "The state of the repositories in the workspace could not be recorded before"
                            + " the command: "
                            + MediumFailure.sentence(e, records)
                            + ".",
                    e);
        } catch (RuntimeException e) {
            leave(workspace, entry);
            throw e;
        } finally {
            entry.own.unlock();
        }
        return new Running(workspace, entry);
    }

    /** A command that has begun. */
    private final class Running implements Call {
        private final Path workspace;
        private Watched entry; // null once it has ended; guarded by this

        Running(Path workspace, Watched entry) {
            this.workspace = workspace;
            this.entry = entry;
        }

        @Override
        public List<String> end() {
            Watched mine;
            synchronized (this) {
                mine = entry;
                entry = null;
            }
            if (mine == null) {
                return List.of();
            }
            try {
                return GitProtection.this.end(workspace, mine);
            } finally {
                leave(workspace, mine);
            }
        }
    }

    private List<String> end(Path workspace, Watched entry) {
        entry.own.lock();
        try {
            List<String> notes = new ArrayList<>(entry.earlier);
            entry.earlier.clear();
            whole(() -> notes.addAll(GitReview.undo(workspace, entry.before)));
            entry.running--;
            if (entry.running == 0) {
                entry.before = null;
                forget(workspace);
            }
            return notes;
        } catch (IOException e) {
            throw new IllegalStateException("nothing that throws it was called", e);
        } finally {
            entry.own.unlock();
        }
    }

    private GitSnapshot recorded(Path workspace, List<String> earlier) throws IOException {
        earlier.addAll(undoLeft(workspace));
        GitSnapshot seen = GitScan.of(workspace);
        write(workspace, seen);
        return seen;
    }

    /** A record that stays is used before the next command; it undoes nothing more then. */
    private void forget(Path workspace) {
        try {
            Files.deleteIfExists(file(workspace));
        } catch (IOException e) {
            LOG.warn(
                    "A record of repositories stays: {}",
                    MediumFailure.sentence(e, file(workspace)));
        }
    }

    /** Steps that read or write files. */
    private interface Step<T> {
        T make() throws IOException;
    }

    /**
     * Makes a step again when an interruption came meanwhile, which closes the files that are open
     * and so makes them look absent. The interruption stays set.
     */
    private static <T> T whole(Step<T> step) throws IOException {
        boolean interrupted = false;
        try {
            while (true) {
                interrupted |= Thread.interrupted();
                try {
                    T result = step.make();
                    if (!Thread.currentThread().isInterrupted()) {
                        return result;
                    }
                } catch (IOException e) {
                    if (!Thread.currentThread().isInterrupted()) {
                        throw e;
                    }
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private Watched enter(Path workspace) {
        lock.lock();
        try {
            Watched entry = watched.computeIfAbsent(workspace, any -> new Watched());
            entry.users++;
            return entry;
        } finally {
            lock.unlock();
        }
    }

    private void leave(Path workspace, Watched entry) {
        lock.lock();
        try {
            entry.users--;
            if (entry.users == 0) {
                watched.remove(workspace);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Looks at the workspaces in which commands ran when a gateway ended without their end. */
    public void recover() {
        for (Path workspace : left()) {
            Watched entry = enter(workspace);
            entry.own.lock();
            try {
                if (entry.running == 0) {
                    undoLeft(workspace);
                    forget(workspace);
                }
            } finally {
                entry.own.unlock();
                leave(workspace, entry);
            }
        }
    }

    private List<Path> left() {
        List<Path> left = new ArrayList<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(records, "*" + SUFFIX)) {
            for (Path file : files) {
                try {
                    left.add(Path.of(GitSnapshot.workspaceOf(Files.readString(file))));
                } catch (IOException | RuntimeException e) {
                    LOG.warn("A record of repositories cannot be read: {}", file, e);
                }
            }
        } catch (NoSuchFileException e) {
            return List.of();
        } catch (IOException | DirectoryIteratorException e) {
            LOG.warn("Records of repositories cannot be read: {}", records, e);
        }
        return left;
    }

    /** Undoes by a record that was left behind, if there is one. */
    private List<String> undoLeft(Path workspace) {
        Path file = file(workspace);
        try {
            GitSnapshot before = GitSnapshot.read(Files.readString(file), workspace.toString());
            if (!Files.isDirectory(workspace)) {
                return List.of();
            }
            List<String> notes = GitReview.undo(workspace, before);
            notes.forEach(note -> LOG.warn("In {}, after an earlier command: {}", workspace, note));
            return notes;
        } catch (NoSuchFileException e) {
            return List.of();
        } catch (IOException e) {
            LOG.error(
                    "The record of repositories in {} is damaged, so what a command made there"
                            + " before the gateway ended was not compared: {}",
                    workspace,
                    MediumFailure.sentence(e, file));
            return List.of();
        }
    }

    private Path file(Path workspace) {
        return records.resolve(Digests.sha256Hex(workspace.toString()) + SUFFIX);
    }

    private void write(Path workspace, GitSnapshot snapshot) throws IOException {
        Path file = file(workspace);
        Path made = file.resolveSibling(file.getFileName() + ".new");
        Files.createDirectories(records);
        byte[] json = snapshot.json(workspace.toString()).getBytes(StandardCharsets.UTF_8);
        try (FileChannel channel =
                FileChannel.open(
                        made,
                        Set.of(
                                StandardOpenOption.CREATE,
                                StandardOpenOption.TRUNCATE_EXISTING,
                                StandardOpenOption.WRITE),
                        OWN)) { // settings may hold passwords
            ByteBuffer all = ByteBuffer.wrap(json);
            while (all.hasRemaining()) {
                channel.write(all);
            }
            channel.force(true);
        }
        Files.move(made, file, StandardCopyOption.ATOMIC_MOVE);
    }
}
