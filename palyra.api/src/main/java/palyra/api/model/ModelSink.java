package palyra.api.model;

import org.osgi.annotation.versioning.ProviderType;

/** Where a provider reports the events of one turn. */
@ProviderType
public interface ModelSink {
    /**
     * Takes the next event, in order, from one thread at a time. May block for a moment to hold
     * back a provider that is faster than the tape. Returns false when nobody listens any more:
     * stop and release what the call holds.
     */
    boolean accept(ModelEvent event);
}
