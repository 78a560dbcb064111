package palyra.api.core.journal;

import java.util.List;
import palyra.api.Require;

/**
 * A unit that is durable.
 *
 * @param replayed whether the idempotency key had been used before: then nothing happened now, and
 *     {@code result} and {@code appended} are those of the first time ({@code appended} without
 *     hashes is not kept: it is empty)
 * @param result the stored answer; not copied
 * @param appended where each {@link Operation.Append} went, in order
 */
@SuppressWarnings("ArrayRecordComponent") // bytes as stored
public record Committed(boolean replayed, byte[] result, List<Position> appended) {
    /**
     * Where a record went.
     *
     * @param streamId its stream
     * @param seq its place, from 1
     * @param timeMillis the time it was given, unix milliseconds
     */
    public record Position(String streamId, long seq, long timeMillis) {}

    /** Copies. */
    public Committed {
        result = result == null ? new byte[0] : result;
        appended = List.copyOf(Require.present(appended, "positions"));
    }
}
