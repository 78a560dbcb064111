package palyra.front.internal;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import palyra.api.ErrorCode;
import palyra.api.core.journal.FeedItem;
import palyra.api.core.journal.Journal;
import palyra.api.core.journal.LiveFeed;
import palyra.api.core.journal.Operation;
import palyra.api.tape.TapeEvent;
import palyra.api.tape.TapeRecord;
import palyra.shared.gate.Gate;
import palyra.shared.tape.TapeCodec;

/** One run's tape and its feed in memory, for many followings in little time. Thread-safe. */
final class MemoryTape {
    static final String RUN = "01J00000000000000000000001";

    private static final byte[] NO_HASH = new byte[32];

    final Gate<Journal> journal = new Gate<>("The journal", ErrorCode.JOURNAL_UNAVAILABLE, 0);
    final Gate<LiveFeed> feed = new Gate<>("The live feed", ErrorCode.JOURNAL_UNAVAILABLE, 0);
    private final List<TapeRecord> records = new ArrayList<>(); // guarded by this
    private final List<Consumer<FeedItem>> listeners = new CopyOnWriteArrayList<>();

    MemoryTape() {
        journal.add(
                (Journal)
                        Proxy.newProxyInstance(
                                Journal.class.getClassLoader(),
                                new Class<?>[] {Journal.class},
                                (proxy, method, arguments) -> {
                                    if (method.getName().equals("tape")) {
                                        return after((Long) arguments[1], (Integer) arguments[2]);
                                    }
                                    throw new AssertionError("a follower asked for " + method);
                                }),
                Map.of());
        feed.add(
                new LiveFeed() {
                    @Override
                    public Subscription subscribe(String stream, Consumer<FeedItem> listener) {
                        listeners.add(listener);
                        return () -> listeners.remove(listener);
                    }

                    @Override
                    public void publish(FeedItem.LiveText text) {
                        listeners.forEach(listener -> listener.accept(text));
                    }
                },
                Map.of());
    }

    private synchronized List<TapeRecord> after(long seq, int limit) {
        int from = (int) Math.min(seq, records.size());
        return List.copyOf(records.subList(from, Math.min(records.size(), from + limit)));
    }

    void write(TapeEvent event) {
        Operation.Append append = TapeCodec.append(RUN, event);
        long seq;
        synchronized (this) {
            seq = records.size() + 1L;
            records.add(
                    new TapeRecord(
                            RUN,
                            seq,
                            append.type(),
                            1_000 + seq,
                            append.schema(),
                            NO_HASH,
                            append.payload(),
                            NO_HASH,
                            NO_HASH,
                            NO_HASH));
        }
        listeners.forEach(listener -> listener.accept(new FeedItem.Advanced(RUN, seq)));
    }

    void live(int turn, int attempt, boolean thought, long offset, String text) {
        FeedItem.LiveText piece = new FeedItem.LiveText(RUN, turn, attempt, thought, offset, text);
        listeners.forEach(listener -> listener.accept(piece));
    }

    /** Returns everything written so far. */
    synchronized List<TapeRecord> records() {
        return List.copyOf(records);
    }
}
