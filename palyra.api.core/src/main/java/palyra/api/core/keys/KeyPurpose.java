package palyra.api.core.keys;

/** What a key is for. A key is never used for two purposes. */
public enum KeyPurpose {
    /** Signs heads of tapes. */
    TAPE_HEAD,
    /** Signs attestations of tool calls. */
    ATTESTATION,
    /** Authenticates digests of API tokens and other stored secrets that only need comparing. */
    TOKEN_DIGEST,
    /** Wraps data keys. */
    DATA_KEY
}
