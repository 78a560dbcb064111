package palyra.journal.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.AbstractList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.PalyraException;
import palyra.api.core.journal.FeedItem;
import palyra.api.core.journal.JournalStatus;
import palyra.api.core.journal.Unit;
import palyra.api.core.ops.LoopView;
import palyra.api.core.ops.Metric;
import palyra.journal.internal.database.ConnectionSource;
import palyra.journal.internal.database.DatabaseFile;
import palyra.journal.internal.database.Health;
import palyra.journal.internal.database.Meters;
import palyra.journal.internal.database.PayloadFiles;
import palyra.journal.internal.write.CommitEffects;
import palyra.journal.internal.write.Deliveries;
import palyra.journal.internal.write.GroupSettlement;
import palyra.journal.internal.write.Ticket;
import palyra.journal.internal.write.Upkeep;
import palyra.journal.internal.write.WriteContext;
import palyra.journal.internal.write.WriteQueue;
import palyra.journal.internal.write.WriterTask;
import palyra.shared.loop.Backoff;
import palyra.shared.loop.LoopSpec;
import palyra.shared.loop.SupervisedLoop;
import palyra.testing.wait.Await;

/** Every thread of the store works on after an Error, and says that there was one. */
@Timeout(60)
class LoopsTest {
    private static final LoopSpec SPEC =
            LoopSpec.of("a-loop", "test")
                    .withBackoff(
                            new Backoff(
                                    Duration.ofNanos(1), Duration.ofNanos(1), Duration.ofHours(1)));

    @TempDir Path state;

    /** A medium that throws something once, at the next connection of a use. */
    private static final class ErrorOnce implements ConnectionSource {
        private final ConnectionSource real;
        private final Use at;
        private final AtomicReference<Error> next = new AtomicReference<>();

        ErrorOnce(ConnectionSource real, Use at, Error error) {
            this.real = real;
            this.at = at;
            next.set(error);
        }

        @Override
        public Connection open(Use use) throws SQLException {
            // The store's own searches, which begin by themselves, take nothing from a test.
            boolean search = Thread.currentThread().getName().startsWith("palyra-journal-scan-");
            Error error = use == at && !search ? next.getAndSet(null) : null;
            if (error != null) {
                throw error;
            }
            return real.open(use);
        }
    }

    private TestStore storeThatMeets(ConnectionSource.Use at, Error error, JournalSettings settings)
            throws Exception {
        return TestStore.on(
                settings, new ErrorOnce(new DatabaseFile(settings.folder()), at, error));
    }

