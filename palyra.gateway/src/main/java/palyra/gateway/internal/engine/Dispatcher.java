package palyra.gateway.internal.engine;

import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.PalyraException;
import palyra.api.core.journal.CommandRow;
import palyra.api.core.journal.FeedItem;
import palyra.api.core.journal.InboxRow;
import palyra.api.core.journal.LiveFeed;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.RunRow;
import palyra.api.core.journal.Unit;
import palyra.api.core.ops.LoopView;
import palyra.gateway.internal.approval.DueQuestions;
import palyra.gateway.internal.approval.OpenQuestions;
import palyra.gateway.internal.intake.Router;
import palyra.shared.loop.Backoff;
import palyra.shared.loop.LoopSpec;
import palyra.shared.loop.Pulse;
import palyra.shared.loop.SupervisedLoop;

/**
 * Turns hints into work: waiting messages are routed, waiting commands are carried out, queued runs
 * are started, answered runs go on, questions expire. Hints may be lost, so it looks by itself
 * every two seconds as well.
 */
final class Dispatcher implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Dispatcher.class);
    private static final long LOOK_MILLIS = 2_000;
    private static final int PAGE = 100;
    private static final Backoff BACKOFF =
            new Backoff(
                    Duration.ofMillis(100), Duration.ofMillis(LOOK_MILLIS), Duration.ofMinutes(1));

    private final Services services;
    private final Engine engine;
    private final Router router;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition hinted = lock.newCondition();
    private final SupervisedLoop loop;
    private final DueQuestions due;
    private final OpenQuestions open;
    private final EnumSet<Work> hints = EnumSet.allOf(Work.class); // guarded by lock
    private long lastLook = System.nanoTime(); // the loop's own; what a failure lost is looked for
    private volatile boolean stopping;
    private volatile boolean commandsWait = true; // as far as known
    private volatile LiveFeed.Subscription subscription;

    /** What a hint asks for. */
    private enum Work {
        MESSAGES,
        COMMANDS,
        RUNS,
        ANSWERS
    }

    Dispatcher(Services services, Engine engine, Router router, OpenQuestions open) {
        this.services = services;
        this.engine = engine;
        this.router = router;
        this.open = open;
        this.due = new DueQuestions(services.journal(), engine::commit, services.approvals());
        LoopSpec spec =
                LoopSpec.of("palyra-dispatcher", EngineHost.OWNER)
                        .asEssential()
                        .withBackoff(BACKOFF);
        this.loop = new SupervisedLoop(spec, this::loop);
    }

    void open() {
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
     * A worker let go of a run: its session may be free, commands for it can be settled, and an
     * answer that came while it was worked on can be looked at.
     */
    void runEnded() {
        EnumSet<Work> work = EnumSet.noneOf(Work.class);
        if (commandsWait) {
            work.add(Work.COMMANDS);
        }
        if (engine.isStarved()) {
            work.add(Work.RUNS);
        }
        if (engine.missedAnswers()) {
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

    private void loop(Pulse pulse) {
        while (!stopping) {
            pulse.beat();
            boolean look =
                    System.nanoTime() - lastLook >= TimeUnit.MILLISECONDS.toNanos(LOOK_MILLIS);
            if (look) {
                lastLook = System.nanoTime();
            }
            try {
                work(look);
            } catch (PalyraException e) {
                LOG.info("The dispatcher waits: {}", e.getMessage());
                wake(EnumSet.allOf(Work.class));
                pause();
            }
        }
    }

    private void pause() {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(LOOK_MILLIS / 4));
    }

    private void work(boolean look) {
        EnumSet<Work> work = take(look);
        if (stopping) {
            return;
        }
        if (work.contains(Work.MESSAGES) || look) {
            routeMessages();
        }
        if (work.contains(Work.COMMANDS) || look) {
            carryOutCommands();
        }
        if (look) {
            due.look(System.currentTimeMillis());
            open.look();
            engine.sweep();
            return;
        }
        if (work.contains(Work.ANSWERS)) {
            engine.resumeAnswered();
        }
        if (work.contains(Work.RUNS)) {
            engine.pumpIfStarved();
        }
    }

    /** Waits for hints, not at all when it is time to look; nothing when it was interrupted. */
    private EnumSet<Work> take(boolean look) {
        lock.lock();
        try {
            long left = TimeUnit.MILLISECONDS.toNanos(look ? 0 : LOOK_MILLIS);
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
        List<InboxRow> page;
        String after = "";
        do {
            String from = after;
            page = services.journal().call(j -> j.inboxIn(InboxRow.State.QUEUED, from, PAGE));
            for (InboxRow row : page) {
                router.route(row);
                after = row.messageId();
            }
        } while (page.size() == PAGE && !stopping);
    }

    private void carryOutCommands() {
        commandsWait = false; // whoever comes from here on says so
        List<CommandRow> page;
        String after = "";
        do {
            String from = after;
            page = services.journal().call(j -> j.pendingCommands(from, PAGE));
            if (!page.isEmpty()) {
                commandsWait = true;
            }
            for (CommandRow row : page) {
                carryOut(row);
                after = row.commandId();
            }
        } while (page.size() == PAGE && !stopping);
    }

    private void carryOut(CommandRow command) {
        if (!command.kind().equals(CommandRow.CANCEL_RUN)) {
            LOG.warn(
                    "Command {} of kind {} is for a newer gateway; it stays",
                    command.commandId(),
                    command.kind());
            return;
        }
        RunRow run = services.journal().call(j -> j.run(command.target())).orElse(null);
        if (run == null || run.state().terminal()) {
            String result = run == null ? "no such run" : run.state().name();
            services.journal()
                    .run(
                            j ->
                                    j.commit(
                                            Unit.of(
                                                    new Operation.FinishCommand(
                                                            command.commandId(), result))));
        } else {
            engine.cancel(run, CancelReason.of(command));
        }
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
