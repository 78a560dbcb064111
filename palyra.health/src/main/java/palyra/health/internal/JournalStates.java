package palyra.health.internal;

import java.util.Optional;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.journal.Journal;
import palyra.api.core.journal.JournalStatus;
import palyra.shared.gate.Gate;

/** Asks the journal how it is. Thread-safe. */
final class JournalStates {
    private final Gate<Journal> gate = new Gate<>("the journal", ErrorCode.JOURNAL_UNAVAILABLE, 0);

    Gate<Journal> gate() {
        return gate;
    }

    /** Returns its status; empty when it is not there. */
    Optional<JournalStatus> status() {
        try {
            return Optional.of(gate.call(Journal::status));
        } catch (PalyraException e) {
            return Optional.empty();
        }
    }
}
