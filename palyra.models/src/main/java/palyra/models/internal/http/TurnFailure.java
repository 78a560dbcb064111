package palyra.models.internal.http;

import palyra.api.ErrorCode;
import palyra.api.model.FailureCause;
import palyra.api.model.ModelEvent;

/** A turn fails, and this is what its sink is told. Its stack says nothing, so it has none. */
public final class TurnFailure extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient ModelEvent.Failed event;

    /** Creates a failure that is told as it is. */
    public TurnFailure(ModelEvent.Failed event) {
        super(event.message(), null, false, false);
        this.event = event;
    }

    /** Creates a failure without a time to wait. */
    public TurnFailure(ErrorCode code, FailureCause cause, boolean retryable, String message) {
        this(new ModelEvent.Failed(code, message, retryable, cause, 0));
    }

    /** Returns what the sink is told. */
    public ModelEvent.Failed event() {
        return event;
    }
}
