package palyra.policy.internal.decide;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import palyra.api.PalyraException;
import palyra.lib.cedar.Cedar;
import palyra.lib.cedar.CedarDecision;
import palyra.lib.cedar.CedarException;
import palyra.lib.cedar.CedarException.Reason;
import palyra.lib.cedar.CedarStatus;
import palyra.lib.cedar.PreparedPolicySet;
import palyra.lib.cedar.PreparedUse;
import palyra.policy.internal.set.Snapshot;
import palyra.shared.gate.Gate;

/**
 * The native engine's word. Keeps the few sets prepared inside it that were asked about last. Its
 * native work runs on threads of its own, so that callers wait no longer than {@link
 * #DEADLINE_MILLIS} and may hold a lease on something else. Policy requests about sets that decide
 * never wait for a candidate: neither here, where a set that comes next is prepared on another
 * thread, nor in the engine. Thread-safe.
 */
public final class NativeEngineCheck implements AutoCloseable {
    /** How long a caller waits for an answer, in milliseconds. */
    public static final long DEADLINE_MILLIS = 1_500;

    /** How long one waits for an answer about a set that does not decide. */
    private static final long CANDIDATE_MILLIS = 30_000;

    private static final long PREPARE_MILLIS = 60_000;
    private static final int MOST_WAITING = 256;

    /** The set in force, and the one before it or the one that comes next. */
    private static final int MOST_SETS = 2;

    private final Gate<Cedar> cedar;
    private final long deadlineMillis;
    private final boolean candidates;
    private final ThreadPoolExecutor thread;
    private final ThreadPoolExecutor preparer;
    private final List<Prepared> sets = new ArrayList<>(); // guarded by itself; newest first

    private record Prepared(Snapshot snapshot, PreparedPolicySet set) {
        /** Compares snapshots by identity, not by content. */
        @SuppressWarnings("ReferenceEquality")
        boolean isOf(Snapshot asked) {
            return snapshot == asked;
        }
    }

    /** Creates one for sets that decide; the gate should not wait for an absent engine. */
    public NativeEngineCheck(Gate<Cedar> cedar) {
        this(cedar, DEADLINE_MILLIS);
    }

    NativeEngineCheck(Gate<Cedar> cedar, long deadlineMillis) {
        this(cedar, deadlineMillis, false);
    }

    private NativeEngineCheck(Gate<Cedar> cedar, long deadlineMillis, boolean candidates) {
        this.cedar = cedar;
        this.deadlineMillis = deadlineMillis;
        this.candidates = candidates;
        this.thread = thread(candidates ? "palyra-policy-candidates" : "palyra-policy-native");
        this.preparer = candidates ? thread : thread("palyra-policy-prepare");
    }

    /**
     * Creates one for sets that do not decide: candidates and earlier ones. Its policy requests
     * wait for each other and for what else is done with candidates.
     */
    public static NativeEngineCheck ofCandidates(Gate<Cedar> cedar) {
        return new NativeEngineCheck(cedar, CANDIDATE_MILLIS, true);
    }

    private static ThreadPoolExecutor thread(String name) {
        ThreadPoolExecutor thread =
                new ThreadPoolExecutor(
                        1,
                        1,
                        30,
                        TimeUnit.SECONDS,
                        new ArrayBlockingQueue<>(MOST_WAITING),
                        work -> {
                            Thread made = new Thread(work, name);
                            made.setDaemon(true);
                            return made;
                        });
        thread.allowCoreThreadTimeOut(true);
        return thread;
    }

    /**
     * Returns the decision on the policy request as it is, its approval flag included.
     *
     * @return empty when there is no native engine
     * @throws palyra.lib.cedar.CedarException when there is one but it gave no decision, which is a
     *     denial
     */
    public Optional<CedarDecision> ask(Snapshot snapshot, PolicyRequest request) {
        String json = request.nativeJson();
        return on(thread, () -> decide(snapshot, json), deadlineMillis);
    }

    /**
     * Prepares a set before it comes into force; the one in force is asked meanwhile, and stays
     * prepared for decisions that began by it. Waits until it is done, at most a minute; without a
     * native engine it does nothing.
     *
     * @throws palyra.lib.cedar.CedarException when the engine is there and cannot
     */
    public void retain(Snapshot snapshot) {
        on(
                preparer,
                () -> {
                    prepared(snapshot, candidates ? PreparedUse.CANDIDATE : PreparedUse.NEXT);
                    return Optional.empty();
                },
                PREPARE_MILLIS);
    }

    /** Prepares a set in force in the background: the first policy request about it waits less. */
    void prepareSoon(Snapshot snapshot) {
        try {
            thread.execute(
                    () -> {
                        try {
                            prepared(snapshot, use());
                        } catch (CedarException | PalyraException e) {
                            // The next caller gets the same failure and reports it.
                        }
                    });
        } catch (RejectedExecutionException e) {
            // Closed, or too busy: the first policy request prepares it.
        }
    }

    private PreparedUse use() {
        return candidates ? PreparedUse.CANDIDATE : PreparedUse.IN_FORCE;
    }

