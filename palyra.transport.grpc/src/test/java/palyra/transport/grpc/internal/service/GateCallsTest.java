package palyra.transport.grpc.internal.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.Context;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.shared.gate.Gate;

class GateCallsTest {
    private final Gate<String> gate =
            new Gate<>("The word", ErrorCode.GATEWAY_UNAVAILABLE, 3_600_000);

    @Test
    void callsWhatIsThere() {
        gate.add("word", Map.of());
        assertEquals(4, GateCalls.call(gate, String::length));
    }

    /** The gate itself would wait for an hour. */
    @Test
    void waitsNoLongerThanItsCallMayTake() throws Exception {
        try (ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();
                Context.CancellableContext call =
                        Context.ROOT.withDeadlineAfter(0, TimeUnit.MILLISECONDS, clock)) {
            PalyraException e =
                    assertThrows(
                            PalyraException.class,
                            () -> call.call(() -> GateCalls.call(gate, String::length)));
            assertEquals(ErrorCode.GATEWAY_UNAVAILABLE, e.code());
            assertTrue(e.getMessage().contains("waited 0 ms"), e.getMessage());
        }
    }
}
