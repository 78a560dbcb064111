package palyra.health.internal;

import java.util.ArrayList;
import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.ErrorCode;
import palyra.shared.gate.Gate;

/**
 * Services of many bundles, each behind its own gate, so that none is deactivated during a call.
 * Thread-safe.
 *
 * @param <S> type of the service
 */
final class SourceGates<S> {
    private static final Logger LOG = LoggerFactory.getLogger(SourceGates.class);

    private final String what;
    private final Map<S, Gate<S>> gates = new IdentityHashMap<>(); // guarded by itself

    /**
     * Creates an empty set.
     *
     * @param what name of one service in messages
     */
    SourceGates(String what) {
        this.what = what;
    }

    void add(S service, Map<String, ?> properties) {
        Gate<S> gate = new Gate<>(what, ErrorCode.INTERNAL, 0);
        gate.add(service, properties);
        synchronized (gates) {
            gates.put(service, gate);
        }
    }

    void remove(S service) {
        Gate<S> gate;
        synchronized (gates) {
            gate = gates.remove(service);
        }
        if (gate != null) {
            gate.remove(service);
        }
    }

    int size() {
        synchronized (gates) {
            return gates.size();
        }
    }

    /**
     * Returns what all services report.
     *
     * @param onFailure runs for each service that fails, for example because its bundle stops
     */
    <T> List<T> collect(Function<S, ? extends Collection<T>> report, Runnable onFailure) {
        List<Gate<S>> now;
        synchronized (gates) {
            now = List.copyOf(gates.values());
        }
        List<T> collected = new ArrayList<>();
        for (Gate<S> gate : now) {
            try (Gate.Lease<S> lease = gate.lease(0)) {
                collected.addAll(report.apply(lease.service()));
            } catch (RuntimeException | LinkageError e) {
                onFailure.run();
                LOG.debug("{} failed.", what, e);
            }
        }
        return collected;
    }
}
