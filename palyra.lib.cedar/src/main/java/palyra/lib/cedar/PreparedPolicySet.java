package palyra.lib.cedar;

import org.osgi.annotation.versioning.ProviderType;

/**
 * A policy set inside the engine. Stays until it is closed; one that was forgotten is freed when
 * the garbage collector finds it. Safe for use by several threads.
 */
@ProviderType
public interface PreparedPolicySet extends AutoCloseable {
    /**
     * Decides one request.
     *
     * <p>The request is a JSON object: {@code principal}, {@code action}, {@code resource} (each
     * {@code {"type": …, "id": …}}), {@code context} (an object; absent means empty), {@code
     * entities} (an array in Cedar's format; absent means none) and {@code validateRequest}
     * (whether the request must fit the schema; absent means no; needs a schema). Nothing else.
     *
     * <p>In a set with a schema, context and entities are read by it: values of another type are
     * refused, validated or not, and the hierarchy of actions is known.
     *
     * <p>Refused before native code sees it: malformed JSON, members that occur twice, fractions,
     * {@code null}, integers beyond 64 bits, nesting beyond 64, escapes ({@code __entity}, {@code
     * __extn}) that are not exactly of Cedar's form. Well-formed escapes are part of the format:
     * who builds a request from foreign maps must refuse them there.
     *
     * @throws CedarException when there is no decision, which must be taken as a denial
     */
    CedarDecision decide(String requestJson);

    /** Frees it. Further decisions are refused; calling it again does nothing. Does not wait. */
    @Override
    void close();
}
