package palyra.skills.internal.host.fakes;

import com.fasterxml.jackson.databind.JsonNode;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.journal.Committed;
import palyra.api.core.journal.Document;
import palyra.api.core.journal.IdempotencyKey;
import palyra.api.core.journal.Journal;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.OutboxRow;
import palyra.api.core.journal.Unit;
import palyra.api.tape.TapeRecord;
import palyra.shared.json.StrictJson;

/** The part of a journal that is used here: events, runs, outbox, keys that count once. */
public final class FakeJournal {
    /** An event. */
    public record Event(String type, JsonNode payload) {}

    private final List<Event> events = new ArrayList<>(); // guarded by this
    private final List<OutboxRow> outbox = new ArrayList<>(); // guarded by this
    private final List<Operation> others = new ArrayList<>(); // guarded by this
    private final List<Operation.Append> tape = new ArrayList<>(); // guarded by this
    private final Map<String, Document> documents = new HashMap<>(); // guarded by this
    private final Map<String, Once> keys = new HashMap<>(); // guarded by this
    private boolean full; // guarded by this

    private record Once(String digest, byte[] result) {}

    /** Takes nothing from now on. */
    public synchronized void takeNothing() {
        full = true;
    }

    /** Returns events of a type. */
    public synchronized List<JsonNode> events(String type) {
        return events.stream()
                .filter(each -> each.type().equals(type))
                .map(Event::payload)
                .toList();
    }

    /** Returns the records of runs, in their order. */
    public synchronized List<TapeRecord> tape() {
        List<TapeRecord> records = new ArrayList<>();
        for (Operation.Append each : tape) {
            records.add(
                    new TapeRecord(
                            each.streamId(),
                            records.size() + 1,
                            each.type(),
                            1,
                            each.schema(),
                            new byte[32],
                            each.payload(),
                            new byte[32],
                            new byte[32],
                            new byte[32]));
        }
        return records;
    }

    /** Returns the changes of sessions and runs, in their order. */
    public synchronized List<Operation> others() {
        return List.copyOf(others);
    }

    /** Returns the rows of the outbox. */
    public synchronized List<OutboxRow> outbox() {
        return List.copyOf(outbox);
    }

    /** Returns the service. */
    public Journal service() {
        return (Journal)
                Proxy.newProxyInstance(
                        FakeJournal.class.getClassLoader(),
                        new Class<?>[] {Journal.class},
                        (proxy, method, arguments) ->
                                switch (method.getName()) {
                                    case "commit" -> commit((Unit) arguments[0]);
                                    case "document" -> document(arguments[0] + "/" + arguments[1]);
                                    case "documents" ->
                                            documents(
                                                    arguments[0] + "/",
                                                    (String) arguments[1],
                                                    (Integer) arguments[2]);
                                    case "hashCode" -> System.identityHashCode(proxy);
                                    case "equals" -> proxy == arguments[0];
                                    default ->
                                            throw new UnsupportedOperationException(
                                                    method.getName());
                                });
    }

    private synchronized Optional<Document> document(String key) {
        return Optional.ofNullable(documents.get(key));
    }

    private synchronized List<Document> documents(String collection, String after, int limit) {
        return documents.entrySet().stream()
                .filter(each -> each.getKey().startsWith(collection))
                .map(Map.Entry::getValue)
                .filter(each -> each.key().compareTo(after) > 0)
                .sorted(Comparator.comparing(Document::key))
                .limit(limit)
                .toList();
    }

    private synchronized Committed commit(Unit unit) {
        if (full) {
            throw new PalyraException(ErrorCode.JOURNAL_UNAVAILABLE, "asked to fail");
        }
        if (unit.idempotencyKey().isPresent()) {
            IdempotencyKey key = unit.idempotencyKey().get();
            Once known = keys.get(key.scope() + "|" + key.key());
            if (known != null) {
                if (!known.digest().equals(key.requestSha256())) {
                    throw new PalyraException(
                            ErrorCode.IDEMPOTENCY_MISMATCH, "It was another request before.");
                }
                return new Committed(true, known.result(), List.of());
            }
            keys.put(key.scope() + "|" + key.key(), new Once(key.requestSha256(), unit.result()));
        }
        unit.operations().forEach(this::apply);
        return new Committed(false, unit.result(), List.of());
    }

    private void apply(Operation operation) {
        if (operation instanceof Operation.Append append
                && !append.streamId().equals(TapeRecord.JOURNAL_STREAM)) {
            tape.add(append);
        } else if (operation instanceof Operation.Append append) {
            events.add(new Event(append.type(), StrictJson.parse(append.payload(), "event")));
        } else if (operation instanceof Operation.PutOutbox put) {
            outbox.add(put.row());
        } else if (operation instanceof Operation.PutDocument put) {
            documents.put(
                    put.collection() + "/" + put.key(),
                    new Document(put.collection(), put.key(), 1, put.content(), 0));
        } else if (operation instanceof Operation.InsertSession
                || operation instanceof Operation.InsertRun
                || operation instanceof Operation.MoveRun
                || operation instanceof Operation.ArchiveSession) {
            others.add(operation);
        } else {
            throw new UnsupportedOperationException(operation.toString());
        }
    }
}
