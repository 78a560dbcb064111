package palyra.front.internal;

import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import palyra.api.ErrorCode;
import palyra.api.core.journal.FeedItem;
import palyra.api.core.journal.Journal;
import palyra.api.core.journal.LiveFeed;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.Unit;
import palyra.api.run.RunState;
import palyra.api.run.SessionView;
import palyra.api.tape.TapeEvent;
import palyra.api.tape.TapeRecord;
import palyra.shared.gate.Gate;
import palyra.shared.tape.TapeCodec;
import palyra.testing.journal.MemoryJournal;
import palyra.testing.journal.MemoryKeys;

/** One run's tape and its feed in memory, for many followings in little time. Thread-safe. */
final class MemoryTape {
    static final String RUN = "01J00000000000000000000001";

    private static final MemoryKeys KEYS = new MemoryKeys();

    final Gate<Journal> journal = new Gate<>("The journal", ErrorCode.JOURNAL_UNAVAILABLE, 0);
    final Gate<LiveFeed> feed = new Gate<>("The live feed", ErrorCode.JOURNAL_UNAVAILABLE, 0);
    private final MemoryJournal store = new MemoryJournal(KEYS, InstantSource.system(), "boot-1");

    MemoryTape() {
        store.commit(
                Unit.of(
                        new Operation.InsertSession(
                                new SessionView("s", "", "", "user:a", "", "", "", 0, 0, 0, "")),
                        new Operation.InsertRun(
                                RUN, "s", "user:a", "default", "", "", "", RunState.RUNNING, 0)));
        journal.add(store, Map.of());
        feed.add(store.feed(), Map.of());
    }

    void write(TapeEvent event) {
        store.commit(Unit.of(TapeCodec.append(RUN, event)));
    }

    void live(int turn, int attempt, boolean thought, long offset, String text) {
        store.feed().publish(new FeedItem.LiveText(RUN, turn, attempt, thought, offset, text));
    }

    /** Returns everything written so far. */
    List<TapeRecord> records() {
        return store.records(RUN);
    }
}
