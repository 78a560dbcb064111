package palyra.journal.internal.write;

import java.security.SecureRandom;
import palyra.journal.internal.table.CutPayload;
import palyra.shared.tape.TapeHash;

/**
 * A payload that is ready to be referred to.
 *
 * @param cut what goes into the row, and long texts that are kept once
 * @param file name of its file, which is durable and pinned; empty when it goes into the row
 */
@SuppressWarnings("ArrayRecordComponent") // bytes on their way into the store
public record PreparedPayload(
        byte[] bytes, byte[] salt, byte[] commitment, CutPayload cut, String file) {
    /** Salts and commits to a payload. */
    public static PreparedPayload of(byte[] bytes, SecureRandom random, String file) {
        CutPayload cut = file.isEmpty() ? CutPayload.of(bytes) : CutPayload.whole(bytes);
        byte[] salt = new byte[TapeHash.LENGTH];
        random.nextBytes(salt);
        return new PreparedPayload(bytes, salt, TapeHash.commitment(salt, bytes), cut, file);
    }
}
