package palyra.deploy.internal;

import com.fasterxml.jackson.databind.JsonNode;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.journal.Committed;
import palyra.api.core.journal.Document;
import palyra.api.core.journal.Journal;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.Unit;
import palyra.shared.json.StrictJson;

/** The part of a journal that is used here: documents, events and keys that count once. */
final class FakeJournal implements InvocationHandler {
    /** An event and how the bundles stood when it was written. */
    record Event(String type, JsonNode payload, List<String> bundles) {}

    /** Tells how bundles stand. */
    interface Look {
        List<String> now();
    }

    private final Map<String, byte[]> documents = new TreeMap<>(); // guarded by this
    private final List<Event> events = new ArrayList<>(); // guarded by this
    private final Set<String> keys = new HashSet<>(); // guarded by this
    private final Look look;
    private boolean full; // guarded by this
    private Error once; // guarded by this; null when it works

    FakeJournal(Look look) {
        this.look = look;
    }

    Journal service() {
        return (Journal)
                Proxy.newProxyInstance(
                        FakeJournal.class.getClassLoader(), new Class<?>[] {Journal.class}, this);
    }

    /** From now on it can be read and takes nothing. */
    synchronized void takeNothing(boolean on) {
        full = on;
    }

    /** The next time that somebody reads, this is thrown. */
    synchronized void throwOnce(Error error) {
        once = error;
    }

    synchronized List<Event> events() {
        return List.copyOf(events);
    }

    List<Event> events(String type) {
        return events().stream().filter(event -> event.type().equals(type)).toList();
    }

    @Override
    public synchronized Object invoke(Object proxy, Method method, Object[] arguments) {
        return switch (method.getName()) {
            case "documents" -> page((String) arguments[0], (String) arguments[1]);
            case "commit" -> commit((Unit) arguments[0]);
            case "hashCode" -> System.identityHashCode(proxy);
            case "equals" -> proxy == arguments[0];
            case "toString" -> "FakeJournal";
            default -> throw new UnsupportedOperationException(method.getName());
        };
    }

    private List<Document> page(String collection, String after) {
        Error thrown = once;
        once = null;
        if (thrown != null) {
            throw thrown;
        }
        return documents.entrySet().stream()
                .filter(e -> e.getKey().compareTo(after) > 0)
                .map(e -> new Document(collection, e.getKey(), 1, e.getValue(), 0))
                .toList();
    }

    private Committed commit(Unit unit) {
        if (full) {
            throw new PalyraException(ErrorCode.DISK_FULL, "asked to fail");
        }
        boolean replayed = unit.idempotencyKey().map(key -> !keys.add(key.key())).orElse(false);
        if (!replayed) {
            unit.operations().forEach(this::apply);
        }
        return new Committed(replayed, new byte[0], List.of());
    }

    private void apply(Operation operation) {
        if (operation instanceof Operation.Append append) {
            JsonNode payload = StrictJson.parse(append.payload(), "event");
            events.add(new Event(append.type(), payload, look.now()));
        } else if (operation instanceof Operation.PutDocument put) {
            documents.put(put.key(), put.content());
        } else if (operation instanceof Operation.DeleteDocument delete) {
            documents.remove(delete.key());
        } else {
            throw new UnsupportedOperationException(operation.toString());
        }
    }
}
