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
import palyra.api.PalyraException;
import palyra.lib.cedar.Cedar;
import palyra.lib.cedar.CedarDecision;
import palyra.lib.cedar.CedarException;
import palyra.lib.cedar.CedarException.Reason;
import palyra.lib.cedar.CedarStatus;
import palyra.lib.cedar.PreparedPolicySet;
import palyra.policy.internal.set.Snapshot;
import palyra.shared.gate.Gate;

/**
 * The native engine's word. Keeps the few sets prepared inside it that were asked about last. All
 * of its native work runs on one thread of its own, so that callers wait no longer than {@link
 * #DEADLINE_MILLIS} and may hold a lease on something else. Thread-safe.
 */
public final class SecondOpinion implements AutoCloseable {
    /** How long a caller waits for an answer, in milliseconds. */
    public static final long DEADLINE_MILLIS = 1_500;

    private static final long PREPARE_MILLIS = 60_000;
    private static final int MOST_WAITING = 256;

    /** The set in force, the last one, and one that is being checked. */
    private static final int MOST_SETS = 3;

    private final Gate<Cedar> cedar;
    private final long deadlineMillis;
    private final ThreadPoolExecutor thread;
    private final List<Prepared> sets = new ArrayList<>(); // used on the thread only; newest first

    private record Prepared(Snapshot snapshot, PreparedPolicySet set) {
        /** Snapshots are told apart by which they are, not by what is in them. */
        @SuppressWarnings("ReferenceEquality")
        boolean isOf(Snapshot asked) {
            return snapshot == asked;
        }
    }

    /** Creates it; the gate should not wait for an absent engine. */
    public SecondOpinion(Gate<Cedar> cedar) {
        this(cedar, DEADLINE_MILLIS);
    }

    SecondOpinion(Gate<Cedar> cedar, long deadlineMillis) {
        this.cedar = cedar;
        this.deadlineMillis = deadlineMillis;
        this.thread =
                new ThreadPoolExecutor(
                        1,
                        1,
                        30,
                        TimeUnit.SECONDS,
                        new ArrayBlockingQueue<>(MOST_WAITING),
                        work -> {
                            Thread made = new Thread(work, "palyra-policy-native");
                            made.setDaemon(true);
                            return made;
                        });
        thread.allowCoreThreadTimeOut(true);
    }

    /**
     * Returns the decision on the question as it is, its approval flag included.
     *
     * @return empty when there is no native engine
     * @throws palyra.lib.cedar.CedarException when there is one but it gave no decision, which is a
     *     denial
     */
    public Optional<CedarDecision> ask(Snapshot snapshot, Question question) {
        String request = question.nativeJson();
        return onThread(() -> decide(snapshot, request), deadlineMillis);
    }

    /**
     * Prepares a set before it comes into force and lets go of the others. Waits until it is done,
     * at most a minute; without a native engine it does nothing.
     *
     * @throws palyra.lib.cedar.CedarException when the engine is there and cannot
     */
    public void retain(Snapshot snapshot) {
        onThread(
                () -> {
                    try {
                        prepared(snapshot);
                    } finally {
                        close(sets.stream().filter(each -> !each.isOf(snapshot)).toList());
                    }
                    return Optional.empty();
                },
                PREPARE_MILLIS);
    }

    /** Prepares a set in the background, so that the first question about it need not wait long. */
    void prepareSoon(Snapshot snapshot) {
        try {
            thread.execute(
                    () -> {
                        try {
                            prepared(snapshot);
                        } catch (CedarException | PalyraException e) {
                            // Who asks next gets the same, and says so.
                        }
                    });
        } catch (RejectedExecutionException e) {
            // Closed, or too busy: the first question prepares it.
        }
    }

    /** Returns an empty text when the native engine is there, else why not. */
    public String absence() {
        if (!cedar.isPresent()) {
            return "The native Cedar engine is not installed or not started.";
        }
        try {
            return onThread(
                            () -> Optional.of(cedar.call(Cedar::status)).map(SecondOpinion::reason),
                            deadlineMillis)
                    .orElse("The native Cedar engine has just gone.");
        } catch (CedarException e) {
            return e.getMessage();
        }
    }

    private static String reason(CedarStatus status) {
        return status.available() ? "" : status.reason();
    }

    private Optional<CedarDecision> decide(Snapshot snapshot, String request) {
        Optional<Prepared> prepared = prepared(snapshot);
        if (prepared.isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.of(prepared.get().set.decide(request));
        } catch (CedarException e) {
            if (e.reason() != Reason.CLOSED && e.reason() != Reason.UNAVAILABLE) {
                throw e;
            }
            // The engine was replaced under it; the set has to go into the new one.
            close(List.of(prepared.get()));
            return prepared(snapshot).map(again -> again.set.decide(request));
        }
    }

    private Optional<Prepared> prepared(Snapshot snapshot) {
        for (Prepared each : sets) {
            if (each.isOf(snapshot)) {
                sets.remove(each);
                sets.add(0, each);
                return cedar.isPresent() ? Optional.of(each) : Optional.empty();
            }
        }
        if (!cedar.isPresent()) {
            return Optional.empty();
        }
        Prepared made =
                new Prepared(
                        snapshot,
                        // Whoever made the snapshot had it validated.
                        cedar.call(
                                engine ->
                                        engine.prepare(
                                                engine.compile(
                                                        snapshot.source().withoutValidation()))));
        sets.add(0, made);
        if (sets.size() > MOST_SETS) {
            close(List.copyOf(sets.subList(MOST_SETS, sets.size())));
        }
        return Optional.of(made);
    }

    private void close(List<Prepared> gone) {
        sets.removeAll(gone);
        gone.forEach(each -> each.set.close());
    }

    private <T> Optional<T> onThread(Callable<Optional<T>> work, long millis) {
        Future<Optional<T>> answer;
        try {
            answer = thread.submit(work);
        } catch (RejectedExecutionException e) {
            throw new CedarException(
                    Reason.BUSY, "Too many questions wait for the native Cedar engine.");
        }
        try {
            return answer.get(millis, TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            answer.cancel(false);
            throw new CedarException(
                    Reason.TIMED_OUT,
                    "The native Cedar engine gave no answer within " + millis + " ms.");
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

    /** Closes every set and ends the thread; later questions are refused. */
    @Override
    public void close() {
        try {
            thread.submit(() -> close(List.copyOf(sets)));
        } catch (RejectedExecutionException e) {
            // Closed before, or too busy: what is prepared is freed with this object.
        }
        thread.shutdown();
        try {
            if (!thread.awaitTermination(DEADLINE_MILLIS, TimeUnit.MILLISECONDS)) {
                thread.shutdownNow();
            }
        } catch (InterruptedException e) {
            thread.shutdownNow();
            Thread.currentThread().interrupt();
        }
    }
}
