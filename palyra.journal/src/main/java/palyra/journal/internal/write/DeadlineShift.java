package palyra.journal.internal.write;

import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.sql.SQLException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.core.journal.Operation;
import palyra.api.tape.TapeRecord;
import palyra.journal.internal.database.StoreClock;
import palyra.journal.internal.table.Tables;

/**
 * Moves deadlines when the wall clock jumped or the store was closed. What was measured keeps its
 * duration: deadlines move along. While the store was closed no time was measured: then what waits,
 * approval requests and leases, keeps its time all the same, but grants do not. Grants go on by the
 * wall clock, and end when that one is of no use because it went back.
 */
public final class DeadlineShift {
    /** Journal event: deadlines moved. */
    public static final String EVENT = "time_moved";

    private static final Logger LOG = LoggerFactory.getLogger(DeadlineShift.class);

    private DeadlineShift() {}

    /** Moves the deadlines by the jump of the group's time, and records it. */
    static void apply(WriteContext context) throws SQLException {
        StoreClock.Reading time = context.time();
        Tables tables = context.tables();
        tables.leases().move(time.jumpMillis());
        tables.approvals().move(time.jumpMillis());
        if (!time.closed()) {
            tables.grants().move(time.jumpMillis());
        } else if (time.jumpMillis() < 0) {
            tables.grants().endTimed(time.wallMillis());
        }
        byte[] payload =
                ("{\"byMillis\":" + time.jumpMillis() + ",\"closed\":" + time.closed() + "}")
                        .getBytes(StandardCharsets.UTF_8);
        new Appender(context)
                .append(
                        new Operation.Append(TapeRecord.JOURNAL_STREAM, EVENT, 1, payload),
                        PreparedPayload.of(payload, new SecureRandom(), ""));
        if (time.isJump()) {
            LOG.warn("{}", time.sentence());
        }
    }
}
