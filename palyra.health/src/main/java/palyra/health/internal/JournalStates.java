package palyra.health.internal;

import java.util.Optional;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.journal.Journal;
import palyra.api.core.journal.JournalStatus;
import palyra.shared.gate.Gate;

/** Reads the status of the journal through its gate. Thread-safe. */
final class JournalStates {
    private final Gate<Journal> gate = new Gate<>("the journal", ErrorCode.JOURNAL_UNAVAILABLE, 0);

    Gate<Journal> gate() {
        return gate;
    }

    /** Returns the status; empty while the journal is not available. */
    Optional<JournalStatus> status() {
        try {
            return Optional.of(gate.call(Journal::status));
        } catch (PalyraException e) {
            return Optional.empty();
        }
    }
}
