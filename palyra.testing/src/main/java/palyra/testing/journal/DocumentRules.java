package palyra.testing.journal;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import palyra.api.ErrorCode;
import palyra.api.core.journal.Document;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.Precondition;

/** Documents. */
interface DocumentRules extends Rules {
    private static Operation put(String key, String content) {
        return new Operation.PutDocument("agent", key, Rules.json(content));
    }

    @Test
    default void documentCountsItsChanges() {
        commit(put("main", "one"));
        clock().advance(4);
        commit(put("main", "two"));
        Document found = journal().document("agent", "main").orElseThrow();
        assertEquals(2, found.version());
        assertArrayEquals(Rules.json("two"), found.content());
        assertEquals(clock().millis(), found.updatedAtMillis());
        commit(new Operation.DeleteDocument("agent", "main"));
        commit(new Operation.DeleteDocument("agent", "main"));
        assertTrue(journal().document("agent", "main").isEmpty());
    }

    @Test
    default void documentIsReplacedOnlyAtTheVersionSeen() {
        commit(new Precondition.DocumentAt("agent", "main", 0), put("main", "one"));
        Rules.refused(
                ErrorCode.CONFLICT,
                () -> commit(new Precondition.DocumentAt("agent", "main", 0), put("main", "x")));
        commit(new Precondition.DocumentAt("agent", "main", 1), put("main", "two"));
        assertEquals(2, journal().document("agent", "main").orElseThrow().version());
    }

    @Test
    default void documentsArePagedInTheOrderOfTheirKeys() {
        commit(put("b", "x"), put("a", "x"), put("c", "x"));
        commit(new Operation.PutDocument("other", "a", Rules.json("x")));
        assertEquals(List.of("a", "b"), keysOf(journal().documents("agent", "", 2)));
        assertEquals(List.of("c"), keysOf(journal().documents("agent", "b", 2)));
    }

    private static List<String> keysOf(List<Document> documents) {
        return documents.stream().map(Document::key).toList();
    }
}
