package palyra.sandbox.internal.egress;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import palyra.api.tape.TapeRecord;
import palyra.testing.journal.MemoryJournal;
import palyra.testing.wait.Await;

/** A journal in memory and what it has about connections. */
final class ConnectionJournal {
    final MemoryJournal store = new MemoryJournal();

    List<JsonNode> of(String type) {
        return store.events(type);
    }

    List<JsonNode> denials() {
        return of(ConnectionRecord.CONNECT).stream()
                .filter(event -> event.path("verdict").asText().equals(ConnectionRecord.DENY))
                .toList();
    }

    /** Returns the payloads of all records as text. */
    String text() {
        return store.records(TapeRecord.JOURNAL_STREAM).stream()
                .map(record -> new String(record.payload(), StandardCharsets.UTF_8))
                .toList()
                .toString();
    }

    /** Waits until so many connections are recorded as over, and returns them. */
    List<JsonNode> closed(int count) {
        Await.until(
                count + " closed connections",
                Duration.ofSeconds(30),
                () -> of(ConnectionRecord.CLOSED).size() >= count);
        return of(ConnectionRecord.CLOSED);
    }

    List<JsonNode> denied(int count) {
        Await.until(count + " denials", Duration.ofSeconds(30), () -> denials().size() >= count);
        return denials();
    }
}
