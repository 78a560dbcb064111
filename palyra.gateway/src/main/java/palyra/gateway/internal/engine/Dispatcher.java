package palyra.gateway.internal.engine;

import java.time.Duration;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.gateway.Setback;
import palyra.api.core.journal.CommandRow;
import palyra.api.core.journal.FeedItem;
import palyra.api.core.journal.InboxRow;
import palyra.api.core.journal.LiveFeed;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.RunRow;
import palyra.api.core.journal.Unit;
import palyra.api.core.ops.LoopView;
import palyra.gateway.internal.approval.ApprovalExpiry;
import palyra.gateway.internal.approval.PendingApprovals;
import palyra.gateway.internal.engine.queue.Setbacks;
import palyra.gateway.internal.engine.queue.StoreFailure;
import palyra.gateway.internal.intake.Router;
import palyra.gateway.internal.seam.Services;
import palyra.shared.loop.Backoff;
import palyra.shared.loop.Heartbeat;
import palyra.shared.loop.LoopSpec;
import palyra.shared.loop.SupervisedLoop;

/**
 * Acts on hints: routes waiting messages, carries out waiting commands, starts queued runs,
 * continues answered runs, expires approval requests. Hints may be lost, so it also polls every two
 * seconds. Each duty and each row fails separately: a failed one is retried after a delay, with its
 * reason recorded, and the others continue.
 */
