package palyra.journal.internal;

/**
 * A payload that is ready to be referred to.
 *
 * @param file name of its file, which is durable and pinned; empty when it goes into the row
 */
@SuppressWarnings("ArrayRecordComponent") // bytes on their way into the store
record PreparedPayload(byte[] bytes, byte[] salt, byte[] commitment, String file) {}
