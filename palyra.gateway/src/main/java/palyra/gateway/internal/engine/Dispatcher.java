package palyra.gateway.internal.engine;

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
import palyra.gateway.internal.intake.Router;

/**
 * Turns hints into work: waiting messages are routed, waiting commands are carried out, queued runs
 * are started. Hints may be lost, so it looks by itself every two seconds as well.
 */
final class Dispatcher implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Dispatcher.class);
    private static final long LOOK_MILLIS = 2_000;
    private static final int PAGE = 100;

    private final Services services;
    private final Engine engine;
    private final Router router;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition hinted = lock.newCondition();
    private final Thread thread;
    private boolean messages = true; // guarded by lock
    private boolean commands = true; // guarded by lock
    private boolean runs = true; // guarded by lock
    private volatile boolean stopping;
    private volatile LiveFeed.Subscription subscription;

    Dispatcher(Services services, Engine engine, Router router) {
        this.services = services;
        this.engine = engine;
        this.router = router;
        this.thread = Thread.ofPlatform().daemon().name("palyra-dispatcher").unstarted(this::loop);
    }

    void open() {
        services.feed().onArrival(this::subscribe);
        thread.start();
    }

    private void subscribe(LiveFeed feed) {
        if (!stopping) {
            subscription = feed.subscribe(LiveFeed.ANY, this::hint);
        }
    }

    private void hint(FeedItem item) {
        switch (item) {
            case FeedItem.MessageQueued ignored -> wake(true, false, false);
            case FeedItem.CommandQueued ignored -> wake(false, true, false);
            case FeedItem.Lagged ignored -> wake(true, true, true);
            default -> {} // nothing for the dispatcher
        }
    }

    /** A run ended: its session is free and commands for it can be settled. */
    void runEnded() {
        wake(false, true, true);
    }

    private void wake(boolean aMessage, boolean aCommand, boolean aRun) {
        lock.lock();
        try {
            messages |= aMessage;
            commands |= aCommand;
            runs |= aRun;
            hinted.signal();
        } finally {
            lock.unlock();
        }
    }

    private void loop() {
        long lastLook = System.nanoTime();
        while (!stopping) {
            boolean look =
                    System.nanoTime() - lastLook >= TimeUnit.MILLISECONDS.toNanos(LOOK_MILLIS);
            if (look) {
                lastLook = System.nanoTime();
            }
            try {
                work(look);
            } catch (PalyraException e) {
                LOG.info("The dispatcher waits: {}", e.getMessage());
                wake(true, true, true);
                pause();
            } catch (RuntimeException e) {
                LOG.error("The dispatcher met a defect and goes on", e);
                pause();
            }
        }
    }

    private void pause() {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(LOOK_MILLIS / 4));
    }

    private void work(boolean look) {
        boolean doMessages;
        boolean doCommands;
        boolean doRuns;
        lock.lock();
        try {
            long left = TimeUnit.MILLISECONDS.toNanos(look ? 0 : LOOK_MILLIS);
            while (!messages && !commands && !runs && left > 0) {
                left = hinted.awaitNanos(left);
            }
            doMessages = messages || look;
            doCommands = commands || look;
            doRuns = runs;
            messages = false;
            commands = false;
            runs = false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            stopping = true;
            return;
        } finally {
            lock.unlock();
        }
        if (doMessages) {
            routeMessages();
        }
        if (doCommands) {
            carryOutCommands();
        }
        if (look) {
            engine.sweep();
        } else if (doRuns) {
            engine.pumpIfStarved();
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
        List<CommandRow> page;
        String after = "";
        do {
            String from = after;
            page = services.journal().call(j -> j.pendingCommands(from, PAGE));
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
        wake(true, true, true);
        if (subscription != null) {
            subscription.close();
        }
        thread.interrupt(); // it may be waiting for a journal that stopped first
        try {
            thread.join(TimeUnit.SECONDS.toMillis(5));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
