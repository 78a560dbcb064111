package palyra.sandbox.internal.canary;

import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
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

/** The part of a journal that sandboxes use: events. Thread-safe. */
public final class FakeJournal {
    public volatile boolean stopped;
    private final List<Operation.Append> events = new CopyOnWriteArrayList<>();
    private final Set<String> keys = new HashSet<>(); // guarded by this

    /** Returns the service. */
    public Journal service() {
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
        if (stopped) {
            throw new PalyraException(ErrorCode.JOURNAL_UNAVAILABLE, "The journal has stopped.");
        }
        if (keys.add(unit.idempotencyKey().orElseThrow().key())) {
            unit.operations().forEach(operation -> events.add((Operation.Append) operation));
        }
        return new Committed(false, new byte[0], List.of());
    }

    /** Returns payloads of that type, oldest first. */
    public List<String> events(String type) {
        return events.stream()
                .filter(event -> event.type().equals(type))
                .map(event -> new String(event.payload(), StandardCharsets.UTF_8))
                .toList();
    }
}
