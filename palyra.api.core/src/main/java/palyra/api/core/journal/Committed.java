package palyra.api.core.journal;

import java.util.List;
import palyra.api.Require;

/**
 * A unit that is durable.
 *
 * @param replayed whether the idempotency key had been used before, or the step taken: then nothing
 *     happened now, {@code result} is that of the first time (empty for a step), and {@code
 *     appended}, which is not kept, is empty
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
