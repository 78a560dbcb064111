package palyra.sandbox.internal.run;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.access.Confinement.Tier;
import palyra.api.core.ops.LoopView;
import palyra.api.core.sandbox.SandboxLimits;
import palyra.api.core.sandbox.SandboxSpec;
import palyra.api.core.sandbox.SharedSandbox;
import palyra.shared.files.FileTree;
import palyra.shared.hash.Ulids;
import palyra.shared.loop.LoopSpec;
import palyra.shared.loop.SupervisedLoop;

/**
 * Sandboxes that the commands of a session share: a server that one command has started answers the
 * next, and caches in the home folder stay. One belongs to a session, its agent and its principal;
 * it is made for the first command that asks for it, and ended when none used it for a while, at
 * the end of its life, when its folders are full, when its backend goes or is distrusted, when the
 * configuration changes, and with this bundle. Its folders are removed then; those of a killed
 * gateway when the next one starts. Thread-safe.
 */
public final class SessionSandboxes implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SessionSandboxes.class);

    /** Folder beside the workspaces; no agent's id begins with a full stop. */
    private static final String FOLDER = ".sessions";

    private static final Duration LOOK = Duration.ofSeconds(1);
    private static final long CLOSE_MILLIS = 10_000;
    private static final int PROCESSES_FACTOR = 4;
    private static final int MEMORY_FACTOR = 2;
    private static final int MOST_LAST = 1_000;

    private final Runner runner;
    private final Supplier<SandboxSettings> settings;
    private final Ulids ids = new Ulids();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition fewer = lock.newCondition();
    private final Map<Key, Entry> entries = new HashMap<>(); // guarded by lock
    private int ending; // guarded by lock; sandboxes whose thread has not ended
    private boolean closed; // guarded by lock
    private final Predicate<String> isOver;
    private final SupervisedLoop clock;

    private final Map<Key, SessionSandboxes.Entry>
            last = // guarded by lock; the last one of each session
            new LinkedHashMap<>(16, 0.75f, true) {
                        private static final long serialVersionUID = 1L;

                        @Override
                        protected boolean removeEldestEntry(
                                Map.Entry<Key, SessionSandboxes.Entry> eldest) {
                            return size() > MOST_LAST;
                        }
                    };

    /**
     * Creates it with its one thread, which ends with {@link #close}.
     *
     * @param look looks at what processes do that commands have left running
     * @param isOver whether the session with an id has ended
     */
    public SessionSandboxes(
            Runner runner,
            Supplier<SandboxSettings> settings,
            Runnable look,
            Predicate<String> isOver) {
        this.isOver = isOver;
        this.runner = runner;
        this.settings = settings;
        LoopSpec spec = LoopSpec.of("palyra-sandbox-session-clock", "palyra.sandbox");
        this.clock =
                SupervisedLoop.every(
                                spec,
                                LOOK,
                                () -> {
                                    endUnused();
                                    endOver();
                                    look.run();
                                })
                        .start();
    }

    /**
     * Whose sandbox it is.
     *
     * @param session id of the session
     * @param agent id of the agent
     * @param principal on whose behalf
     * @param workspace absolute real path of the workspace
     */
    public record Key(String session, String agent, String principal, String workspace) {}

    /** A sandbox in use; it is not ended for want of use before this is closed. */
    public final class Use implements AutoCloseable {
        private final Entry entry;
        private final SharedSandbox sandbox;
        private final boolean first;
        private boolean over; // guarded by lock

        private Use(Entry entry, SharedSandbox sandbox) {
            this.entry = entry;
            this.sandbox = sandbox;
            this.first = entry.unused.getAndSet(false);
        }

        /** Returns whether it is the first use of the sandbox, in which nothing is yet. */
        public boolean isFirst() {
            return first;
        }

        /** Returns what holds it. */
        public LiveRun holder() {
            return entry.holder;
        }

        /** Returns why the one before it ended, in sentences; empty when there was none. */
        public String before() {
            return entry.before;
        }

        /** Returns the sandbox to run a command in. */
        public SharedSandbox sandbox() {
            return sandbox;
        }

        @Override
        public void close() {
            lock.lock();
            try {
                if (!over) {
                    over = true;
                    entry.uses--;
                    entry.usedNanos = System.nanoTime();
                }
            } finally {
                lock.unlock();
            }
        }
    }

    private static final class Entry {
        private final String id;
        private final CompletableFuture<SharedSandbox> made = new CompletableFuture<>();
        private final AtomicBoolean unused = new AtomicBoolean(true);
        private final String before;
        private int uses; // guarded by lock
        private long usedNanos = System.nanoTime(); // guarded by lock
        private volatile LiveRun holder; // null until it was started
        private volatile Stop unwanted; // null while it is; read again once the holder was started

        private Entry(String id, String before) {
            this.id = id;
            this.before = before;
        }
    }

    /**
     * Returns the sandbox of a session; makes it for the first command.
     *
     * @param command what is to run: its workspace, protected paths and limits count
     * @throws PalyraException DENIED when the backend makes no such sandbox; TOOL_UNAVAILABLE when
     *     it cannot be made now
     * @throws InterruptedException when the thread was interrupted while it was made
     */
    public Use use(Key key, SandboxSpec command) throws InterruptedException {
        Entry entry = enter(key, command);
        boolean entered = false;
        try {
            Use use = new Use(entry, entry.made.get());
            entered = true;
            return use;
        } catch (ExecutionException e) {
            throw e.getCause() instanceof PalyraException refused
                    ? refused
                    : new PalyraException(
                            ErrorCode.INTERNAL, "The sandbox of the session could not be made.", e);
        } finally {
            if (!entered) {
                leave(entry);
            }
        }
    }

    private void leave(Entry entry) {
        lock.lock();
        try {
            entry.uses--;
        } finally {
            lock.unlock();
        }
    }

    private Entry enter(Key key, SandboxSpec command) {
        Entry made;
        List<Entry> replaced = new ArrayList<>();
        lock.lock();
        try {
            if (closed) {
                throw new PalyraException(
                        ErrorCode.TOOL_UNAVAILABLE, "The sandboxes are being replaced or removed.");
            }
            Entry known = entries.get(key);
            if (known != null && !hasEnded(known)) {
                known.uses++;
                return known;
            }
            replaced.addAll(makeRoom());
            made = new Entry("session-" + ids.next(), ending(last.get(key)));
            made.uses = 1;
            entries.put(key, made);
            last.put(key, made);
            ending++;
        } finally {
            lock.unlock();
        }
        replaced.forEach(one -> end(one, Stop.SESSION_UNUSED));
        Threads.start(made.id, () -> hold(key, made, command));
        return made;
    }

    /** Says why a sandbox has ended; empty when there was none, or it never began. */
    private static String ending(Entry ended) {
        if (ended == null) {
            return "";
        }
        LiveRun holder = ended.holder;
        if (holder == null) {
            return ended.unwanted == null ? "" : ended.unwanted.sentence("It");
        }
        return holder.ending();
    }

    private static boolean hasEnded(Entry entry) {
        LiveRun holder = entry.holder;
        return entry.unwanted != null || (holder != null && holder.stopped().isPresent());
    }

    /** Takes the one out that was not used for the longest time. Called under the lock. */
    private List<Entry> makeRoom() {
        List<Entry> out = new ArrayList<>();
        while (entries.size() >= settings.get().sessions().most()) {
            Optional<Map.Entry<Key, Entry>> oldest =
                    entries.entrySet().stream()
                            .filter(one -> one.getValue().uses == 0)
                            .min(Comparator.comparingLong(one -> one.getValue().usedNanos));
            if (oldest.isEmpty()) {
                throw new PalyraException(
                        ErrorCode.RESOURCE_EXHAUSTED,
                        entries.size()
                                + " sessions use a sandbox now, and maxSessions of palyra.sandbox"
                                + " allows no more; wait, or run the command without session.");
            }
            entries.remove(oldest.get().getKey());
            out.add(oldest.get().getValue());
        }
        return out;
    }

    private static void end(Entry entry, Stop why) {
        entry.unwanted = why;
        LiveRun holder = entry.holder;
        if (holder != null) {
            holder.stop(why);
        }
    }

    /** Makes the sandbox and stays with it until it has ended, on its own thread. */
    private void hold(Key key, Entry entry, SandboxSpec command) {
        Path folder = folder().resolve(entry.id);
        try {
            SharedSandbox sandbox = folders(entry.id, folder);
            LiveRun holder = runner.start(order(entry.id, command.in(sandbox)));
            entry.holder = holder;
            if (entry.unwanted != null) {
                end(entry, entry.unwanted);
            }
            if (holder.spawned()) {
                entry.made.complete(sandbox.heldBy(holder.process()));
            }
            RunResult result = holder.await();
            forget(key, entry);
            entry.made.completeExceptionally(
                    new PalyraException(
                            ErrorCode.TOOL_UNAVAILABLE,
                            "The sandbox of the session could not be made. " + result.problem()));
        } catch (IOException e) {
            forget(key, entry);
            entry.made.completeExceptionally(
                    new PalyraException(
                            ErrorCode.TOOL_UNAVAILABLE,
                            "The folders of a session's sandbox cannot be made: " + e + ".",
                            e));
        } catch (RuntimeException | Error e) {
            forget(key, entry);
            entry.made.completeExceptionally(e);
        } finally {
            remove(folder);
            ended();
        }
    }

    private void ended() {
        lock.lock();
        try {
            ending--;
            fewer.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void forget(Key key, Entry entry) {
        lock.lock();
        try {
            entries.remove(key, entry);
        } finally {
            lock.unlock();
        }
    }

    private Path folder() {
        return settings.get().workspaces().resolve(FOLDER);
    }

    private static final FileAttribute<?> OWNER_ONLY =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

    private static SharedSandbox folders(String id, Path folder) throws IOException {
        Files.createDirectories(folder, OWNER_ONLY);
        Path real = folder.toRealPath();
        Path home = Files.createDirectory(real.resolve("home"), OWNER_ONLY);
        Path temporary = Files.createDirectory(real.resolve("tmp"), OWNER_ONLY);
        return new SharedSandbox(id, home.toString(), temporary.toString(), Optional.empty());
    }

    /** The limits of the holder are those of all commands together. */
    private RunOrder order(String id, SandboxSpec command) {
        SandboxLimits each = command.limits();
        long wallMillis = settings.get().sessions().wallMillis();
        SandboxLimits all =
                new SandboxLimits(
                        wallMillis,
                        wallMillis * Runtime.getRuntime().availableProcessors(),
                        each.memoryBytes() > Long.MAX_VALUE / MEMORY_FACTOR
                                ? Long.MAX_VALUE
                                : each.memoryBytes() * MEMORY_FACTOR,
                        each.processes() * PROCESSES_FACTOR,
                        each.fileBytes(),
                        each.openFiles(),
                        each.outputBytes(),
                        each.scratchBytes());
        SandboxSpec spec =
                new SandboxSpec(
                        id,
                        command.argv(),
                        Map.of(),
                        command.workspace(),
                        command.workspace(),
                        command.protectedPaths(),
                        command.readOnlyPaths(),
                        command.egress(),
                        Optional.empty(),
                        command.forbiddenPorts(),
                        all,
                        command.permitMissing(),
                        false,
                        command.shared());
        return RunOrder.of(Tier.C, spec);
    }

    private static void remove(Path folder) {
        try {
            if (Files.exists(folder, LinkOption.NOFOLLOW_LINKS)) {
                FileTree.remove(folder);
            }
        } catch (IOException e) {
            LOG.warn("The folder {} of a session's sandbox cannot be removed", folder, e);
        }
    }

    private void endUnused() {
        long idle = TimeUnit.MILLISECONDS.toNanos(settings.get().sessions().idleMillis());
        List<Entry> unused = new ArrayList<>();
        lock.lock();
        try {
            entries.values()
                    .removeIf(
                            entry -> {
                                boolean silent =
                                        entry.uses == 0
                                                && System.nanoTime() - entry.usedNanos > idle;
                                if (silent) {
                                    unused.add(entry);
                                }
                                return silent;
                            });
        } finally {
            lock.unlock();
        }
        unused.forEach(one -> end(one, Stop.SESSION_UNUSED));
    }

    private void endOver() {
        Map<Key, Entry> all;
        lock.lock();
        try {
            all = Map.copyOf(entries);
        } finally {
            lock.unlock();
        }
        all.forEach(
                (key, entry) -> {
                    if (isOver.test(key.session())) {
                        forget(key, entry);
                        end(entry, Stop.SESSION_ENDED);
                    }
                });
    }

    /** Removes the folders that a killed gateway left behind. Before the first use. */
    public void removeLeftovers() {
        try (DirectoryStream<Path> left = Files.newDirectoryStream(folder())) {
            Set<String> known = knownIds();
            for (Path one : left) {
                if (!known.contains(one.getFileName().toString())) {
                    remove(one);
                }
            }
        } catch (NoSuchFileException e) {
            return; // there was none
        } catch (IOException e) {
            LOG.warn("The folder {} cannot be listed", folder(), e);
        }
    }

    private Set<String> knownIds() {
        lock.lock();
        try {
            return Set.copyOf(entries.values().stream().map(entry -> entry.id).toList());
        } finally {
            lock.unlock();
        }
    }

    /** Returns how many there are. */
    public int count() {
        lock.lock();
        try {
            return entries.size();
        } finally {
            lock.unlock();
        }
    }

    /** Returns how many bytes their folders hold, as of the last counts. */
    public long heldBytes() {
        lock.lock();
        try {
            return entries.values().stream()
                    .map(entry -> entry.holder)
                    .filter(Objects::nonNull)
                    .flatMap(holder -> holder.disk().stream())
                    .mapToLong(DiskMonitor::furtherBytes)
                    .sum();
        } finally {
            lock.unlock();
        }
    }

    /** Returns how the clock is. */
    public LoopView loop() {
        return clock.view();
    }

    /** Ends all, because what they were made with has changed; the next command makes new ones. */
    public void endAll() {
        endAll(Stop.SESSION_OUTDATED);
    }

    private void endAll(Stop why) {
        List<Entry> all;
        lock.lock();
        try {
            all = List.copyOf(entries.values());
            entries.clear();
        } finally {
            lock.unlock();
        }
        all.forEach(one -> end(one, why));
    }

    /** Ends every sandbox and the clock, and waits for at most ten seconds. */
    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
        } finally {
            lock.unlock();
        }
        endAll(Stop.WITHDRAWN);
        clock.stop();
        try {
            clock.join(CLOSE_MILLIS);
            awaitEnds();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void awaitEnds() throws InterruptedException {
        lock.lock();
        try {
            long left = TimeUnit.MILLISECONDS.toNanos(CLOSE_MILLIS);
            while (ending > 0 && left > 0) {
                left = fewer.awaitNanos(left);
            }
        } finally {
            lock.unlock();
        }
    }
}
