package palyra.transport.grpc.internal.call;

import io.grpc.Context;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;

/** Finds the caller of the call that the current thread serves. */
public final class Callers {
    /** Where authentication puts the caller. */
    public static final Context.Key<Caller> KEY = Context.key("palyra-caller");

    private Callers() {}

    /**
     * Returns the caller. Threads that a call starts see it when they run in the call's {@link
     * Context}.
     *
     * @throws PalyraException UNAUTHENTICATED when the call is not authenticated
     */
    public static Caller current() {
        Caller caller = KEY.get();
        if (caller == null) {
            throw new PalyraException(
                    ErrorCode.UNAUTHENTICATED,
                    "This call is not authenticated; send authorization: Bearer palyra_….");
        }
        return caller;
    }
}
