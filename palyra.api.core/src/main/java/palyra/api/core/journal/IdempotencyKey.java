package palyra.api.core.journal;

import palyra.api.Require;

/**
 * Makes a unit happen once. When the scope and key were committed before with the same request
 * digest, the unit is not applied and the stored answer is returned; with another digest it is
 * refused with IDEMPOTENCY_MISMATCH.
 *
 * @param scope whose key it is, such as {@code run.start/user:alice}
 * @param key chosen by the caller, at most 256 characters
 * @param requestSha256 digest of the request, lower-case hex
 */
public record IdempotencyKey(String scope, String key, String requestSha256) {
    /** Checks. */
    public IdempotencyKey {
        Require.text(scope, "idempotency scope");
        Require.text(key, "idempotency key");
        Require.that(
                key.length() <= 256,
                "the idempotency key has " + key.length() + " characters; at most 256 are taken");
        Require.text(requestSha256, "request digest");
    }
}
