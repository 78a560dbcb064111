package palyra.transport.grpc.internal.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import org.junit.jupiter.api.function.Executable;

/** What a call must be refused with. */
final class Refusals {
    private Refusals() {}

    /** Fails unless the call is refused with this code. */
    static Status assertRefused(Status.Code code, Executable call) {
        Status status = assertThrows(StatusRuntimeException.class, call).getStatus();
        assertEquals(code, status.getCode(), status.getDescription());
        return status;
    }

    /** Fails unless the call is refused as INVALID_ARGUMENT in a sentence that holds this. */
    static void assertInvalid(String names, Executable call) {
        String description = assertRefused(Status.Code.INVALID_ARGUMENT, call).getDescription();
        assertTrue(description.contains(names), names + " in: " + description);
    }
}
