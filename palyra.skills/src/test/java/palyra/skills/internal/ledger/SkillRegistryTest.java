package palyra.skills.internal.ledger;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.journal.Document;
import palyra.api.core.journal.Journal;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.Unit;
import palyra.api.core.keys.Keys;
import palyra.shared.files.DurableFiles;
import palyra.shared.gate.Gate;
import palyra.skills.internal.RefusedException;
import palyra.testing.journal.MemoryJournal;
import palyra.testing.journal.MemoryKeys;

/** Whoever changes a row without the key is found out. */
class SkillRegistryTest {
    @TempDir Path state;
    private final MemoryJournal journal = new MemoryJournal();
    private final MemoryKeys keys = new MemoryKeys();

    private SkillRegistry ledger(Keys with) {
        Gate<Journal> store = new Gate<>("journal", ErrorCode.JOURNAL_UNAVAILABLE, 0);
        store.add(journal, Map.of());
        Gate<Keys> box = new Gate<>("keys", ErrorCode.KEYS_UNAVAILABLE, 0);
        if (with != null) {
            box.add(with, Map.of());
        }
        return new SkillRegistry(store, box, state.resolve("skills/head"), new DurableFiles());
    }

    private static ObjectNode row(String text) {
        return JsonNodeFactory.instance.objectNode().put("text", text);
    }

    private SkillRegistry filled() {
        SkillRegistry registry = ledger(keys);
        registry.change(List.of(), rows -> new LedgerEdit().put("a", row("1")).put("b", row("2")));
        registry.change(List.of(), rows -> new LedgerEdit().put("c/x", row("3")));
        return registry;
    }

    private List<Document> rows() {
        return journal.documents(SkillRegistry.COLLECTION, "", 100);
    }

    /** Replaces a row's content, as another program would that writes into the database. */
    private void forge(String key, String content) {
        forge(key, content.getBytes(StandardCharsets.UTF_8));
    }

    private void forge(String key, byte[] content) {
        journal.commit(Unit.of(new Operation.PutDocument(SkillRegistry.COLLECTION, key, content)));
    }

    private void delete(String key) {
        journal.commit(Unit.of(new Operation.DeleteDocument(SkillRegistry.COLLECTION, key)));
    }

    private void clear() {
        rows().forEach(row -> delete(row.key()));
    }

    private void tampered() {
        for (SkillRegistry each : List.of(ledger(keys))) {
            RefusedException e = assertThrows(RefusedException.class, each::read);
            assertEquals("trust_store_tampered", e.reason());
            assertThrows(
                    RefusedException.class,
                    () -> each.change(List.of(), rows -> new LedgerEdit().put("z", row("1"))));
        }
    }

    @Test
    void keepsRowsOverRestartsAndCountsChanges() {
        filled();
        LedgerRows rows = ledger(keys).read();
        assertEquals(2, rows.serial());
        assertEquals(List.of("a", "b", "c/x"), List.copyOf(rows.rows().keySet()));
        assertEquals("3", rows.below("c/").get("x").path("text").asText());
        ledger(keys).change(List.of(), r -> new LedgerEdit().delete("a"));
        assertEquals(2, ledger(keys).read().rows().size());
        assertEquals(3, ledger(keys).change(List.of(), r -> new LedgerEdit()).serial());
    }

    @Test
    void aChangedRowIsFoundOutEvenByALedgerThatKnewTheOldOne() {
        SkillRegistry before = filled();
        before.read();
        forge("b", "{\"text\":\"9\"}");
        assertEquals(
                "trust_store_tampered",
                assertThrows(RefusedException.class, before::read).reason());
        tampered();
    }

    @Test
    void anAddedRowIsFoundOut() {
        filled();
        forge("revoked/x", "{}");
        tampered();
    }

    @Test
    void aRowThatIsGoneIsFoundOut() {
        filled();
        delete("b");
        tampered();
    }

    @Test
    void anIndexThatIsGoneIsFoundOutAlsoWithAllRows() {
        filled();
        delete("index");
        tampered();
        clear();
        tampered();
    }

    @Test
    void anIndexOfAnotherKeyIsFoundOut() {
        filled();
        assertThrows(RefusedException.class, () -> ledger(new MemoryKeys()).read());
        forge("index", "{\"serial\":3,\"rows\":{},\"mac\":\"00\"}");
        tampered();
        forge("index", "no json");
        tampered();
    }

    @Test
    void settingEverythingBackToAnOlderStateIsFoundOut() {
        SkillRegistry registry = filled();
        List<Document> old = rows();
        registry.change(List.of(), rows -> new LedgerEdit().put("revoked/key", row("4")));
        clear();
        old.forEach(row -> forge(row.key(), row.content()));
        tampered();
    }

    @Test
    void aHeadThatIsGoneOrForgedIsFoundOut() throws Exception {
        filled();
        Path head = state.resolve("skills/head");
        String right = Files.readString(head);
        Files.writeString(head, "1 " + right.split(" ")[1]);
        tampered();
        Files.writeString(head, "x".repeat(1000));
        tampered();
        Files.delete(head);
        tampered();
        Files.writeString(head, right);
        assertEquals(2, ledger(keys).read().serial());
    }

    @Test
    void withoutKeysOrJournalNothingIsRead() {
        filled();
        assertEquals(
                ErrorCode.KEYS_UNAVAILABLE,
                assertThrows(PalyraException.class, () -> ledger(null).read()).code());
        journal.beforeRead(
                () -> {
                    throw new PalyraException(
                            ErrorCode.JOURNAL_UNAVAILABLE, "The test refuses every read.");
                });
        assertEquals(
                ErrorCode.JOURNAL_UNAVAILABLE,
                assertThrows(PalyraException.class, () -> ledger(keys).read()).code());
    }

    @Test
    void resetBeginsAnewAndNothingOldComesBack() {
        SkillRegistry registry = filled();
        List<Document> old = rows();
        forge("b", "{}");
        tampered();
        ledger(keys).reset(List.of(), new LedgerEdit().event("told", row("x")));
        assertEquals(0, ledger(keys).read().rows().size());
        assertEquals(1, journal.events("told").size());
        clear();
        old.forEach(row -> forge(row.key(), row.content()));
        tampered();
    }

    @Test
    void whoeverIsLateLooksAgainAndNoChangeIsLost() throws Exception {
        SkillRegistry shared = ledger(keys);
        FutureTask<Integer> other = new FutureTask<>(() -> thirty(shared, "two/"));
        Thread thread = new Thread(other);
        thread.start();
        assertEquals(30, thirty(shared, "one/"));
        assertEquals(30, other.get(30, TimeUnit.SECONDS));
        assertEquals(60, ledger(keys).read().rows().size());
    }

    private static int thirty(SkillRegistry registry, String below) {
        int done = 0;
        for (int i = 0; i < 30; i++) {
            String key = below + i;
            registry.change(List.of(), rows -> new LedgerEdit().put(key, row("x")));
            done++;
        }
        return done;
    }
}
