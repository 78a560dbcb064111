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
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.shared.files.MediumFailure;
import palyra.shared.hash.Digests;

/**
 * Keeps what commands leave in repositories, and at protected names at which nothing was, from
 * running code outside of their sandbox. Before a command starts, what is there is recorded
 * durably; at its end, whichever it is, that is compared and undone, see {@link GitReview}. A
 * record that a gateway left behind is used at the next start, or before the next command in that
 * workspace. Commands that run in one workspace at the same time, and processes that they left
 * running, are compared with what was there before the first of them, so that none makes what
 * another did the state to go back to. Thread-safe.
 */
public final class GitProtection {
    private static final Logger LOG = LoggerFactory.getLogger(GitProtection.class);
    private static final String SUFFIX = ".json";
    private static final String NOTES = ".notes";
    private static final int MOST_NOTES = 32;
    private static final int MOST_TOLD = 100;
    private static final String BY_COMMAND = "by the command";
    private static final String BY_ANYONE =
            "by a command, or by a person while the gateway was down,";
    private static final String EARLIER = "Before this command began: ";

    /** A look takes at most about a twentieth of the time. */
    private static final int LOOK_FACTOR = 20;

    private static final long SHORT_NANOS = 1_000_000_000;

    private static final FileAttribute<?> OWN =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

    private static final int MOST_LOGGED = 10;

    private final Path records;
    private final Executor work;
    private final Bounds bounds;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<Path, Watched> watched = new HashMap<>(); // guarded by lock

    /**
     * Creates it.
     *
     * @param records folder for what workspaces were like; made with the first
     */
    public GitProtection(Path records) {
        this(records, Runnable::run);
    }

    /**
     * Creates it.
     *
     * @param work runs the looks at workspaces; one that takes long must not hold up the others
     */
    public GitProtection(Path records, Executor work) {
        this(records, work, Bounds.USUAL);
    }

    /** Creates one with other bounds. */
    GitProtection(Path records, Executor work, Bounds bounds) {
        this.records = records;
        this.work = work;
        this.bounds = bounds;
    }

    /**
     * Bounds of reviews.
     *
     * @param most links, and things among git's own files, that one look finds
     * @param patience how long a command waits until what is left to be undone in its workspace is
     *     undone
     * @param pause after a review that removed nothing of what there is
     * @param entries among git's own files that one look passes
     */
    record Bounds(int most, Duration patience, Duration pause, int entries) {
        private static final int MOST_ENTRIES = 1_000_000;

        static final Bounds USUAL =
                new Bounds(GitScan.MOST_FOUND, Duration.ofSeconds(20), Duration.ofSeconds(30));

        Bounds(int most, Duration patience, Duration pause) {
            this(most, patience, pause, MOST_ENTRIES);
        }
    }

    /** A workspace in which commands run. */
    private static final class Watched {
        private final ReentrantLock own = new ReentrantLock();
        private final Condition open = own.newCondition();
        private boolean closed; // guarded by own; more is to be undone before the next command
        private String stuck = ""; // guarded by own; why the next one ends no better
        private boolean pinned; // guarded by own; it counts as a user meanwhile
        private final AtomicBoolean looking = new AtomicBoolean(); // at most one look at a time
        private int users; // guarded by the lock of all
        private int running; // guarded by own
        private final List<BooleanSupplier> holders = new ArrayList<>(); // guarded by own
        private GitSnapshot before; // guarded by own; null while no command can have written
        private Map<String, String> present = Map.of(); // guarded by own; what sandboxes hold
        private int permitting; // guarded by own; commands that may change that
        private boolean unheld; // guarded by own; processes may write what was permitted to another
        private long nextLookNanos; // guarded by own

        /** Returns whether commands that have ended left processes running. Under own. */
        private boolean hasLeftovers() {
            return holders.stream().anyMatch(BooleanSupplier::getAsBoolean);
        }
    }

    /** One command in a workspace, or the sandbox of a session. */
    public interface Call {
        /** A command in whose workspace nothing is looked at. */
        Call NONE = List::of;

        /**
         * The command has ended, or never started; only the first call does anything.
         *
         * @return what was undone, also since an earlier command, as sentences for the model
         */
        List<String> end();
    }

