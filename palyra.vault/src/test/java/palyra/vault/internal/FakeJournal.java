package palyra.vault.internal;

import com.fasterxml.jackson.databind.JsonNode;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.journal.Committed;
import palyra.api.core.journal.Document;
import palyra.api.core.journal.Journal;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.Unit;
import palyra.shared.json.StrictJson;

/** The part of a journal that is used here: documents and events. */
final class FakeJournal implements InvocationHandler {
    /** An event. */
    record Event(String type, JsonNode payload) {}

    private final Map<String, byte[]> documents = new TreeMap<>(); // guarded by this
    private final List<Event> events = new ArrayList<>(); // guarded by this
    private boolean full; // guarded by this

    Journal service() {
        return (Journal)
                Proxy.newProxyInstance(
                        FakeJournal.class.getClassLoader(), new Class<?>[] {Journal.class}, this);
    }

    /** From now on it can be read and takes nothing. */
    synchronized void takeNothing(boolean on) {
        full = on;
    }

    synchronized List<Event> events(String type) {
        return events.stream().filter(event -> event.type().equals(type)).toList();
    }

    synchronized void forgetDocuments() {
        documents.clear();
    }

    @Override
    public synchronized Object invoke(Object proxy, Method method, Object[] arguments) {
        return switch (method.getName()) {
            case "document" ->
                    Optional.ofNullable(documents.get((String) arguments[1]))
                            .map(c -> new Document((String) arguments[0], "head", 1, c, 0));
            case "commit" -> commit((Unit) arguments[0]);
            case "submit" -> CompletableFuture.completedStage(commit((Unit) arguments[0]));
            case "hashCode" -> System.identityHashCode(proxy);
            case "equals" -> proxy == arguments[0];
            case "toString" -> "FakeJournal";
            default -> throw new UnsupportedOperationException(method.getName());
        };
    }

    private Committed commit(Unit unit) {
        if (full) {
            throw new PalyraException(ErrorCode.JOURNAL_UNAVAILABLE, "asked to fail");
        }
        unit.operations().forEach(this::apply);
        return new Committed(false, new byte[0], List.of());
    }

    private void apply(Operation operation) {
        if (operation instanceof Operation.Append append) {
            events.add(new Event(append.type(), StrictJson.parse(append.payload(), "event")));
        } else if (operation instanceof Operation.PutDocument put) {
            documents.put(put.key(), put.content());
        } else {
            throw new UnsupportedOperationException(operation.toString());
        }
    }
}
