package palyra.testing.journal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import palyra.api.ErrorCode;
import palyra.api.core.journal.CommandRow;
import palyra.api.core.journal.FeedItem;
import palyra.api.core.journal.InboxRow;
import palyra.api.core.journal.LiveFeed;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.OutboxRow;
import palyra.api.run.RunState;
import palyra.testing.wait.Await;

/** Hints tell what became durable. */
interface FeedRules extends Rules {
    @Test
    default void followerOfARunHearsOfItAlone() throws Exception {
        String runId = newRun(RunState.RUNNING);
        String other = newRun(RunState.RUNNING);
        BlockingQueue<FeedItem> heard = new LinkedBlockingQueue<>();
        try (LiveFeed.Subscription ignored = feed().subscribe(runId, heard::add)) {
            commit(Rules.append(other, "x"));
            commit(Rules.append(runId, "a"));
            assertEquals(new FeedItem.Advanced(runId, 1), heard.poll(10, TimeUnit.SECONDS));
            FeedItem.LiveText text = new FeedItem.LiveText(runId, 1, 1, false, 0, "he");
            feed().publish(new FeedItem.LiveText(other, 1, 1, false, 0, "no"));
            feed().publish(text);
            assertEquals(text, heard.poll(10, TimeUnit.SECONDS));
        }
    }

    @Test
    default void followerOfEverythingHearsAllButLiveText() throws Exception {
        String runId = newRun(RunState.RUNNING);
        BlockingQueue<FeedItem> heard = new LinkedBlockingQueue<>();
        try (LiveFeed.Subscription ignored = feed().subscribe(LiveFeed.ANY, heard::add)) {
            feed().publish(new FeedItem.LiveText(runId, 1, 1, false, 0, "no"));
            commit(
                    Rules.append(runId, "a"),
                    new Operation.PutInbox(
                            new InboxRow(
                                    "m1",
                                    "chat",
                                    "",
                                    ALICE,
                                    Rules.json("x"),
                                    InboxRow.State.QUEUED,
                                    "",
                                    "",
                                    0)),
                    new Operation.PutCommand(
                            new CommandRow(
                                    "c1",
                                    CommandRow.CANCEL_RUN,
                                    runId,
                                    ALICE,
                                    Rules.json("x"),
                                    false,
                                    "",
                                    0)),
                    new Operation.PutOutbox(
                            new OutboxRow(
                                    "o1",
                                    runId,
                                    "chat",
                                    Rules.json("x"),
                                    OutboxRow.State.PENDING,
                                    0,
                                    0,
                                    0)));
            List<FeedItem> expected =
                    List.of(
                            new FeedItem.Advanced(runId, 1),
                            new FeedItem.MessageQueued("m1"),
                            new FeedItem.CommandQueued("c1"),
                            new FeedItem.AnswerQueued("o1", "chat"));
            Await.until("four hints", () -> heard.size() >= expected.size());
            assertEquals(expected, List.copyOf(heard));
        }
    }

    @Test
    default void hintPointsAtWhatCanBeReadAlready() throws Exception {
        String runId = newRun(RunState.RUNNING);
        List<Boolean> found = new CopyOnWriteArrayList<>();
        try (LiveFeed.Subscription ignored =
                feed().subscribe(
                                runId,
                                item -> {
                                    if (item instanceof FeedItem.Advanced advanced) {
                                        found.add(journal().headSeq(runId) >= advanced.seq());
                                    }
                                })) {
            for (int i = 0; i < 20; i++) {
                commit(Rules.append(runId, "n" + i));
            }
            Await.until("hints", () -> found.size() >= 20);
            assertFalse(found.contains(false));
        }
    }

    @Test
    default void refusedUnitGivesNoHint() throws Exception {
        String runId = newRun(RunState.RUNNING);
        BlockingQueue<FeedItem> heard = new LinkedBlockingQueue<>();
        try (LiveFeed.Subscription ignored = feed().subscribe(runId, heard::add)) {
            Rules.refused(
                    ErrorCode.NOT_FOUND,
                    () ->
                            commit(
                                    Rules.append(runId, "never"),
                                    Rules.move("no-such-run", RunState.FAILED)));
            commit(Rules.append(runId, "a"));
            assertEquals(new FeedItem.Advanced(runId, 1), heard.poll(10, TimeUnit.SECONDS));
            assertTrue(heard.isEmpty());
        }
    }

    @Test
    default void failingListenerHarmsNoOther() throws Exception {
        String runId = newRun(RunState.RUNNING);
        BlockingQueue<FeedItem> heard = new LinkedBlockingQueue<>();
        try (LiveFeed.Subscription bad =
                        feed().subscribe(
                                        runId,
                                        item -> {
                                            throw new IllegalStateException("listener's own fault");
                                        });
                LiveFeed.Subscription good = feed().subscribe(runId, heard::add)) {
            commit(Rules.append(runId, "a"));
            commit(Rules.append(runId, "b"));
            Await.until("both hints", () -> heard.size() == 2);
        }
    }

    @Test
    default void feedSaysGoodbyeWhenTheStoreCloses() throws Exception {
        BlockingQueue<FeedItem> heard = new LinkedBlockingQueue<>();
        feed().subscribe(LiveFeed.ANY, heard::add);
        reopen("boot-2");
        assertEquals(new FeedItem.Closed(), heard.poll(10, TimeUnit.SECONDS));
    }
}