    /**
     * A command is about to start.
     *
     * @param workspace absolute real path
     * @param names protected names, relative to the workspace, at which a command must not make
     *     anything where nothing is
     * @param permitted protected paths that this command may write, the files of repositories among
     *     them
     * @throws PalyraException TOOL_UNAVAILABLE when what is there cannot be recorded
     */
    public Call begin(Path workspace, List<String> names, List<String> permitted) {
        Watched entry = enter(workspace);
        long until = System.nanoTime() + bounds.patience().toNanos();
        if (!isHeld(entry.own, bounds.patience())) {
            leave(workspace, entry);
            throw closed(workspace, "");
        }
        try {
            awaitOpen(workspace, entry, until);
            if (entry.before == null) {
                recover(workspace, entry);
                refuseClosed(workspace, entry);
                entry.present = Quarantine.present(workspace, names);
            }
            entry.before = whole(() -> recorded(workspace, names, entry.before));
            entry.running++;
            entry.permitting += permitted.isEmpty() ? 0 : 1;
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
        return new Use(workspace, entry, () -> end(workspace, entry, permitted));
    }

    /** Takes a lock that a review may hold; an interruption ends the wait and stays set. */
    private static boolean isHeld(ReentrantLock lock, Duration patience) {
        if (lock.tryLock()) {
            return true;
        }
        try {
            return lock.tryLock(patience.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** What an earlier command left is undone first. Under own. */
    private static void awaitOpen(Path workspace, Watched entry, long until) {
        long left = until - System.nanoTime();
        try {
            while (entry.closed && entry.stuck.isEmpty() && left > 0) {
                left = entry.open.awaitNanos(left);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        refuseClosed(workspace, entry);
    }

    private static void refuseClosed(Path workspace, Watched entry) {
        if (entry.closed) {
            throw closed(workspace, entry.stuck);
        }
    }

    private static PalyraException closed(Path workspace, String stuck) {
        return new PalyraException(
                ErrorCode.TOOL_UNAVAILABLE,
                "The workspace "
                        + workspace
                        + " is closed to commands: "
                        + (stuck.isEmpty()
                                ? "an earlier one left more links or repositories than one review"
                                        + " may undo, and the gateway is still undoing them. Try"
                                        + " again in a minute."
                                : stuck + "; the gateway looks again by itself."));
    }

    /**
     * The sandbox of a session is about to start, in which commands may leave processes running. As
     * long as some are there, what they do is looked at again and again, see {@link #look}, and at
     * its end.
     *
     * @param leftRunning whether commands left any running, as far as can be told
     */
    public Call hold(Path workspace, BooleanSupplier leftRunning) {
        Watched entry = enter(workspace);
        entry.own.lock();
        try {
            entry.holders.add(leftRunning);
        } finally {
            entry.own.unlock();
        }
        return new Use(workspace, entry, () -> ended(workspace, entry, leftRunning));
    }

    /** Ends once. */
    private final class Use implements Call {
        private final Path workspace;
        private final Watched entry;
        private final Supplier<List<String>> end;
        private final AtomicBoolean ended = new AtomicBoolean();

        Use(Path workspace, Watched entry, Supplier<List<String>> end) {
            this.workspace = workspace;
            this.entry = entry;
            this.end = end;
        }

        @Override
        public List<String> end() {
            if (ended.getAndSet(true)) {
                return List.of();
            }
            try {
                return end.get();
            } finally {
                leave(workspace, entry);
            }
        }
    }

    private List<String> end(Path workspace, Watched entry, List<String> permitted) {
        entry.own.lock();
        try {
            entry.running--;
            List<String> notes = new ArrayList<>(notes(workspace));
            notes.addAll(undo(workspace, entry, permitted));
            if (!permitted.isEmpty()) {
                entry.permitting--;
                entry.unheld = entry.before != null;
            }
            return notes;
        } finally {
            entry.own.unlock();
        }
    }

    private List<String> ended(Path workspace, Watched entry, BooleanSupplier holder) {
        entry.own.lock();
        try {
            entry.holders.remove(holder);
            if (entry.before != null) {
                keep(workspace, undo(workspace, entry, List.of()));
            }
            return List.of();
        } finally {
            entry.own.unlock();
        }
    }

    /**
     * Looks at the workspaces in which no command runs and some have left processes running, and at
     * those that are closed to commands, whatever runs there. What is undone is told with the next
     * command. What people do meanwhile cannot be told from what the processes do. Call it about
     * once a second; a look that takes long is rarer.
     *
     * @param unheld ends the commands of a workspace, as their sandboxes may no longer hold its
     *     protected paths: one was replaced by another program, or a person allowed a command to
     *     make it
     */
    public void look(Consumer<Path> unheld) {
        for (Path workspace : all()) {
            if (isDue(workspace)) {
                inBackground(workspace, entry -> look(workspace, entry, unheld));
            }
        }
    }

    /** One that is busy is looked at a second later. */
    private boolean isDue(Path workspace) {
        Watched entry = enter(workspace);
        try {
            if (!entry.own.tryLock()) {
                return false;
            }
            try {
                return entry.before != null || entry.closed;
            } finally {
                entry.own.unlock();
            }
        } finally {
            leave(workspace, entry);
        }
    }

    private void look(Path workspace, Watched entry, Consumer<Path> unheld) {
        boolean due =
                (entry.closed && entry.stuck.isEmpty())
                        || System.nanoTime() - entry.nextLookNanos >= 0;
        if (entry.closed && entry.before == null && due) {
            recover(workspace, entry);
        }
        if (entry.before != null && isUnheld(workspace, entry)) {
            unheld.accept(workspace);
        }
        if (entry.before != null && (entry.running == 0 || entry.closed) && due) {
            long start = System.nanoTime();
            keep(workspace, undo(workspace, entry, List.of()));
            lookedAt(entry, start);
        }
    }

    /** Under own. */
    private void lookedAt(Watched entry, long start) {
        long now = System.nanoTime();
        long pause = entry.stuck.isEmpty() ? 0 : bounds.pause().toNanos();
        entry.nextLookNanos = now + Math.max(pause, LOOK_FACTOR * (now - start) - SHORT_NANOS);
    }

    /** Works on one workspace, while others are worked on; not when that is under way already. */
    private void inBackground(Path workspace, Consumer<Watched> step) {
        Watched entry = enter(workspace);
        if (!entry.looking.compareAndSet(false, true)) {
            leave(workspace, entry);
            return;
        }
        boolean begun = false;
        try {
            work.execute(
                    () -> {
                        entry.own.lock();
                        try {
                            step.accept(entry);
                        } finally {
                            entry.looking.set(false);
                            entry.own.unlock();
                            leave(workspace, entry);
                        }
                    });
            begun = true;
        } finally {
            if (!begun && entry.looking.getAndSet(false)) {
                leave(workspace, entry);
            }
        }
    }

    /**
     * Closes a workspace to commands or opens it; what watches it stays meanwhile. Under own.
     *
     * @param stuck why it stays closed; empty when the next review may open it
     */
    private void close(Path workspace, Watched entry, boolean closed, String stuck) {
        entry.closed = closed;
        entry.stuck = stuck;
        if (!stuck.isEmpty()) {
            LOG.warn("{} is closed to commands: {}", workspace, stuck);
            entry.open.signalAll();
        }
        if (closed && !entry.pinned) {
            entry.pinned = true;
            enter(workspace);
        } else if (!closed) {
            entry.open.signalAll();
            if (entry.pinned) {
                entry.pinned = false;
                leave(workspace, entry);
            }
        }
    }

    /** A mount goes with what it is on when another program renames something over that. */
    private static boolean isUnheld(Path workspace, Watched entry) {
        if (entry.permitting > 0) {
            return false;
        }
        Map<String, String> now = Quarantine.present(workspace, entry.present.keySet());
        boolean unheld = entry.unheld || !now.equals(entry.present);
        entry.unheld = false;
        entry.present = now;
        return unheld;
    }

    private List<Path> all() {
        lock.lock();
        try {
            return List.copyOf(watched.keySet());
        } finally {
            lock.unlock();
        }
    }

    /**
     * Undoes what was done since the record. Where nothing could write when the look began, the
     * record has served: what changes from now on was not done by a command.
     */
    private List<String> undo(Path workspace, Watched entry, List<String> permitted) {
        boolean quiet = entry.running == 0 && !entry.hasLeftovers();
        try {
            GitReview review =
                    whole(() -> GitReview.undo(workspace, entry.before, permitted, bounds));
            close(workspace, entry, review.isUnfinished(), review.stuck());
            if (quiet && !review.isUnfinished()) {
                entry.before = null;
                forget(workspace);
            } else if (!permitted.isEmpty()) {
                entry.before = review.permitted();
                record(workspace, entry.before);
            }
            return bounded(review.notes());
        } catch (IOException e) {
            throw new IllegalStateException("nothing that throws it was called", e);
        }
    }

    private static List<String> bounded(List<String> notes) {
        if (notes.size() <= MOST_TOLD) {
            return notes;
        }
        List<String> first = new ArrayList<>(notes.subList(0, MOST_TOLD));
        first.add("And " + (notes.size() - MOST_TOLD) + " more were undone like these.");
        return first;
    }

    /** Without the record, what was permitted is undone after a crash. */
    private void record(Path workspace, GitSnapshot snapshot) {
        try {
            write(workspace, snapshot);
        } catch (IOException e) {
            LOG.warn("A record cannot be written: {}", MediumFailure.sentence(e, records));
        }
    }

    /** Names that this command may make count as there from now on. */
    private GitSnapshot recorded(Path workspace, List<String> names, GitSnapshot known)
            throws IOException {
        GitSnapshot seen =
                known == null ? GitScan.of(workspace, names, bounds) : known.withAbsent(names);
        if (seen.inner().size() >= GitInner.MOST_RECORDED) {
            throw new IOException(
                    "git's own folders have more than "
                            + GitInner.MOST_RECORDED
                            + " links, special files, and files with other names");
        }
        if (!seen.cut().isEmpty()) {
            throw closed(workspace, seen.cut());
        }
        if (!seen.equals(known)) {
            write(workspace, seen);
        }
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
                if (entry.before == null) {
                    close(workspace, entry, true, ""); // so that its commands wait
                }
            } finally {
                entry.own.unlock();
            }
            try {
                inBackground(workspace, any -> recover(workspace, any));
            } finally {
                leave(workspace, entry);
            }
        }
    }

    /**
     * Makes one review by a record that was left behind; the next look goes on with what is left.
     * Under own.
     */
    private void recover(Path workspace, Watched entry) {
        if (entry.before != null) {
            return;
        }
        long start = System.nanoTime();
        Recovery made = new Recovery(List.of(), false, "");
        try {
            made = whole(() -> undoLeft(workspace));
            keep(workspace, made.notes());
            if (!made.unfinished()) {
                forget(workspace);
            }
        } catch (IOException e) {
            throw new IllegalStateException("undoLeft reports it", e);
        } finally {
            close(workspace, entry, made.unfinished(), made.stuck());
            lookedAt(entry, start);
        }
    }

    /** What one review by a record came to. */
    private record Recovery(List<String> notes, boolean unfinished, String stuck) {}

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
    private Recovery undoLeft(Path workspace) {
        Path file = file(workspace);
        try {
            GitSnapshot before = GitSnapshot.read(Files.readString(file), workspace.toString());
            if (!Files.isDirectory(workspace)) {
                return new Recovery(List.of(), false, "");
            }
            GitReview review = GitReview.undo(workspace, before, List.of(), bounds);
            List<String> notes =
                    review.notes().stream()
                            .limit(MOST_NOTES)
                            .map(note -> note.replace(BY_COMMAND, BY_ANYONE))
                            .distinct()
                            .toList();
            notes.stream()
                    .limit(MOST_LOGGED)
                    .forEach(
                            note ->
                                    LOG.warn(
                                            "In {}, after an earlier command: {}",
                                            workspace,
                                            note));
            if (notes.size() > MOST_LOGGED) {
                LOG.warn("In {}, {} more like these.", workspace, notes.size() - MOST_LOGGED);
            }
            return new Recovery(notes, review.isUnfinished(), review.stuck());
        } catch (NoSuchFileException e) {
            return new Recovery(List.of(), false, "");
        } catch (IOException e) {
            LOG.error(
                    "The record of repositories in {} is damaged, so what a command made there"
                            + " before the gateway ended was not compared: {}",
                    workspace,
                    MediumFailure.sentence(e, file));
            return new Recovery(List.of(), false, "");
        }
    }

    /** Keeps what was undone while no command ran, for the next one to tell; each sentence once. */
    private void keep(Path workspace, List<String> notes) {
        if (notes.isEmpty()) {
            return;
        }
        Path file = file(workspace, NOTES);
        try {
            whole(
                    () -> {
                        Files.createDirectories(records);
                        Set<String> lines = new LinkedHashSet<>(lines(file));
                        notes.forEach(note -> lines.add(note.replaceAll("\\R", " ")));
                        return lines.size() > MOST_NOTES ? file : Files.write(file, lines);
                    });
        } catch (IOException e) {
            LOG.warn("What was undone cannot be told: {}", MediumFailure.sentence(e, file));
        }
    }

    private static List<String> lines(Path file) throws IOException {
        try {
            return Files.readAllLines(file);
        } catch (NoSuchFileException e) {
            return List.of();
        }
    }

    /** Returns what was undone since the last command, and forgets it. */
    private List<String> notes(Path workspace) {
        Path file = file(workspace, NOTES);
        try {
            List<String> notes = whole(() -> lines(file));
            Files.deleteIfExists(file);
            return notes.stream().map(EARLIER::concat).toList();
        } catch (IOException e) {
            LOG.warn("What was undone cannot be told: {}", MediumFailure.sentence(e, file));
            return List.of();
        }
    }

    private Path file(Path workspace) {
        return file(workspace, SUFFIX);
    }

    private Path file(Path workspace, String suffix) {
        return records.resolve(Digests.sha256Hex(workspace.toString()) + suffix);
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
