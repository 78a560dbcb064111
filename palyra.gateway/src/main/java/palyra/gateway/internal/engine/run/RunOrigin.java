package palyra.gateway.internal.engine.run;

import java.util.Optional;
import java.util.Set;
import palyra.api.core.access.CallContext;
import palyra.api.core.access.CallFacts;
import palyra.api.core.journal.InboxRow;
import palyra.api.core.journal.Journal;
import palyra.api.run.SubmittedMessage;
import palyra.shared.gate.Gate;
import palyra.shared.run.SubmissionCodec;

/**
 * The origin of a run, read from the recorded message that started it: the same before and after a
 * crash. Read when a call is first asked about, because most runs call nothing. Used by one worker.
 */
public final class RunOrigin {
    private final RunContext run;
    private final Gate<Journal> journal;
    private CallContext known; // null until it was read

    public RunOrigin(RunContext run, Gate<Journal> journal) {
        this.run = run;
        this.journal = journal;
    }

    /**
     * Returns the circumstances; those of which nothing is known when there is no such message.
     *
     * @throws palyra.api.PalyraException JOURNAL_UNAVAILABLE after {@code absentMillis} without a
     *     journal; CORRUPT when the message cannot be read
     */
    public CallContext read(long absentMillis) {
        if (known == null) {
            known =
                    entry(absentMillis)
                            .filter(row -> row.principal().equals(run.principal()))
                            .map(RunOrigin::of)
                            .orElseGet(CallContext::unknown);
        }
        return known;
    }

    private Optional<InboxRow> entry(long absentMillis) {
        if (run.messageId().isEmpty()) {
            return Optional.empty();
        }
        try (Gate.Lease<Journal> lease = journal.lease(absentMillis)) {
            return lease.service().inbox(run.messageId());
        }
    }

    private static CallContext of(InboxRow row) {
        SubmittedMessage message = SubmissionCodec.message(row.payload());
        return new CallContext(
                message.channel(),
                message.deviceId(),
                SubmissionCodec.principalGroups(row.payload()),
                message.allowSensitiveTools(),
                false,
                Set.of(),
                CallFacts.none());
    }
}
