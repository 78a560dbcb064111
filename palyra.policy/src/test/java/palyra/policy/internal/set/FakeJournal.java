package palyra.policy.internal.set;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.journal.Committed;
import palyra.api.core.journal.Journal;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.Unit;
import palyra.api.tape.TapeRecord;

/** The part of a journal that policies use: events, and reading them again. Thread-safe. */
final class FakeJournal implements InvocationHandler {
    private final List<TapeRecord> records = new ArrayList<>();
    private final Set<String> keys = new HashSet<>();
    private boolean answersLost;

    Journal service() {
        return (Journal)
                Proxy.newProxyInstance(
                        FakeJournal.class.getClassLoader(), new Class<?>[] {Journal.class}, this);
    }

    /** From now on units are applied and their answers get lost. */
    synchronized void loseAnswers(boolean on) {
        answersLost = on;
    }

    /** Returns payloads of that type, oldest first. */
    synchronized List<String> events(String type) {
        return records.stream()
                .filter(record -> record.type().equals(type))
                .map(record -> new String(record.payload(), StandardCharsets.UTF_8))
                .toList();
    }

    synchronized void add(String type, String payload) {
        byte[] none = new byte[32];
        records.add(
                new TapeRecord(
                        TapeRecord.JOURNAL_STREAM,
                        records.size() + 1,
                        type,
                        1,
                        1,
                        none,
                        payload.getBytes(StandardCharsets.UTF_8),
                        none,
                        none,
                        none));
    }

    @Override
    public synchronized Object invoke(Object proxy, Method method, Object[] arguments) {
        return switch (method.getName()) {
            case "submit" -> submit((Unit) arguments[0]);
            case "runs" -> List.of();
            case "headSeq" -> (long) records.size();
            case "tape" ->
                    records.stream()
                            .filter(record -> record.seq() > (Long) arguments[1])
                            .limit((Integer) arguments[2])
                            .toList();
            case "hashCode" -> System.identityHashCode(proxy);
            case "equals" -> proxy == arguments[0];
            case "toString" -> "FakeJournal";
            default -> throw new UnsupportedOperationException(method.getName());
        };
    }

    private CompletableFuture<Committed> submit(Unit unit) {
        if (keys.add(unit.idempotencyKey().orElseThrow().key())) {
            for (Operation operation : unit.operations()) {
                Operation.Append append = (Operation.Append) operation;
                add(append.type(), new String(append.payload(), StandardCharsets.UTF_8));
            }
        }
        return answersLost
                ? CompletableFuture.failedFuture(
                        new PalyraException(ErrorCode.JOURNAL_UNAVAILABLE, "going"))
                : CompletableFuture.completedFuture(new Committed(false, new byte[0], List.of()));
    }
}