final class Dispatcher implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Dispatcher.class);
    private static final long POLL_MILLIS = 2_000;
    private static final int PAGE = 100;
    private static final int FAILURES_THAT_HOLD = 5; // some eight seconds
    private static final int STORE_FAILURES = 3; // in a row: then the store is away, not the row
    private static final Backoff BACKOFF =
            new Backoff(
                    Duration.ofMillis(100), Duration.ofMillis(POLL_MILLIS), Duration.ofMinutes(1));

    private final Services services;
    private final Engine engine;
    private final Router router;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition hinted = lock.newCondition();
    private final Setbacks setbacks;
    private final SupervisedLoop loop;
    private final ApprovalExpiry due;
    private final PendingApprovals open;
    private final EnumSet<Work> hints = EnumSet.allOf(Work.class); // guarded by lock
    private long lastPoll = System.nanoTime(); // the loop's own; what a failure lost is looked for
    private volatile boolean stopping;
    private volatile boolean commandsWait = true; // as far as known
    private boolean dutyFailed; // in the round under way
    private volatile LiveFeed.Subscription subscription;

    /** What a hint asks for. */
    private enum Work {
        MESSAGES,
        COMMANDS,
        RUNS,
        ANSWERS
    }

    Dispatcher(
            Services services,
            Engine engine,
            Router router,
            PendingApprovals open,
            Setbacks setbacks) {
        this.services = services;
        this.setbacks = setbacks;
        this.engine = engine;
        this.router = router;
        this.open = open;
        this.due = new ApprovalExpiry(services.journal(), engine::commit, services.approvals());
        LoopSpec spec =
                LoopSpec.of("palyra-dispatcher", Services.OWNER).asEssential().withBackoff(BACKOFF);
        this.loop = new SupervisedLoop(spec, this::loop);
    }

    void open() {
        lastPoll = System.nanoTime();
        services.feed().onArrival(this::subscribe);
        loop.start();
    }

    /** Returns how its thread is. */
    LoopView view() {
        return loop.view();
    }

    private void subscribe(LiveFeed feed) {
        if (!stopping) {
            subscription = feed.subscribe(LiveFeed.ANY, this::hint);
        }
    }

    private void hint(FeedItem item) {
        switch (item) {
            case FeedItem.MessageQueued ignored -> wake(EnumSet.of(Work.MESSAGES));
            case FeedItem.CommandQueued ignored -> {
                commandsWait = true;
                wake(EnumSet.of(Work.COMMANDS));
            }
            case FeedItem.ApprovalDecided ignored -> wake(EnumSet.of(Work.ANSWERS));
            case FeedItem.Lagged ignored -> wake(EnumSet.allOf(Work.class));
            default -> {} // nothing for the dispatcher
        }
    }

    /**
     * A worker ended: its session may be free, commands for its run can be settled, and an answer
     * that arrived meanwhile can be handled.
     */
    void runEnded() {
        EnumSet<Work> work = EnumSet.noneOf(Work.class);
        if (commandsWait) {
            work.add(Work.COMMANDS);
        }
        if (engine.workers().isStarved()) {
            work.add(Work.RUNS);
        }
        if (engine.workers().missedAnswers()) {
            work.add(Work.ANSWERS);
        }
        if (!work.isEmpty()) {
            wake(work);
        }
    }

    private void wake(EnumSet<Work> work) {
        lock.lock();
        try {
            hints.addAll(work);
            hinted.signal();
        } finally {
            lock.unlock();
        }
    }

    private void loop(Heartbeat pulse) {
        while (!stopping) {
            pulse.beat();
            boolean poll =
                    System.nanoTime() - lastPoll >= TimeUnit.MILLISECONDS.toNanos(POLL_MILLIS);
            if (poll) {
                lastPoll = System.nanoTime();
            }
            dutyFailed = false;
            work(poll);
            if (dutyFailed && !stopping) {
                wake(EnumSet.allOf(Work.class));
                pause();
            }
        }
    }

    /** Does one duty; when it fails, the others are done all the same. */
    private void duty(String name, Runnable duty) {
        if (stopping) {
            return;
        }
        try {
            duty.run();
            setbacks.succeeded(Setback.Kind.DUTY, name);
        } catch (PalyraException e) {
            LOG.info("The dispatcher could not finish {}: {}", name, e.getMessage());
            dutyFailed(name, e.getMessage());
        } catch (RuntimeException | LinkageError e) {
            LOG.error("The dispatcher met a defect in {} and continues", name, e);
            dutyFailed(name, e.toString());
        }
    }

    private void dutyFailed(String name, String reason) {
        dutyFailed = true;
        setbacks.failed(Setback.Kind.DUTY, name, reason);
    }

    private void pause() {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(POLL_MILLIS / 4));
    }

    private void work(boolean poll) {
        EnumSet<Work> work = take(poll);
        if (stopping) {
            return;
        }
        if (work.contains(Work.MESSAGES) || poll) {
            duty("routing messages", this::routeMessages);
        }
        if (work.contains(Work.COMMANDS) || poll) {
            duty("carrying out commands", this::carryOutCommands);
        }
        if (poll) {
            duty("expiring approval requests", () -> due.run(System.currentTimeMillis()));
            duty("counting approval requests", open::refresh);
            duty("looking for runs", engine.queue()::sweep);
            return;
        }
        if (work.contains(Work.ANSWERS)) {
            duty("continuing answered runs", engine.queue()::resumeAnswered);
        }
        if (work.contains(Work.RUNS)) {
            duty("starting runs", engine.queue()::pumpIfStarved);
        }
    }

    /** Waits for hints, not at all when it is time to look; nothing when it was interrupted. */
    private EnumSet<Work> take(boolean poll) {
        lock.lock();
        try {
            long left = TimeUnit.MILLISECONDS.toNanos(poll ? 0 : POLL_MILLIS);
            while (hints.isEmpty() && left > 0) {
                left = hinted.awaitNanos(left);
            }
            EnumSet<Work> taken = EnumSet.copyOf(hints);
            hints.clear();
            return taken;
        } catch (InterruptedException e) {
            if (!stopping) {
                throw new IllegalStateException("the dispatcher was interrupted at work", e);
            }
            Thread.currentThread().interrupt();
            return EnumSet.noneOf(Work.class);
        } finally {
            lock.unlock();
        }
    }

    private void routeMessages() {
        eachRow(
                Setback.Kind.MESSAGE,
                after ->
                        services.journal().call(j -> j.inboxIn(InboxRow.State.QUEUED, after, PAGE)),
                InboxRow::messageId,
                Router::order,
                router::route);
    }

    private void carryOutCommands() {
        commandsWait = false; // a later command sets it again
        eachRow(
                Setback.Kind.COMMAND,
                after -> services.journal().call(j -> j.pendingCommands(after, PAGE)),
                CommandRow::commandId,
                CommandRow::commandId,
                row -> {
                    commandsWait = true;
                    carryOut(row);
                });
    }

    /**
     * Goes through all rows that are due; one that fails is set aside and tried again later. The
     * first times the later ones of its order wait for it.
     */
    private <R> void eachRow(
            Setback.Kind kind,
            Function<String, List<R>> pageAfter,
            Function<R, String> idOf,
            Function<R, String> orderOf,
            Consumer<R> what) {
        int storeFailures = 0;
        Set<String> held = new HashSet<>();
        List<R> page = pageAfter.apply("");
        while (!page.isEmpty() && !stopping) {
            for (R row : page) {
                String id = idOf.apply(row);
                if (!held.contains(orderOf.apply(row)) && setbacks.isDue(kind, id)) {
                    storeFailures = tried(kind, id, row, what, storeFailures);
                }
                int failures = setbacks.attempts(kind, id);
                if (failures > 0 && failures < FAILURES_THAT_HOLD) {
                    held.add(orderOf.apply(row));
                }
            }
            page = pageAfter.apply(idOf.apply(page.getLast()));
        }
    }

    /** Returns how many rows in a row failed because of the store; throws when they are many. */
    private <R> int tried(
            Setback.Kind kind, String id, R row, Consumer<R> what, int storeFailures) {
        try {
            what.accept(row);
            setbacks.succeeded(kind, id);
            return 0;
        } catch (PalyraException e) {
            if (StoreFailure.is(e.code()) && storeFailures + 1 >= STORE_FAILURES) {
                throw e;
            }
            LOG.info("{} {} is set aside for now: {}", kind, id, e.getMessage());
            setbacks.failed(kind, id, e.getMessage());
            return StoreFailure.is(e.code()) ? storeFailures + 1 : 0;
        } catch (RuntimeException | LinkageError e) {
            LOG.error("{} {} met a defect and is set aside for now", kind, id, e);
            setbacks.failed(kind, id, e.toString());
            return 0;
        }
    }

    private void carryOut(CommandRow command) {
        switch (command.kind()) {
            case CommandRow.CANCEL_RUN -> cancel(command);
            case CommandRow.RETRY_RUN ->
                    finish(
                            command,
                            engine.queue().retry(command.target()) ? "retried" : "not quarantined");
            default ->
                    throw new PalyraException(
                            ErrorCode.INVALID_ARGUMENT,
                            "Command "
                                    + command.commandId()
                                    + " is of kind "
                                    + command.kind()
                                    + ", which this gateway does not know; it stays for a newer"
                                    + " one.");
        }
    }

    private void cancel(CommandRow command) {
        RunRow run = services.journal().call(j -> j.run(command.target())).orElse(null);
        if (run == null || run.state().terminal()) {
            finish(command, run == null ? "no such run" : run.state().name());
        } else {
            engine.queue().cancel(run, CancelReason.of(command));
        }
    }

    private void finish(CommandRow command, String result) {
        Unit unit = Unit.of(new Operation.FinishCommand(command.commandId(), result));
        services.journal().run(j -> j.commit(unit));
    }

    @Override
    public void close() {
        stopping = true;
        wake(EnumSet.allOf(Work.class));
        if (subscription != null) {
            subscription.close();
        }
        loop.close(TimeUnit.SECONDS.toMillis(5)); // it may wait for a journal that stopped first
    }
}
