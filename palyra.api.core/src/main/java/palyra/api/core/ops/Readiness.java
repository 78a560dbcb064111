package palyra.api.core.ops;

import org.osgi.annotation.versioning.ProviderType;

/**
 * Marker registered, with the property {@link Ops#READY}, by the gateway once it accepts messages
 * and has resumed its runs.
 */
@ProviderType
public interface Readiness {
    /** Returns for how many milliseconds the gateway has been ready. */
    long readyForMillis();
}
