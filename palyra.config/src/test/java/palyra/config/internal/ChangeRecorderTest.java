package palyra.config.internal;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.journal.Document;
import palyra.api.core.journal.Journal;
import palyra.api.tape.TapeRecord;
import palyra.shared.gate.Gate;
import palyra.testing.journal.MemoryJournal;

class ChangeRecorderTest {
    private final MemoryJournal store = new MemoryJournal();
    private final Gate<Journal> gate = new Gate<>("the journal", ErrorCode.JOURNAL_UNAVAILABLE, 0);
    private final ChangeRecorder recorder = new ChangeRecorder(gate);

    private static Change change(String pid, String sha256, String... keys) {
        Target target = new Target(pid, "");
        return new Change(
                new Source.Id(Layer.OPERATOR, target.fileName()),
                target,
                sha256,
                new TreeSet<>(Set.of(keys)));
    }

    private void arrive() {
        gate.add(store, Map.of());
    }

    private List<String> events() {
        return store.records(TapeRecord.JOURNAL_STREAM).stream()
                .map(event -> event.type() + " " + new String(event.payload(), UTF_8))
                .toList();
    }

    private void failOnce(ErrorCode code) {
        store.beforeUnit(
                unit -> {
                    store.acceptUnits();
                    throw new PalyraException(code, "The test refuses one unit.");
                });
    }

    /** Advances until nothing waits. */
    private void drain(ChangeRecorder which) {
        Deadline.within(
                Duration.ofSeconds(20),
                () -> {
                    which.advance();
                    return which.waiting() == 0;
                },
                "changes still wait");
    }

    @Test
    void waitsWhileTheJournalIsAwayAndThenRecordsInOrder() {
        recorder.known(Set.of());
        recorder.add(change("b", "11", "x"));
        recorder.add(change("a", "22", "y", "z"));
        recorder.add(change("b", "33", "x"));
        recorder.advance();
        assertEquals(3, recorder.waiting());
        arrive();
        drain(recorder);
        assertEquals(
                List.of(
                        "configuration_changed {\"file\":\"b.json\",\"keys\":[\"x\"],"
                                + "\"layer\":\"operator\",\"pid\":\"b\",\"principal\":\"local-files\","
                                + "\"removed\":false,\"sha256\":\"11\"}",
                        "configuration_changed {\"file\":\"a.json\",\"keys\":[\"y\",\"z\"],"
                                + "\"layer\":\"operator\",\"pid\":\"a\",\"principal\":\"local-files\","
                                + "\"removed\":false,\"sha256\":\"22\"}",
                        "configuration_changed {\"file\":\"b.json\",\"keys\":[\"x\"],"
                                + "\"layer\":\"operator\",\"pid\":\"b\",\"principal\":\"local-files\","
                                + "\"removed\":false,\"sha256\":\"33\"}"),
                events());
    }

    @Test
    void doesNotRecordAgainWhatDidNotChangeWhileTheGatewayWasDown() {
        arrive();
        recorder.add(change("a", "11", "x"));
        recorder.add(change("b", "22", "x"));
        drain(recorder);
        ChangeRecorder next = new ChangeRecorder(gate);
        next.add(change("a", "11", "x"));
        next.add(change("b", "99", "x"));
        drain(next);
        assertEquals(3, events().size());
        assertTrue(events().get(2).contains("\"sha256\":\"99\""));
    }

    @Test
    void recordsTheRemovalOfAFileWhileTheGatewayWasDown() {
        arrive();
        recorder.add(change("a", "11", "x"));
        recorder.add(change("b", "22", "x"));
        drain(recorder);
        ChangeRecorder next = new ChangeRecorder(gate);
        next.advance();
        assertEquals(2, events().size(), "not before the files are known");
        next.known(Set.of(change("b", "22").source()));
        next.advance();
        drain(next);
        assertEquals(3, events().size());
        assertTrue(events().get(2).contains("\"pid\":\"a\""), events().get(2));
        assertTrue(events().get(2).contains("\"removed\":true"));
        List<Document> left = store.documents(ChangeRecord.COLLECTION, "", 10);
        assertEquals(List.of("operator/b.json"), left.stream().map(Document::key).toList());
    }

    @Test
    void triesAgainAfterAFailureAndRecordsOnce() {
        arrive();
        failOnce(ErrorCode.DISK_FULL);
        recorder.add(change("a", "11", "x"));
        drain(recorder);
        assertEquals(1, events().size());
    }

    @Test
    void aRefusalForGoodDoesNotHoldUpTheRest() {
        arrive();
        failOnce(ErrorCode.INVALID_ARGUMENT);
        recorder.add(change("a", "11", "x"));
        recorder.add(change("b", "22", "x"));
        drain(recorder);
        assertEquals(1, events().size());
        assertTrue(events().get(0).contains("\"pid\":\"b\""));
    }

    @Test
    void doesNotBlockWhileTheAnswerIsOut() {
        arrive();
        store.holdAnswers(true);
        recorder.add(change("a", "11", "x"));
        recorder.add(change("b", "22", "x"));
        recorder.advance();
        recorder.advance();
        assertEquals(2, recorder.waiting());
        assertEquals(1, events().size());
    }

    @Test
    void countsWhatItCouldNotKeep() {
        for (int i = 0; i < ChangeRecorder.MAX_WAITING + 7; i++) {
            recorder.add(change("p" + i, "11", "x"));
        }
        assertEquals(ChangeRecorder.MAX_WAITING, recorder.waiting());
        arrive();
        drain(recorder);
        assertEquals(ChangeRecorder.MAX_WAITING + 1, events().size());
        assertTrue(
                events().stream()
                        .anyMatch(
                                e ->
                                        e.startsWith("configuration_changes_lost ")
                                                && e.contains("\"count\":7")));
    }
}
