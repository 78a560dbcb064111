package palyra.gateway.internal.engine.turn;

import java.util.OptionalLong;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import palyra.api.model.FailureCause;
import palyra.api.model.ModelEvent;
import palyra.gateway.internal.engine.run.WaitNotice;
import palyra.gateway.internal.settings.EngineSettings;

/**
 * The wait for a provider whose circuit breaker is open. It is not an attempt: no server was asked.
 * The provider names a time at which it may be asked again, or by which it is known whether another
 * run's trial is answered; it is asked each second until then, because the trial may be answered at
 * any moment. Used by one worker.
 */
final class CircuitWait {
    private static final long ASK_MILLIS = 1_000;
    private static final long LEAST_MILLIS = 50;

    /** Times that are named of one and the same moment differ by less. */
    private static final long SAME_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final TurnPlan plan;
    private final EngineSettings settings;
    private final Consumer<String> waitingFor;
    private final long beganNanos = System.nanoTime();
    private long untilNanos; // the time that the provider named last
    private int refusals;
    private boolean reported; // whether the wait is the reason of the run
    private long askedNanos;

    CircuitWait(TurnPlan plan, EngineSettings settings, Consumer<String> waitingFor) {
        this.plan = plan;
        this.settings = settings;
        this.waitingFor = waitingFor;
    }

    /** Returns whether a provider says that it was not asked and will be. */
    static boolean isRefusal(ModelEvent event) {
        return event instanceof ModelEvent.Failed failed
                && failed.cause() == FailureCause.CIRCUIT_OPEN
                && failed.retryable();
    }

    /** Returns the plan to ask by: after a refusal, a request with an id and a time of its own. */
    TurnPlan plan() {
        askedNanos = System.nanoTime();
        return refusals == 0 ? plan : plan.askedAgain(refusals, settings.turnTimeoutMillis());
    }

    /**
     * Returns how long to wait before the provider is asked again, in milliseconds; empty when that
     * is given up: when what it names ends later than {@code turnTimeoutMillis} from the beginning.
     * A shorter bound would end runs just when the next trial begins, which may be answered.
     */
    OptionalLong refused(ModelEvent.Failed refusal) {
        long named = System.nanoTime() + nanos(refusal.retryAfterMillis());
        if (named - beganNanos > nanos(settings.turnTimeoutMillis())) {
            return OptionalLong.empty();
        }
        boolean another = refusals++ == 0 || named - untilNanos > SAME_NANOS;
        if (another) {
            report(refusal);
        }
        untilNanos = named;
        long millis = Math.clamp(refusal.retryAfterMillis(), LEAST_MILLIS, ASK_MILLIS);
        return OptionalLong.of(millis + ThreadLocalRandom.current().nextLong(millis / 10 + 1));
    }

    private void report(ModelEvent.Failed refusal) {
        reported = true;
        waitingFor.accept(
                plan.target()
                        + " is asked again at "
                        + WaitNotice.at(refusal.retryAfterMillis())
                        + " at the latest, which uses up no attempt: "
                        + refusal.message());
    }

    /** Returns how long the worker may wait before it has to call {@link #overIfDue}. */
    long nanosUntilDue(long atMost) {
        return reported
                ? Math.min(atMost, Math.max(0, askedNanos + SAME_NANOS - System.nanoTime()))
                : atMost;
    }

    /** A provider that has not refused for so long asks its server. */
    void overIfDue() {
        if (reported && System.nanoTime() - askedNanos >= SAME_NANOS) {
            over();
        }
    }

    /** The provider asks its server. */
    void over() {
        if (reported) {
            reported = false;
            waitingFor.accept("");
        }
    }

    /** Returns how the attempt ends that was given up. */
    TurnRunner.Failed givenUp(ModelEvent.Failed refusal) {
        long waited = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - beganNanos);
        return new TurnRunner.Failed(
                new ModelEvent.Failed(
                        refusal.code(),
                        "The turn was given up after it waited "
                                + waited
                                + " ms: "
                                + refusal.message(),
                        false,
                        refusal.cause(),
                        0),
                TurnRunner.Reached.NO_SERVER);
    }

    private static long nanos(long millis) {
        return TimeUnit.MILLISECONDS.toNanos(millis);
    }
}
