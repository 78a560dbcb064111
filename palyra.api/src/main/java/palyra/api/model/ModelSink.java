package palyra.api.model;

import org.osgi.annotation.versioning.ProviderType;

/** Where a provider reports the events of one turn. */
@ProviderType
public interface ModelSink {
    /**
     * Takes the next event, in order, from one thread at a time. May block for a moment to hold
     * back a provider that is faster than the tape. Returns false when the engine no longer takes
     * events: the provider then stops and releases the resources of the call.
     */
    boolean accept(ModelEvent event);
}
