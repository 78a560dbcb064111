package palyra.policy.internal.set;

import java.nio.charset.StandardCharsets;
import java.util.List;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.journal.Journal;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.Unit;
import palyra.api.tape.TapeRecord;
import palyra.testing.journal.MemoryJournal;

/** A journal in memory whose events tests read and write as text. Thread-safe. */
final class FakeJournal {
    private final MemoryJournal service = new MemoryJournal();

    Journal service() {
        return service;
    }

    /** While {@code on}, units are applied and their answers get lost. */
    void loseAnswers(boolean on) {
        service.afterUnit(
                (unit, committed) -> {
                    if (on) {
                        throw new PalyraException(ErrorCode.JOURNAL_UNAVAILABLE, "going");
                    }
                });
    }

    /** Returns payloads of that type, oldest first. */
    List<String> events(String type) {
        return service.records(TapeRecord.JOURNAL_STREAM).stream()
                .filter(record -> record.type().equals(type))
                .map(record -> new String(record.payload(), StandardCharsets.UTF_8))
                .toList();
    }

    void add(String type, String payload) {
        service.commit(
                Unit.of(
                        new Operation.Append(
                                TapeRecord.JOURNAL_STREAM,
                                type,
                                1,
                                payload.getBytes(StandardCharsets.UTF_8))));
    }
}
