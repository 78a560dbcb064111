package palyra.gateway.internal.engine.queue;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.RunRow;
import palyra.api.run.RunState;
import palyra.api.tape.TapeEvent;
import palyra.gateway.internal.engine.run.Mailbox;
import palyra.gateway.internal.engine.run.RunContext;
import palyra.gateway.internal.engine.run.RunFinisher;
import palyra.gateway.internal.engine.run.RunLog;
import palyra.gateway.internal.engine.run.Steering;
import palyra.gateway.internal.engine.run.WorkerFlags;
import palyra.gateway.internal.engine.run.WorkerStopped;
import palyra.gateway.internal.engine.tool.ToolSteps;
import palyra.gateway.internal.engine.turn.TurnMemory;
import palyra.gateway.internal.engine.turn.TurnPlan;
import palyra.gateway.internal.engine.turn.TurnPlanner;
import palyra.gateway.internal.engine.turn.TurnSteps;
import palyra.gateway.internal.fold.Step;
import palyra.gateway.internal.seam.Services;
import palyra.gateway.internal.settings.EngineSettings;

/**
 * Works on one run: reads the next step from the tape, records it, takes it, and repeats. It keeps
 * no state that is not on the tape, so stopping at any point and starting again elsewhere is the
 * same as continuing.
 */
