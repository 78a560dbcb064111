package palyra.api.core.journal;

import java.util.ArrayList;
import java.util.List;
import palyra.api.Require;

/**
 * How far the sending of an answer is.
 *
 * @param part index of the part that is sent, or is to be sent next; from 0
 * @param attempts how often a send of that part was begun, without those that the platform put off
 * @param nextAttemptAtMillis unix time in milliseconds before which no send begins; 0 for at once
 * @param reason why the last send failed, or why it is not sent; empty otherwise; at most 1,024
 *     characters
 * @param sentIds the platform's ids of the parts that it has, in order; at most 64
 * @param owner who began the last send; empty for none
 * @param epoch epoch of the lease under which it did
 */
public record OutboxProgress(
        int part,
        int attempts,
        long nextAttemptAtMillis,
        String reason,
        List<String> sentIds,
        String owner,
        long epoch) {
    /** Nothing was begun. */
    public static final OutboxProgress NONE = new OutboxProgress(0, 0, 0, "", List.of(), "", 0);

    /** Most parts of an answer. */
    public static final int MOST_PARTS = 64;

    /** Checks and copies. */
    public OutboxProgress {
        Require.that(
                part >= 0 && part < MOST_PARTS,
                "an answer has the parts 0 to " + (MOST_PARTS - 1) + ", not " + part);
        reason = Require.atMost(Require.orEmpty(reason), 1_024, "reason");
        sentIds = List.copyOf(sentIds);
        Require.that(
                sentIds.size() <= MOST_PARTS,
                "an answer has at most " + MOST_PARTS + " ids of parts, not " + sentIds.size());
        owner = Require.orEmpty(owner);
    }

    /** Returns the same with other attempts. */
    public OutboxProgress withAttempts(int count) {
        return new OutboxProgress(part, count, nextAttemptAtMillis, reason, sentIds, owner, epoch);
    }

    /** Returns the same, to be tried again at a time. */
    public OutboxProgress retryAt(long millis, String why) {
        return new OutboxProgress(part, attempts, millis, why, sentIds, owner, epoch);
    }

    /** Returns the next part, after the platform took one under an id. */
    public OutboxProgress sent(String id) {
        List<String> ids = new ArrayList<>(sentIds);
        ids.add(id);
        return new OutboxProgress(Math.min(part + 1, MOST_PARTS - 1), 0, 0, "", ids, owner, epoch);
    }

    /** Returns the same, begun by a holder of a lease. */
    public OutboxProgress begunBy(String who, long under) {
        return new OutboxProgress(part, attempts, 0, "", sentIds, who, under);
    }
}
