package palyra.api.core.ops;

import org.osgi.annotation.versioning.ConsumerType;

/**
 * Marker registered, with {@link Ops#ENDPOINT_URI} and {@link Ops#ENDPOINT_NAME}, by the bundle
 * that listens somewhere.
 */
@ConsumerType
public interface Endpoint {}
