package palyra.skills.internal.ledger;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import palyra.api.core.journal.Document;
import palyra.api.core.journal.Journal;
import palyra.shared.gate.Gate;

/**
 * The documents of the ledger as they were read in one go, not checked.
 *
 * @param documents by key, the index among them
 */
record StoredLedger(SortedMap<String, Document> documents) {
    private static final int PAGE = 500;

    /** Reads all; a change may come between two pages. */
    static StoredLedger read(Gate<Journal> journal) {
        SortedMap<String, Document> all = new TreeMap<>();
        List<Document> page;
        String after = "";
        do {
            String from = after;
            page = journal.call(j -> j.documents(SkillRegistry.COLLECTION, from, PAGE));
            page.forEach(document -> all.put(document.key(), document));
            after = page.isEmpty() ? "" : page.get(page.size() - 1).key();
        } while (page.size() == PAGE);
        return new StoredLedger(all);
    }

    Optional<Document> index() {
        return Optional.ofNullable(documents.get(SkillRegistry.INDEX));
    }

    /** Returns the version of the index, which every change raises; 0 without an index. */
    long version() {
        return index().map(Document::version).orElse(0L);
    }

    /** Returns the contents by key. */
    Map<String, byte[]> contents() {
        Map<String, byte[]> contents = new TreeMap<>();
        documents.forEach((key, document) -> contents.put(key, document.content()));
        return contents;
    }

    /** Returns whether exactly these contents were read. */
    boolean same(Map<String, byte[]> contents) {
        return documents.size() == contents.size()
                && documents.entrySet().stream()
                        .allMatch(
                                e ->
                                        Arrays.equals(
                                                e.getValue().content(), contents.get(e.getKey())));
    }
}
