package palyra.vault.internal.known;

import palyra.api.core.vault.SecretRef;

/**
 * The fingerprints of one form of one value.
 *
 * @param length in characters
 * @param head fingerprint of its first {@link Forms#HEAD} characters
 * @param whole fingerprint of all of them
 * @param steps fingerprints of its beginnings of every {@link #STEP} characters
 * @param beginnings fingerprints of its shorter beginnings, by their length
 * @param mac truncated MAC of all of them, which settles what fingerprints suggest
 */
@SuppressWarnings("ArrayRecordComponent") // never compared as a whole
record Form(
        SecretRef ref,
        int length,
        long head,
        long whole,
        long[] steps,
        long[] beginnings,
        byte[] mac) {
    /** After how many characters there is a fingerprint of the beginning. */
    static final int STEP = 16;
}
