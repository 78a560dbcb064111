package palyra.api.core.vault;

import palyra.api.Require;

/**
 * What may be told of a secret without telling it.
 *
 * @param ref its name
 * @param version counts its values, from 1
 * @param bytes length of the value in bytes
 * @param createdAtMillis when its first value was put, unix time in milliseconds
 * @param updatedAtMillis when its present value was put, unix time in milliseconds
 * @param updatedBy principal that put the present value
 * @param keyVersion version of the master key that wraps it
 */
public record SecretInfo(
        SecretRef ref,
        long version,
        int bytes,
        long createdAtMillis,
        long updatedAtMillis,
        String updatedBy,
        int keyVersion) {
    /** Checks. */
    public SecretInfo {
        Require.present(ref, "secret reference");
        updatedBy = Require.orEmpty(updatedBy);
    }
}
