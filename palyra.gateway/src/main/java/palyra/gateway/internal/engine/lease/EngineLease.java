package palyra.gateway.internal.engine.lease;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.journal.Journal;
import palyra.api.core.journal.Lease;
import palyra.api.core.journal.Precondition;
import palyra.api.core.ops.LoopView;
import palyra.gateway.internal.seam.Services;
import palyra.shared.gate.Gate;
import palyra.shared.loop.Backoff;
import palyra.shared.loop.LoopSpec;
import palyra.shared.loop.SupervisedLoop;

/**
 * The right to be the only run engine on the journal. Taken at the start, renewed while held; every
 * write of the engine carries its epoch. Its loss is reported once.
 */
public final class EngineLease implements Fence, AutoCloseable {
    /** Name of the lease. */
    public static final String NAME = "engine";

    private static final Logger LOG = LoggerFactory.getLogger(EngineLease.class);

    private final Gate<Journal> journal;
    private final String owner;
    private final long ttlMillis;
    private final Runnable whenLost;
    private volatile SupervisedLoop renewer; // null until the lease was taken
    private final AtomicBoolean lost = new AtomicBoolean();
    private volatile Lease held;
    private volatile long goodUntilNanos; // by our clock: no other engine can have taken it before

    public EngineLease(Gate<Journal> journal, String owner, long ttlMillis, Runnable whenLost) {
        this.journal = journal;
        this.owner = owner;
        this.ttlMillis = ttlMillis;
        this.whenLost = whenLost;
    }

    /** Takes the lease; CONFLICT while another engine holds it. */
    public Lease take() {
        held = ask();
        long every = ttlMillis / 3;
        LoopSpec spec =
                LoopSpec.of("palyra-engine-lease", Services.OWNER)
                        .asEssential()
                        .withBackoff(backoff(every));
        renewer = SupervisedLoop.every(spec, Duration.ofMillis(every), this::renew).start();
        return held;
    }

    /** A renewal that failed comes again before the lease runs out. */
    private static Backoff backoff(long everyMillis) {
        Duration limit = Duration.ofMillis(Math.max(1, everyMillis / 4));
        Duration first = Backoff.USUAL.first();
        return new Backoff(
                first.compareTo(limit) < 0 ? first : limit, limit, Backoff.USUAL.healthy());
    }

    /** Returns how the renewal is; empty before the lease was taken. */
    public Optional<LoopView> view() {
        return Optional.ofNullable(renewer).map(SupervisedLoop::view);
    }

    /** Takes or renews. The time counts from the question on: the journal's begins later. */
    private Lease ask() {
        long beforeNanos = System.nanoTime();
        Lease lease = journal.call(j -> j.takeLease(NAME, owner, ttlMillis));
        if (held != null && lease.epoch() != held.epoch()) {
            throw new PalyraException(
                    ErrorCode.CONFLICT, "it expired, and another engine held it meanwhile");
        }
        goodUntilNanos = beforeNanos + TimeUnit.MILLISECONDS.toNanos(ttlMillis);
        return lease;
    }

    private void renew() {
        try {
            ask();
        } catch (PalyraException e) {
            if (e.code() == ErrorCode.CONFLICT) {
                lost(e.getMessage());
            }
            // otherwise the journal is away for a moment, and no other engine can take the lease
            // either
        }
    }

    private void stopRenewing() {
        SupervisedLoop running = renewer;
        if (running != null) {
            running.stop();
        }
    }

    private void lost(String why) {
        if (lost.compareAndSet(false, true)) {
            LOG.warn("The engine lease is lost: {}", why);
            stopRenewing();
            whenLost.run();
        }
    }

    @Override
    public long epoch() {
        return held.epoch();
    }

    @Override
    public Precondition held() {
        return new Precondition.HoldsLease(NAME, owner, held.epoch());
    }

    @Override
    public void confirm() {
        if (!lost.get() && System.nanoTime() - goodUntilNanos < 0) {
            return;
        }
        try {
            ask();
        } catch (PalyraException e) {
            if (e.code() != ErrorCode.CONFLICT) {
                throw e;
            }
            lost(e.getMessage());
            throw new PalyraException(
                    ErrorCode.STALE_EPOCH,
                    "The engine of epoch " + held.epoch() + " no longer has its lease; stop.",
                    e);
        }
    }

    /** Gives the lease back. */
    @Override
    public void close() {
        SupervisedLoop running = renewer;
        if (running != null) {
            running.interrupt();
        }
        try {
            if (held != null && journal.isPresent()) {
                journal.run(j -> j.releaseLease(NAME, owner));
            }
        } catch (PalyraException e) {
            LOG.info("The engine lease was not given back and will expire: {}", e.getMessage());
        }
    }
}
