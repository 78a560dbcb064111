package palyra.models.internal.http;

import palyra.api.ErrorCode;
import palyra.api.model.FailureCause;
import palyra.api.model.ModelEvent;

/** Failure of a turn, with the event for its sink. Has no stack trace. */
public final class TurnFailure extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient ModelEvent.Failed event;

    /** Creates a failure with an event. */
    public TurnFailure(ModelEvent.Failed event) {
        super(event.message(), null, false, false);
        this.event = event;
    }

    /** Creates a failure without a time to wait. */
    public TurnFailure(ErrorCode code, FailureCause cause, boolean retryable, String message) {
        this(new ModelEvent.Failed(code, message, retryable, cause, 0));
    }

    /** Returns the event for the sink. */
    public ModelEvent.Failed event() {
        return event;
    }
}
