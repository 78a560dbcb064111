package palyra.sandbox.internal.egress;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.List;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.journal.Journal;
import palyra.api.tape.TapeRecord;
import palyra.shared.json.StrictJson;
import palyra.testing.journal.MemoryJournal;
import palyra.testing.wait.Await;

/** A journal in memory whose connection events tests read; it fails on purpose. */
final class FakeJournal {
    /** An event. */
    record Event(String type, JsonNode payload) {
        String text(String field) {
            return payload.path(field).asText();
        }
    }

    private static final Duration LONG = Duration.ofSeconds(30);

    volatile boolean full;
    volatile Error once; // thrown by the next commit; null when it works
    private final MemoryJournal service = new MemoryJournal();

    FakeJournal() {
        service.beforeUnit(unit -> fail());
    }

    private void fail() {
        Error thrown = once;
        once = null;
        if (thrown != null) {
            throw thrown;
        }
        if (full) {
            throw new PalyraException(ErrorCode.DISK_FULL, "The disk is full.");
        }
    }

    Journal service() {
        return service;
    }

    List<Event> events() {
        return service.records(TapeRecord.JOURNAL_STREAM).stream()
                .map(
                        record ->
                                new Event(
                                        record.type(),
                                        StrictJson.parse(record.payload(), "an event")))
                .toList();
    }

    List<Event> of(String type) {
        return events().stream().filter(event -> event.type().equals(type)).toList();
    }

    List<Event> denials() {
        return of(Entry.CONNECT).stream()
                .filter(event -> event.text("verdict").equals(Entry.DENY))
                .toList();
    }

    /** Waits until so many connections are recorded as over, and returns them. */
    List<Event> closed(int count) {
        Await.until(count + " closed connections", LONG, () -> of(Entry.CLOSED).size() >= count);
        return of(Entry.CLOSED);
    }

    List<Event> denied(int count) {
        Await.until(count + " denials", LONG, () -> denials().size() >= count);
        return denials();
    }
}
