package palyra.sandbox.internal.canary;

import java.nio.charset.StandardCharsets;
import java.util.List;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.journal.Journal;
import palyra.api.tape.TapeRecord;
import palyra.testing.journal.MemoryJournal;

/** A journal in memory whose events tests read as text; it can be stopped. Thread-safe. */
public final class FakeJournal {
    public volatile boolean stopped;
    private final MemoryJournal service = new MemoryJournal();

    public FakeJournal() {
        service.beforeUnit(
                unit -> {
                    if (stopped) {
                        throw new PalyraException(
                                ErrorCode.JOURNAL_UNAVAILABLE, "The journal has stopped.");
                    }
                });
    }

    /** Returns the service. */
    public Journal service() {
        return service;
    }

    /** Returns payloads of that type, oldest first. */
    public List<String> events(String type) {
        return service.records(TapeRecord.JOURNAL_STREAM).stream()
                .filter(record -> record.type().equals(type))
                .map(record -> new String(record.payload(), StandardCharsets.UTF_8))
                .toList();
    }
}
