package palyra.transport.grpc.internal.service;

import io.grpc.Context;
import io.grpc.Deadline;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import palyra.shared.gate.Gate;

/** Calls services behind a gate. No call waits there past its deadline. */
public final class GateCalls {
    private static final long MOST_MILLIS = 5_000;

    private GateCalls() {}

    /** Makes one call under a lease. */
    public static <T, R> R call(Gate<T> gate, Function<T, R> call) {
        try (Gate.Lease<T> lease = gate.lease(waitMillis())) {
            return call.apply(lease.service());
        }
    }

    /** Makes one call without a result under a lease. */
    public static <T> void run(Gate<T> gate, Consumer<T> call) {
        try (Gate.Lease<T> lease = gate.lease(waitMillis())) {
            call.accept(lease.service());
        }
    }

    private static long waitMillis() {
        Deadline deadline = Context.current().getDeadline();
        return deadline == null
                ? MOST_MILLIS
                : Math.clamp(deadline.timeRemaining(TimeUnit.MILLISECONDS), 0, MOST_MILLIS);
    }
}
