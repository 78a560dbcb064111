package palyra.journal.internal.write;

import java.sql.SQLException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.journal.Unit;
import palyra.journal.internal.database.SqliteFailure;

/** A task on its way through the writer, and its outcome. */
public final class Ticket<T> {
    private final WriterTask<T> task;
    private final Unit.Lane lane;
    private final boolean awaited;
    private final CompletableFuture<T> future = new CompletableFuture<>();
    private final AtomicBoolean taken = new AtomicBoolean();
    private T result; // the writer's, until it is handed over
    private PalyraException refusal;

    /**
     * Makes a ticket.
     *
     * @param awaited whether a caller waits in {@link #await}: then nothing else hangs on the
     *     outcome and the writer itself may wake the caller
     */
    public Ticket(WriterTask<T> task, Unit.Lane lane, boolean awaited) {
        this.task = task;
        this.lane = lane;
        this.awaited = awaited;
    }

    public WriterTask<T> task() {
        return task;
    }

    Unit.Lane lane() {
        return lane;
    }

    boolean awaited() {
        return awaited;
    }

    public CompletableFuture<T> future() {
        return future;
    }

    /** Takes the ticket for the writer; false when its caller has given up. */
    boolean take() {
        return taken.compareAndSet(false, true);
    }

    /** Applies the task; its result is kept until the group is durable. */
    void apply(WriteContext context) throws SQLException {
        result = task.apply(context);
    }

    void refuse(PalyraException reason) {
        refusal = reason;
    }

    boolean refused() {
        return refusal != null;
    }

    /** Completes the future and so runs its dependents, unless the ticket is awaited. */
    void complete() {
        if (refusal != null) {
            future.completeExceptionally(refusal);
        } else {
            future.complete(result);
        }
    }

    /** Waits for the outcome. */
    public T await(long millis) {
        try {
            return future.get(millis, TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            throw gaveUp("within " + millis + " ms");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw gaveUp("before the caller was interrupted");
        } catch (ExecutionException e) {
            throw rethrown(e.getCause());
        }
    }

    private PalyraException gaveUp(String when) {
        boolean never = take();
        return never
                ? new PalyraException(
                        ErrorCode.TIMED_OUT,
                        "The journal did not get to a change "
                                + when
                                + ": it was withdrawn and nothing happened; try again.")
                : outcomeUnknown("The journal did not confirm a change " + when, null);
    }

    /** Returns the failure for a change that may have happened. */
    static PalyraException outcomeUnknown(String what, Throwable cause) {
        return new PalyraException(
                ErrorCode.OUTCOME_UNKNOWN,
                what
                        + ": whether it happened is not known; ask again with the same idempotency"
                        + " key, or look it up.",
                cause);
    }

    /** The caller's stack is what helps; the writer's is the cause. */
    private static PalyraException rethrown(Throwable cause) {
        if (cause instanceof PalyraException known) {
            return new PalyraException(known.code(), known.getMessage(), known);
        }
        return SqliteFailure.DEFECT.exception(cause);
    }
}