    private static LoopView loop(TestStore store, String name) {
        return store.journal().loops().stream()
                .filter(view -> view.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void everyThreadIsToldOfAndOnlyTheWriterIsEssential() throws Exception {
        try (TestStore store = TestStore.open(state)) {
            List<LoopView> loops = store.journal().loops();
            assertTrue(loops.size() >= 5, loops::toString);
            assertTrue(
                    loops.stream().allMatch(view -> view.state() == LoopView.State.RUNNING),
                    loops::toString);
            assertEquals(
                    List.of("palyra-journal-writer"),
                    loops.stream().filter(LoopView::essential).map(LoopView::name).toList());
        }
    }

    @Test
    void anErrorWhileOpeningIsStatedAndTheNextTryOpens() throws Exception {
        JournalSettings slow = TestStore.settings(state, 2_000);
        try (TestStore store =
                storeThatMeets(
                        ConnectionSource.Use.WRITE,
                        new UnsatisfiedLinkError("no sqlitejdbc"),
                        slow)) {
            JournalStatus stopped = store.awaitState(JournalStatus.State.STOPPED);
            Await.until(
                    "the reason",
                    () -> store.journal().status().detail().contains("no sqlitejdbc"));
            assertThrows(PalyraException.class, store::newRun, () -> stopped.toString());
            store.awaitState(JournalStatus.State.OPEN);
            assertFalse(store.newRun().isEmpty());
        }
    }

    @Test
    void anErrorInACheckpointIsFollowedByAnotherCheckpoint() throws Exception {
        JournalSettings eager =
                TestStore.settings(state)
                        .with(new JournalSettings.Medium(1L << 16, 64L << 20, 0, 200));
        try (TestStore store =
                storeThatMeets(
                        ConnectionSource.Use.CHECKPOINT, new AssertionError("made up"), eager)) {
            store.awaitState(JournalStatus.State.OPEN);
            store.newTape(400);
            Await.until(
                    "a checkpoint after the Error",
                    () ->
                            loop(store, "palyra-journal-checkpoints").restarts() == 1
                                    && checkpoints(store) > 0);
            assertEquals(
                    "AssertionError: made up",
                    loop(store, "palyra-journal-checkpoints").lastFailure());
        }
    }

    private static double checkpoints(TestStore store) {
        return store.journal().metrics().stream()
                .filter(metric -> metric.name().contains("checkpoints_total"))
                .mapToDouble(Metric::value)
                .sum();
    }

    @Test
    void anErrorInAReadIsOneReadsOwn() throws Exception {
        try (TestStore store =
                storeThatMeets(
                        ConnectionSource.Use.READ,
                        new OutOfMemoryError("made up"),
                        TestStore.settings(state))) {
            store.awaitState(JournalStatus.State.OPEN);
            assertThrows(PalyraException.class, () -> store.journal().run("01"));
            assertEquals(Optional.empty(), store.journal().run("01"));
        }
    }

    /** A list that cannot be walked. */
    private static <T> List<T> broken() {
        return new AbstractList<>() {
            @Override
            public T get(int index) {
                throw new AssertionError("made up");
            }

            @Override
            public int size() {
                return 1;
            }
        };
    }

    @Test
    void deliveriesGoOnAfterAnError() throws Exception {
        Deliveries deliveries = new Deliveries(null);
        SupervisedLoop loop = new SupervisedLoop(SPEC, deliveries).start();
        try {
            Ticket<Integer> before = ticket(() -> {});
            deliveries.hand(List.of(before), List.of());
            before.future().get(10, TimeUnit.SECONDS);
            deliveries.hand(List.of(), LoopsTest.<FeedItem>broken());
            Ticket<Integer> after = ticket(() -> {});
            deliveries.hand(List.of(after), List.of());
            after.future().get(10, TimeUnit.SECONDS);
            assertEquals(1, loop.view().restarts());
        } finally {
            deliveries.close(loop, 10_000);
        }
    }

    private static Ticket<Integer> ticket(Runnable settled) {
        WriterTask<Integer> task =
                new WriterTask<>() {
                    @Override
                    public Integer apply(WriteContext context) {
                        return 1;
                    }

                    @Override
                    public void settled() {
                        settled.run();
                    }
                };
        return new Ticket<>(task, Unit.Lane.COMMAND, true);
    }

    @Test
    void anErrorOfOneTicketKeepsNoOutcomeFromTheOthers() throws Exception {
        GroupSettlement settling =
                new GroupSettlement(
                        new PayloadFiles(state.resolve("payloads")),
                        new Deliveries(null),
                        new Meters());
        Ticket<Integer> bad =
                ticket(
                        () -> {
                            throw new AssertionError("made up");
                        });
        Ticket<Integer> good = ticket(() -> {});
        settling.settle(List.of(bad, good), new CommitEffects());
        assertTrue(bad.future().isDone());
        assertTrue(good.future().isDone());
    }

    @Test
    void aMalformedNameOfAPayloadFileIsNoReasonToFail() throws Exception {
        PayloadFiles files = new PayloadFiles(state.resolve("payloads"));
        assertTrue(files.delete("x"));
        assertTrue(files.delete("../".repeat(21) + "x"));
        assertFalse(PayloadFiles.isDigest("\uff11".repeat(64)), "digits of another script");
        assertTrue(PayloadFiles.isDigest("a1".repeat(32)));
    }

    @Test
    void upkeepGoesOnAfterADefect() throws Exception {
        JournalSettings settings = TestStore.settings(state);
        WriteQueue queue = new WriteQueue(settings.writing());
        Health health = new Health(new DatabaseFile(settings.folder()));
        health.opened();
        Upkeep upkeep =
                new Upkeep(
                        settings,
                        queue,
                        new DatabaseFile(settings.folder()),
                        new PayloadFiles(settings.folder().resolve("payloads")),
                        health,
                        TestStore.systemClock(),
                        () -> {});
        upkeep.settings(null);
        SupervisedLoop loop = new SupervisedLoop(SPEC, upkeep).start();
        try {
            Await.until("the defect", () -> loop.view().restarts() > 0);
            assertEquals(0, queue.depth(Unit.Lane.BULK));
            upkeep.settings(settings);
            Await.until("a bite after it", () -> queue.depth(Unit.Lane.BULK) == 1);
        } finally {
            upkeep.stop();
            loop.stop();
            assertTrue(loop.join(10_000));
        }
    }
}