    /** Returns an empty text when the native engine is there, else why not. */
    public String absence() {
        if (!cedar.isPresent()) {
            return "The native Cedar engine is not installed or not started.";
        }
        try {
            return on(
                            thread,
                            () ->
                                    Optional.of(cedar.call(Cedar::status))
                                            .map(NativeEngineCheck::reason),
                            deadlineMillis)
                    .orElse("The native Cedar engine has just gone.");
        } catch (CedarException e) {
            return e.getMessage();
        }
    }

    private static String reason(CedarStatus status) {
        return status.available() ? "" : status.reason();
    }

    private Optional<CedarDecision> decide(Snapshot snapshot, String json) {
        Optional<Prepared> prepared = prepared(snapshot, use());
        if (prepared.isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.of(prepared.get().set.decide(json));
        } catch (CedarException e) {
            if (e.reason() != Reason.CLOSED && e.reason() != Reason.UNAVAILABLE) {
                throw e;
            }
            // The engine was replaced, or another set came into force meanwhile.
            release(snapshot);
            return prepared(snapshot, use()).map(again -> again.set.decide(json));
        }
    }

    private Optional<Prepared> prepared(Snapshot snapshot, PreparedUse use) {
        Optional<Prepared> known = known(snapshot);
        if (known.isPresent() || !cedar.isPresent()) {
            return cedar.isPresent() ? known : Optional.empty();
        }
        // The set of a snapshot has been validated already.
        PreparedPolicySet made =
                cedar.call(engine -> engine.prepare(snapshot.source().withoutValidation(), use));
        Prepared fresh = new Prepared(snapshot, made);
        List<Prepared> gone;
        synchronized (sets) {
            sets.add(0, fresh);
            int most = candidates ? 1 : MOST_SETS;
            gone = List.copyOf(sets.subList(Math.min(most, sets.size()), sets.size()));
            sets.removeAll(gone);
        }
        gone.forEach(each -> each.set.close());
        return Optional.of(fresh);
    }

    private Optional<Prepared> known(Snapshot snapshot) {
        synchronized (sets) {
            for (Prepared each : sets) {
                if (each.isOf(snapshot)) {
                    sets.remove(each);
                    sets.add(0, each);
                    return Optional.of(each);
                }
            }
        }
        return Optional.empty();
    }

    /** Lets go of a candidate: nothing more is asked about it. */
    public void release(Snapshot snapshot) {
        forget(each -> each.isOf(snapshot));
    }

    private void forget(Predicate<Prepared> which) {
        List<Prepared> gone;
        synchronized (sets) {
            gone = sets.stream().filter(which).toList();
            sets.removeAll(gone);
        }
        gone.forEach(each -> each.set.close());
    }

    private <T> Optional<T> on(ThreadPoolExecutor pool, Callable<Optional<T>> work, long millis) {
        int before = pool.getQueue().size();
        Future<Optional<T>> answer;
        try {
            answer = pool.submit(work);
        } catch (RejectedExecutionException e) {
            throw new CedarException(
                    Reason.BUSY, "Too many policy requests wait for the native Cedar engine.");
        }
        try {
            return answer.get(millis, TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            answer.cancel(false);
            throw new CedarException(
                    Reason.TIMED_OUT,
                    "Waiting for the native engine, "
                            + millis
                            + " ms, which is the limit of a policy request; "
                            + before
                            + " others were waiting before it.");
        } catch (InterruptedException e) {
            answer.cancel(false);
            Thread.currentThread().interrupt();
            throw new CedarException(
                    Reason.INTERRUPTED, "The wait for the native Cedar engine was interrupted.");
        } catch (ExecutionException e) {
            return failed(e.getCause());
        }
    }

    /** Absence is no failure: the engine may have gone between two calls. */
    private <T> Optional<T> failed(Throwable cause) {
        if (cause instanceof CedarException e) {
            if (e.reason() == Reason.UNAVAILABLE || e.reason() == Reason.CLOSED) {
                return Optional.empty();
            }
            throw new CedarException(e.reason(), e.getMessage());
        }
        if (cause instanceof PalyraException && !cedar.isPresent()) {
            return Optional.empty();
        }
        throw new CedarException(
                Reason.FAILED,
                "The native Cedar engine could not be asked ("
                        + cause.getClass().getSimpleName()
                        + ").");
    }

    /** Closes every set and ends the threads; later policy requests are refused. */
    @Override
    public void close() {
        preparer.shutdown();
        thread.shutdown();
        try {
            if (!preparer.awaitTermination(DEADLINE_MILLIS, TimeUnit.MILLISECONDS)
                    || !thread.awaitTermination(DEADLINE_MILLIS, TimeUnit.MILLISECONDS)) {
                preparer.shutdownNow();
                thread.shutdownNow();
            }
        } catch (InterruptedException e) {
            preparer.shutdownNow();
            thread.shutdownNow();
            Thread.currentThread().interrupt();
        }
        forget(each -> true);
    }
}
