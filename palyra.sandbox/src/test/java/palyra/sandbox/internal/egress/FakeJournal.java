package palyra.sandbox.internal.egress;

import com.fasterxml.jackson.databind.JsonNode;
import java.lang.reflect.Proxy;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.journal.Committed;
import palyra.api.core.journal.Journal;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.Unit;
import palyra.shared.json.StrictJson;
import palyra.testing.wait.Await;

/**
 * The part of a journal that is used here: events of the journal's stream, keys that count once.
 */
final class FakeJournal {
    /** An event. */
    record Event(String type, JsonNode payload) {
        String text(String field) {
            return payload.path(field).asText();
        }
    }

    final List<Event> events = new CopyOnWriteArrayList<>();
    private final Set<String> keys = new HashSet<>(); // guarded by this
    volatile boolean full;
    volatile Error once; // thrown by the next commit; null when it works

    Journal service() {
        return (Journal)
                Proxy.newProxyInstance(
                        FakeJournal.class.getClassLoader(),
                        new Class<?>[] {Journal.class},
                        (proxy, method, arguments) ->
                                switch (method.getName()) {
                                    case "commit" -> commit((Unit) arguments[0]);
                                    case "hashCode" -> System.identityHashCode(proxy);
                                    case "equals" -> proxy == arguments[0];
                                    default ->
                                            throw new UnsupportedOperationException(
                                                    method.getName());
                                });
    }

    private synchronized Committed commit(Unit unit) {
        Error thrown = once;
        once = null;
        if (thrown != null) {
            throw thrown;
        }
        if (full) {
            throw new PalyraException(ErrorCode.DISK_FULL, "The disk is full.");
        }
        boolean replayed = unit.idempotencyKey().map(key -> !keys.add(key.key())).orElse(false);
        if (!replayed) {
            for (Operation operation : unit.operations()) {
                Operation.Append append = (Operation.Append) operation;
                events.add(
                        new Event(append.type(), StrictJson.parse(append.payload(), "an event")));
            }
        }
        return new Committed(replayed, new byte[0], List.of());
    }

    List<Event> of(String type) {
        return events.stream().filter(event -> event.type().equals(type)).toList();
    }

    List<Event> denials() {
        return of(ConnectionRecord.CONNECT).stream()
                .filter(event -> event.text("verdict").equals(ConnectionRecord.DENY))
                .toList();
    }

    /** Waits until so many connections are recorded as over, and returns them. */
    List<Event> closed(int count) {
        Await.until(
                count + " closed connections",
                java.time.Duration.ofSeconds(30),
                () -> of(ConnectionRecord.CLOSED).size() >= count);
        return of(ConnectionRecord.CLOSED);
    }

    List<Event> denied(int count) {
        Await.until(
                count + " denials",
                java.time.Duration.ofSeconds(30),
                () -> denials().size() >= count);
        return denials();
    }
}
