package palyra.gateway.internal.seam;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import palyra.api.ErrorCode;
import palyra.api.model.FailureCause;
import palyra.api.model.ModelEvent;
import palyra.api.model.ModelProvider;
import palyra.api.model.ModelRequest;
import palyra.api.model.ModelSink;
import palyra.gateway.internal.fold.TurnAttempts;
import palyra.shared.gate.Gate;

/**
 * The seam to model providers. When a provider leaves, each of its running turns fails and may be
 * requested again from its successor. Thread-safe.
 */
public final class ModelProviders {
    /** The failure of a turn whose provider was withdrawn. */
    public static final ModelEvent.Failed WITHDRAWN =
            new ModelEvent.Failed(
                    ErrorCode.MODEL_UNAVAILABLE,
                    TurnAttempts.WITHDRAWN,
                    true,
                    FailureCause.NETWORK,
                    0);

    private final Map<String, Gate<ModelProvider>> gates = new ConcurrentHashMap<>();
    private final List<RunningTurn> running = new CopyOnWriteArrayList<>();
    private final ModelWaits waits = new ModelWaits();

    /** A turn that was started. Close it when nothing more is wanted of it. */
    public final class RunningTurn implements AutoCloseable {
        private final ModelProvider provider;
        private final String requestId;
        private final Consumer<ModelEvent> lost;

        private RunningTurn(ModelProvider provider, String requestId, Consumer<ModelEvent> lost) {
            this.provider = provider;
            this.requestId = requestId;
            this.lost = lost;
        }

        /**
         * Returns when the provider gives the turn up if its model stays silent, as unix time in
         * milliseconds; 0 when it does not say.
         */
        public long silenceEndsAtMillis() {
            try {
                return provider.silenceEndsAtMillis(requestId);
            } catch (RuntimeException | LinkageError e) {
                return 0; // it only informs
            }
        }

        /** Asks the provider to stop. */
        public void cancel() {
            provider.cancel(requestId);
        }

        @Override
        public void close() {
            running.remove(this);
        }
    }

    /** Returns the runs that wait for a provider. */
    public ModelWaits waits() {
        return waits;
    }

    /** Takes a provider into choice. */
    public void add(ModelProvider provider, Map<String, ?> properties) {
        if (properties.get(ModelProvider.ID_PROPERTY) instanceof String id) {
            gate(id).add(provider, properties);
        }
    }

    /** Takes a provider out of choice, then tells its turns. */
    public void remove(ModelProvider provider, Map<String, ?> properties) {
        if (properties.get(ModelProvider.ID_PROPERTY) instanceof String id) {
            gate(id).remove(provider);
        }
        for (RunningTurn turn : running) {
            if (turn.provider == provider) {
                turn.lost.accept(WITHDRAWN);
                turn.cancel(); // after the word above: its own would be that it was cancelled
            }
        }
    }

    private Gate<ModelProvider> gate(String id) {
        return gates.computeIfAbsent(
                id,
                key -> new Gate<>("model provider '" + key + "'", ErrorCode.MODEL_UNAVAILABLE, 0));
    }

    /** Returns the ids of the providers that are there, sorted. */
    public List<String> ids() {
        return gates.keySet().stream().filter(this::isPresent).sorted().toList();
    }

    /** Returns whether a provider of that id is there. */
    public boolean isPresent(String id) {
        return gate(id).isPresent();
    }

    /** Returns whether a model sees images; false while its provider is away. */
    public boolean sees(String id, String model) {
        try {
            return isPresent(id) && gate(id).call(provider -> provider.sees(model));
        } catch (RuntimeException | LinkageError e) {
            return false; // it left meanwhile, or does not know
        }
    }

    /**
     * Starts a turn, waiting for the provider for at most {@code waitMillis}; MODEL_UNAVAILABLE
     * when it did not come.
     */
    public RunningTurn start(String id, ModelRequest request, ModelSink sink, long waitMillis) {
        try (Gate.Lease<ModelProvider> lease = gate(id).lease(waitMillis)) {
            RunningTurn turn = new RunningTurn(lease.service(), request.requestId(), sink::accept);
            running.add(turn);
            try {
                lease.service().start(request, sink);
                return turn;
            } catch (RuntimeException | LinkageError e) {
                turn.close();
                throw e;
            }
        }
    }
}
