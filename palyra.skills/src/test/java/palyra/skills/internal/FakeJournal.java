package palyra.skills.internal;

import com.fasterxml.jackson.databind.JsonNode;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.journal.Committed;
import palyra.api.core.journal.Document;
import palyra.api.core.journal.Journal;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.Precondition;
import palyra.api.core.journal.Unit;
import palyra.shared.json.StrictJson;

/** The part of a journal that is used here: documents with versions, events, preconditions. */
public final class FakeJournal implements InvocationHandler {
    /** An event. */
    public record Event(String type, JsonNode payload) {}

    /** The documents; tests may change them as somebody else would. */
    public final Map<String, Document> documents = new TreeMap<>(); // guarded by this

    private final List<Event> events = new ArrayList<>(); // guarded by this
    private boolean full; // guarded by this
    private boolean away; // guarded by this

    /** Happens after each change that was taken. */
    public volatile Runnable committed = () -> {};

    public Journal service() {
        return (Journal)
                Proxy.newProxyInstance(
                        FakeJournal.class.getClassLoader(), new Class<?>[] {Journal.class}, this);
    }

    /** From now on it can be read and takes nothing. */
    public synchronized void takeNothing(boolean on) {
        full = on;
    }

    /** From now on nothing works. */
    public synchronized void away(boolean on) {
        away = on;
    }

    public synchronized List<Event> events(String type) {
        return events.stream().filter(event -> event.type().equals(type)).toList();
    }

    /** Replaces a document's content, as somebody who writes into the database would. */
    public synchronized void forge(String key, String content) {
        Document old = documents.get(key);
        documents.put(
                key,
                new Document(
                        "skill_ledger",
                        key,
                        old == null ? 1 : old.version(),
                        content.getBytes(),
                        0));
    }

    @Override
    public synchronized Object invoke(Object proxy, Method method, Object[] arguments) {
        if (away && !method.getDeclaringClass().equals(Object.class)) {
            throw new PalyraException(ErrorCode.JOURNAL_UNAVAILABLE, "asked to be away");
        }
        return switch (method.getName()) {
            case "documents" ->
                    documents.values().stream()
                            .filter(d -> d.key().compareTo((String) arguments[1]) > 0)
                            .limit((int) arguments[2])
                            .toList();
            case "commit" -> commit((Unit) arguments[0]);
            case "hashCode" -> System.identityHashCode(proxy);
            case "equals" -> proxy == arguments[0];
            case "toString" -> "FakeJournal";
            default -> throw new UnsupportedOperationException(method.getName());
        };
    }

    private Committed commit(Unit unit) {
        if (full) {
            throw new PalyraException(ErrorCode.DISK_FULL, "asked to fail");
        }
        for (Precondition each : unit.preconditions()) {
            Precondition.DocumentAt at = (Precondition.DocumentAt) each;
            long version = documents.containsKey(at.key()) ? documents.get(at.key()).version() : 0;
            if (version != at.version()) {
                throw new PalyraException(ErrorCode.CONFLICT, at.key() + " is at " + version);
            }
        }
        unit.operations().forEach(this::apply);
        committed.run();
        return new Committed(false, new byte[0], List.of());
    }

    private void apply(Operation operation) {
        if (operation instanceof Operation.Append append) {
            events.add(new Event(append.type(), StrictJson.parse(append.payload(), "event")));
        } else if (operation instanceof Operation.PutDocument put) {
            Document old = documents.get(put.key());
            documents.put(
                    put.key(),
                    new Document(
                            put.collection(),
                            put.key(),
                            old == null ? 1 : old.version() + 1,
                            put.content(),
                            0));
        } else if (operation instanceof Operation.DeleteDocument delete) {
            documents.remove(delete.key());
        } else {
            throw new UnsupportedOperationException(operation.toString());
        }
    }
}
