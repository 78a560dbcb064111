package palyra.policy.internal.set;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import palyra.api.PalyraException;
import palyra.api.core.journal.Journal;
import palyra.api.core.journal.RunRow;
import palyra.api.tape.TapeRecord;
import palyra.policy.internal.TapePart;
import palyra.shared.gate.Gate;
import palyra.shared.json.Jcs;
import palyra.shared.json.StrictJson;

/** Requests that were really decided lately, as evidence; each different one once. */
final class RecentRequests {
    static final int MOST = 100;
    private static final int MOST_OF_TOOLS = 50;
    private static final int RUNS = 40;
    private static final int RECORDS_OF_A_RUN = 200;
    private static final int PAGE = 500;
    private static final int PAGES = 4;
    private static final long BUDGET_NANOS = TimeUnit.SECONDS.toNanos(2);

    private final Gate<Journal> journal;

    /**
     * @param journal need not wait for an absent one
     */
    RecentRequests(Gate<Journal> journal) {
        this.journal = journal;
    }

    /** Returns evidence, newest first within its kind; fewer or none when the journal is away. */
    Collection<String> find() {
        Set<String> found = new LinkedHashSet<>();
        long deadline = System.nanoTime() + BUDGET_NANOS;
        try {
            ofTools(found, deadline);
            ofActions(found, deadline);
        } catch (PalyraException e) {
            return found; // the requests found so far are enough: no journal, no requests
        }
        return found;
    }

    private void ofTools(Set<String> found, long deadline) {
        List<RunRow> runs = journal.call(j -> j.runs("", "", "", RUNS));
        for (RunRow run : runs) {
            if (found.size() >= MOST_OF_TOOLS || System.nanoTime() - deadline > 0) {
                return;
            }
            long from = Math.max(0, run.headSeq() - RECORDS_OF_A_RUN);
            add(
                    run.runId(),
                    from,
                    RECORDS_OF_A_RUN,
                    "tool_decision",
                    node -> Optional.of(node.path("evidenceJson").asText()),
                    MOST_OF_TOOLS,
                    found);
        }
    }

    private void ofActions(Set<String> found, long deadline) {
        long head = journal.call(j -> j.headSeq(TapeRecord.JOURNAL_STREAM));
        for (int page = 1; page <= PAGES && found.size() < MOST; page++) {
            long from = Math.max(0, head - (long) page * PAGE);
            add(
                    TapeRecord.JOURNAL_STREAM,
                    from,
                    PAGE,
                    "access_decision",
                    RecentRequests::evidence,
                    MOST,
                    found);
            if (from == 0 || System.nanoTime() - deadline > 0) {
                return;
            }
        }
    }

    private static Optional<String> evidence(JsonNode record) {
        JsonNode evidence = record.path("evidence");
        return evidence.isObject() ? Optional.of(Jcs.text(evidence)) : Optional.empty();
    }

    private void add(
            String stream,
            long from,
            int count,
            String type,
            Function<JsonNode, Optional<String>> evidence,
            int most,
            Set<String> found) {
        List<TapeRecord> records = TapePart.read(journal, stream, from, count);
        for (TapeRecord record : records.reversed()) {
            if (found.size() < most && record.type().equals(type)) {
                read(record)
                        .flatMap(evidence)
                        .filter(text -> !text.isEmpty())
                        .ifPresent(found::add);
            }
        }
    }

    private static Optional<JsonNode> read(TapeRecord record) {
        try {
            return record.payloadIfKept().map(bytes -> StrictJson.parse(bytes, "a record"));
        } catch (PalyraException e) {
            return Optional.empty(); // not of our making; there are others
        }
    }
}
