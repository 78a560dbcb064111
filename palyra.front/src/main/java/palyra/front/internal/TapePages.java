package palyra.front.internal;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.journal.Journal;
import palyra.api.tape.TapeRecord;
import palyra.shared.gate.Gate;

/**
 * Reads pages of one run's tape, over a journal that may be replaced meanwhile: an outage is waited
 * out for a while. Used by one thread.
 */
final class TapePages {
    private static final Logger LOG = LoggerFactory.getLogger(TapePages.class);
    private static final int PAGE = 200;
    private static final long ABSENT_MILLIS = 250;

    private final Gate<Journal> journal;
    private final HintQueue mailbox;
    private final String runId;
    private final long outageMillis;

    TapePages(Gate<Journal> journal, HintQueue mailbox, String runId, long outageMillis) {
        this.journal = journal;
        this.mailbox = mailbox;
        this.runId = runId;
        this.outageMillis = outageMillis;
    }

    /**
     * Returns the next records; an empty list at the end of the tape, or when the follower was
     * closed.
     *
     * @throws PalyraException when the journal stayed away for too long, or is damaged
     */
    List<TapeRecord> after(long seq) throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(outageMillis);
        while (!mailbox.isClosed()) {
            PalyraException problem;
            try (Gate.Lease<Journal> lease = journal.lease(ABSENT_MILLIS)) {
                return lease.service().tape(runId, seq, PAGE);
            } catch (PalyraException e) {
                problem = e;
            } catch (RuntimeException e) {
                // A journal that is being stopped may fail in any way; the next one answers.
                LOG.debug("Reading the tape of {} failed.", runId, e);
                problem =
                        new PalyraException(
                                ErrorCode.JOURNAL_UNAVAILABLE,
                                "The journal failed while the run was followed.",
                                e);
            }
            if (!passes(problem.code()) || System.nanoTime() >= deadline) {
                throw problem;
            }
            mailbox.pause(ABSENT_MILLIS);
        }
        return List.of();
    }

    private static boolean passes(ErrorCode code) {
        return code.kind() == ErrorCode.Kind.UNAVAILABLE
                || code == ErrorCode.TIMED_OUT
                || code == ErrorCode.RESOURCE_EXHAUSTED;
    }
}
