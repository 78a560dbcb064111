package palyra.api.model;

import org.osgi.annotation.versioning.ConsumerType;

/**
 * A source of model turns. Register it as a service with the property {@link #ID_PROPERTY}.
 *
 * <p>When two services carry one id, the higher {@code service.ranking} wins, then the lower {@code
 * service.id}. A provider keeps no state that a run depends on: it may be withdrawn at any moment,
 * its running turns count as failed, and the engine starts them again.
 */
@ConsumerType
public interface ModelProvider {
    /**
     * Service property, a String: the provider's name in model profiles, such as {@code
     * deterministic}. Required.
     */
    String ID_PROPERTY = "palyra.model.provider.id";

    /**
     * Starts a turn and returns at once; the events go to {@code sink} on a thread of the provider,
     * which the provider stops in its deactivation after reporting {@link ModelEvent.Failed} for
     * every turn still running.
     *
     * @throws palyra.api.PalyraException when the turn cannot start; the sink is then never called
     */
    void start(ModelRequest request, ModelSink sink);

    /**
     * Stops the turn started with this request id, if it still runs: its sink gets {@link
     * ModelEvent.Failed} with {@link palyra.api.ErrorCode#CANCELLED} soon. Unknown ids are ignored.
     * Never blocks.
     */
    void cancel(String requestId);

    /**
     * Returns whether a model sees images: those of tools' outputs are handed to it then. Never
     * blocks.
     *
     * @param model name of the model within the provider; empty means the provider's default
     */
    default boolean sees(String model) {
        return false;
    }

    /**
     * Returns when the provider gives up a running turn whose model sends no data, as unix time in
     * milliseconds; 0 when it has no such limit or does not know the turn. Shown to users while
     * they wait. Never blocks.
     */
    default long silenceEndsAtMillis(String requestId) {
        return 0;
    }
}
