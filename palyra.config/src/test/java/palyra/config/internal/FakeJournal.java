package palyra.config.internal;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.journal.Committed;
import palyra.api.core.journal.Document;
import palyra.api.core.journal.Journal;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.Unit;

/** The part of a journal that the recorder uses: documents, events and keys that count once. */
final class FakeJournal implements InvocationHandler {
    final List<String> events = new ArrayList<>();
    private final Map<String, byte[]> documents = new TreeMap<>();
    private final Set<String> keys = new HashSet<>();
    private final List<CompletableFuture<Committed>> held = new ArrayList<>();
    private int failures;
    private ErrorCode failure;
    private boolean hold;

    Journal service() {
        return (Journal)
                Proxy.newProxyInstance(
                        FakeJournal.class.getClassLoader(), new Class<?>[] {Journal.class}, this);
    }

    synchronized void failNext(int times, ErrorCode code) {
        failures = times;
        failure = code;
    }

    /** Applies later units without an answer. */
    synchronized void holdAnswers(boolean on) {
        hold = on;
    }

    synchronized List<String> events() {
        return List.copyOf(events);
    }

    synchronized Set<String> documentKeys() {
        return Set.copyOf(documents.keySet());
    }

    @Override
    public synchronized Object invoke(Object proxy, Method method, Object[] arguments) {
        return switch (method.getName()) {
            case "document" ->
                    Optional.ofNullable(documents.get((String) arguments[1]))
                            .map(content -> document((String) arguments[1], content));
            case "documents" -> page((String) arguments[1], (Integer) arguments[2]);
            case "submit" -> submit((Unit) arguments[0]);
            case "hashCode" -> System.identityHashCode(proxy);
            case "equals" -> proxy == arguments[0];
            case "toString" -> "FakeJournal";
            default -> throw new UnsupportedOperationException(method.getName());
        };
    }

    private List<Document> page(String after, int limit) {
        return documents.entrySet().stream()
                .filter(e -> e.getKey().compareTo(after) > 0)
                .limit(limit)
                .map(e -> document(e.getKey(), e.getValue()))
                .toList();
    }

    private static Document document(String key, byte[] content) {
        return new Document(ChangeRecord.COLLECTION, key, 1, content, 0);
    }

    private CompletableFuture<Committed> submit(Unit unit) {
        if (failures > 0) {
            failures--;
            return CompletableFuture.failedFuture(new PalyraException(failure, "asked to fail"));
        }
        boolean replayed = !keys.add(unit.idempotencyKey().orElseThrow().key());
        if (!replayed) {
            unit.operations().forEach(this::apply);
        }
        CompletableFuture<Committed> answer = new CompletableFuture<>();
        if (hold) {
            held.add(answer);
        } else {
            answer.complete(new Committed(replayed, new byte[0], List.of()));
        }
        return answer;
    }

    private void apply(Operation operation) {
        if (operation instanceof Operation.Append append) {
            events.add(
                    append.streamId()
                            + " "
                            + append.type()
                            + " "
                            + new String(append.payload(), StandardCharsets.UTF_8));
        } else if (operation instanceof Operation.PutDocument put) {
            documents.put(put.key(), put.content());
        } else if (operation instanceof Operation.DeleteDocument delete) {
            documents.remove(delete.key());
        } else {
            throw new UnsupportedOperationException(operation.toString());
        }
    }
}