public final class RunWorker implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(RunWorker.class);

    /** Prefix of the reason of a run that this engine is too old to continue. */
    public static final String PARKED = "needs_newer_engine";

    /** Reason of a run that ended because memory ran out. */
    public static final String OUT_OF_MEMORY =
            "The gateway ran out of memory while it worked on this run, which was ended for that;"
                    + " lower runMemoryBytes or maxActiveRuns of palyra.gateway, or give the"
                    + " gateway a larger heap.";

    private final RunContext run;
    private final RunLog log;
    private final Supplier<EngineSettings> settings;
    private final Runnable whenEnded;
    private final RunFailures failures;
    private final RunRow row;
    private final WorkerFlags flags;
    private final Mailbox mailbox = new Mailbox();
    private final TurnMemory memory;
    private final TurnSteps turns;
    private final ToolSteps tools;
    private final ApprovalWait people;
    private final RunFinisher end;
    private boolean beganToWait;
    private boolean completed; // the worker's own
    private boolean blocked; // the worker's own

    RunWorker(
            RunContext run,
            RunLog log,
            WorkerFlags flags,
            TurnPlan announced,
            Services services,
            Supplier<EngineSettings> settings,
            RunFinisher.Listener whenDurable,
            RunFailures failures,
            RunRow row,
            Steering steering,
            Runnable whenEnded) {
        this.run = run;
        this.log = log;
        this.flags = flags;
        this.settings = settings;
        this.whenEnded = whenEnded;
        this.failures = failures;
        this.row = row;
        this.end = new RunFinisher(run, log, services, whenDurable);
        this.people = new ApprovalWait(run, log, services);
        this.memory = new TurnMemory(services.memory().open(run.runId()), flags, this::waitingFor);
        this.turns =
                new TurnSteps(
                        run,
                        log,
                        services,
                        settings,
                        flags,
                        mailbox,
                        announced,
                        end,
                        this::waitingFor,
                        memory,
                        () -> steering.tell(run, log, whenDurable));
        this.tools =
                new ToolSteps(
                        run,
                        log,
                        services,
                        mailbox,
                        flags,
                        this::waitingFor,
                        () -> TurnPlanner.mayBeSeen(run.latest().get(), services, settings.get()));
    }

    /** Asks the run to be cancelled; false when it was asked before. */
    boolean cancel(String reason) {
        boolean first = flags.cancel(reason);
        mailbox.urgent(new Mailbox.Wake());
        return first;
    }

    /** Asks the worker to stop at the next record and leave the run to its next worker. */
    void stop() {
        flags.stop();
        mailbox.urgent(new Mailbox.Wake());
    }

    @Override
    public void run() {
        try {
            if (flags.unread()) {
                end.cancelledUnread(flags.cancelReason());
                return;
            }
            long deadline =
                    System.nanoTime()
                            + TimeUnit.MILLISECONDS.toNanos(settings.get().runTimeoutMillis());
            if (!turns.hasAnnounced() && log.history().seq() == 0) {
                log.readLent();
                log.catchUp();
                log.requireSecrets();
            }
            while (step(deadline)) {
                // the tape has the next step
            }
            completed = true;
            if (!blocked) {
                failures.over(row.runId());
            }
        } catch (WorkerStopped e) {
            LOG.info("Run {} is left as its tape has it: {}", run.runId(), e.getMessage());
        } catch (PalyraException e) {
            failed(e);
        } catch (LinkageError e) { // a class of a bundle that is being replaced
            LOG.error("Run {} is left as its tape has it, for the next sweep", run.runId(), e);
        } catch (RuntimeException | StackOverflowError e) {
            LOG.error("Run {} met a defect", run.runId(), e);
            failed(
                    new PalyraException(
                            ErrorCode.INTERNAL, "The engine met a defect; its log says more.", e));
        } catch (OutOfMemoryError e) { // what the step held is let go by now
            mailbox.listenTo("");
            memory.close();
            LOG.error("Run {} ended because memory ran out while it was worked on", run.runId(), e);
            failed(new PalyraException(ErrorCode.RESOURCE_EXHAUSTED, OUT_OF_MEMORY));
        } finally {
            turns.leave();
            memory.close();
            whenEnded.run();
        }
    }

    /** Takes one step; false when the worker has nothing more to do for now. */
    private boolean step(long deadline) {
        if (flags.stopping()) {
            throw new WorkerStopped("the engine stops");
        }
        Step next = log.history().next();
        if (next instanceof Step.Done) {
            return false;
        }
        if (flags.cancelling()) {
            cancelled();
            return false;
        }
        if (System.nanoTime() > deadline) {
            end.failed(ErrorCode.TIMED_OUT, "The run took longer than a run may take.");
            return false;
        }
        return take(next);
    }

    private boolean take(Step next) {
        return switch (next) {
            case Step.Begin ignored -> begin();
            case Step.AskModel ask -> turns.ask(ask);
            case Step.Decide decide -> {
                tools.decide(decide.calls(), settings.get());
                yield true;
            }
            case Step.Start ignored -> start();
            case Step.Recover recover -> afterTools(tools.recover(recover.calls(), settings.get()));
            case Step.Refuse refuse -> {
                tools.refuse(refuse.call());
                yield true;
            }
            case Step.AwaitPeople ignored -> {
                people.begin();
                beganToWait = true;
                yield true;
            }
            case Step.Waiting ignored -> waits();
            case Step.Resume ignored -> {
                people.end();
                yield true;
            }
            case Step.Answer answer -> {
                end.succeeded(List.of(), answer.text(), List.of());
                yield false;
            }
            case Step.Park park -> {
                parked(PARKED + ": the tape holds a " + park.recordType() + " record");
                yield false;
            }
            case Step.Done ignored -> false;
        };
    }

    private boolean begin() {
        try {
            log.commit(
                    List.of(new TapeEvent.RunStateChanged(RunState.RUNNING, null, "")),
                    List.of(
                            new Operation.MoveRun(
                                    run.runId(),
                                    EnumSet.of(RunState.ACCEPTED),
                                    RunState.RUNNING,
                                    "")));
            return true;
        } catch (PalyraException e) {
            if (e.code() == ErrorCode.CONFLICT) {
                // the session is busy: the run stays queued, and is looked at again after a while
                blocked = true;
                failures.blocked(row, "it could not begin: " + e.getMessage());
                return false;
            }
            throw e;
        }
    }

    /** What a grant allowed in an earlier unit is decided again, under the policy of now. */
    private boolean start() {
        if (tools.startsUnderGrant()) {
            tools.decide(List.of(), settings.get());
            return true;
        }
        return afterTools(tools.start(settings.get()));
    }

    private boolean afterTools(List<TapeEvent> records) {
        if (!records.isEmpty()) {
            turns.afterTools(records);
            tools.forget(records);
        }
        return true;
    }

    /** A run that waits holds no worker; it gets one again when it is answered. */
    private boolean waits() {
        if (!beganToWait) {
            people.unmark();
        }
        return false;
    }

    /**
     * Returns whether the run was left waiting for people. After a failure that is not known: a
     * write may have happened that this worker did not learn of. Then the next worker of the
     * session next asks the journal.
     */
    boolean leftWaiting() {
        return completed && isWaiting();
    }

    private boolean isWaiting() {
        return log.history().state() == RunState.AWAITING_APPROVAL;
    }

    private void waitingFor(String reason) {
        stays(RunState.RUNNING, reason);
    }

    private void parked(String reason) {
        stays(isWaiting() ? RunState.AWAITING_APPROVAL : RunState.RUNNING, reason);
    }

    private void stays(RunState state, String reason) {
        log.commit(
                List.of(),
                List.of(new Operation.MoveRun(run.runId(), EnumSet.of(state), state, reason)));
        LOG.debug("Run {}: {}", run.runId(), reason);
    }

    /** Every call gets an outcome, then the run is over. */
    private void cancelled() {
        List<TapeEvent> records = new ArrayList<>(tools.cancelled(log.history()));
        end.cancelled(records, flags.cancelReason());
        tools.forget(records);
    }

    private void failed(PalyraException e) {
        if (e.code() == ErrorCode.STALE_EPOCH) {
            LOG.info(
                    "Run {} is held by another engine or has ended; this worker lets go",
                    run.runId());
            return;
        }
        LOG.warn("Run {} failed: {}", run.runId(), e.getMessage());
        if (e.code() == ErrorCode.CORRUPT) {
            stuck(e.getMessage()); // what the tape says cannot be gone on from
            return;
        }
        try {
            end.failed(e.code(), e.getMessage());
        } catch (WorkerStopped | LinkageError again) {
            LOG.info("Run {} is left as its tape has it: {}", run.runId(), again.getMessage());
        } catch (RuntimeException | OutOfMemoryError again) {
            LOG.warn("Run {} could not be ended: {}", run.runId(), again.getMessage());
            stuck(e.getMessage() + " It could not be ended either: " + again.getMessage());
        }
    }

    /** Cancelling needs no tape that can be folded; anything else is for later, or for a person. */
    private void stuck(String why) {
        try {
            if (flags.cancelling()) {
                end.cancelledUnread(flags.cancelReason());
            } else {
                failures.cannotGoOn(row, why);
            }
        } catch (RuntimeException e) {
            LOG.warn("Run {} is left as its tape has it: {}", run.runId(), e.getMessage());
        }
    }
}
