package palyra.journal.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.journal.ApprovalRow;
import palyra.api.core.journal.GrantRow;
import palyra.api.core.journal.IdempotencyKey;
import palyra.api.core.journal.Lease;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.Unit;
import palyra.journal.internal.write.DeadlineShift;
import palyra.testing.journal.ManualClock;
import palyra.testing.journal.MemoryKeys;
import palyra.testing.wait.Await;

/** What lasts a while is not ended, kept or held up by a wall clock that jumps. */
class ClockTest {
    private static final long SECOND = 1_000;
    private static final long HOUR = 3_600 * SECOND;
    private static final long DAY = 24 * HOUR;

    @TempDir Path state;

    private final ManualClock wall = new ManualClock(1_700_000_000_000L);
    private final ManualClock steady = new ManualClock(77);
    private SqliteJournal journal;

    @BeforeEach
    void open() {
        open("boot-1");
    }

    private void open(String bootId) {
        JournalSettings settings = TestStore.settings(state);
        journal =
                JournalFactory.open(
                        settings.with(new JournalSettings.Node("main", bootId)),
                        new MemoryKeys(),
                        wall,
                        () -> TimeUnit.MILLISECONDS.toNanos(steady.millis()));
        journal.releaseLease("nothing", "nobody"); // the first group agrees on the time
    }

    @AfterEach
    void close() {
        journal.close();
    }

    /** Time passes as it should. */
    private void pass(long millis) {
        steady.advance(millis);
        wall.advance(millis);
    }

    /** Sets the wall clock and waits until the store has noticed. */
    private void jump(long millis) {
        int before = moves().size();
        wall.advance(millis);
        Await.until("the jump to be noticed", () -> moves().size() > before);
    }

    /** The store is closed for a while. */
    private void closedFor(long millis) {
        journal.close();
        wall.advance(millis);
        steady.advance(987_654_321); // another start, another origin
        open("boot-2");
    }

    private List<String> moves() {
        return journal.tape("journal", 0, 1_000).stream()
                .filter(record -> record.type().equals(DeadlineShift.EVENT))
                .map(record -> new String(record.payload(), StandardCharsets.UTF_8))
                .toList();
    }

    private boolean apply(String key) {
        return !journal.commit(
                        Unit.builder()
                                .once(new IdempotencyKey("s", key, "d"), new byte[1])
                                .add(TestStore.append("journal", key))
                                .build())
                .replayed();
    }

    private boolean isKnown(String key) {
        return journal.stored(new IdempotencyKey("s", key, "d")).isPresent();
    }

    /** Once this key is gone, whatever is to be forgotten in the same bite is. */
    private void awaitForgetting() {
        apply("sentinel");
        pass(7 * DAY + SECOND);
        Await.until("old keys to be forgotten", () -> !isKnown("sentinel"));
    }

    @Test
    void clockThatGoesEightDaysForwardAndBackForgetsNoKey() {
        assertTrue(apply("k"));
        jump(8 * DAY);
        awaitUpkeep();
        jump(-8 * DAY);
        assertEquals(false, apply("k"), "once");
        awaitForgetting();
        assertTrue(apply("k"), "forgotten with its age");
    }

    /** A grant that is over ends in the bite that would forget keys. */
    private void awaitUpkeep() {
        grant("sentinel", wall.millis());
        Await.until("upkeep", () -> grant("sentinel").state() == GrantRow.State.EXPIRED);
    }

    @Test
    void startWithAClockFarAheadForgetsNoKey() {
        assertTrue(apply("k"));
        closedFor(8 * DAY);
        awaitUpkeep();
        closedFor(-8 * DAY);
        assertEquals(false, apply("k"));
    }

    @Test
    void clockThatGoesBackHoldsUpNoLease() {
        journal.takeLease("engine", "boot-1/a", 10 * SECOND);
        wall.advance(-HOUR);
        pass(4 * SECOND);
        Lease renewed = journal.takeLease("engine", "boot-1/a", 10 * SECOND);
        assertEquals(1, renewed.epoch());
        assertEquals(wall.millis() + 10 * SECOND, renewed.expiresAtMillis());
        wall.advance(-HOUR);
        pass(9 * SECOND);
        assertEquals(ErrorCode.CONFLICT, refusal(() -> take("boot-1/b")));
        pass(SECOND);
        assertEquals(2, take("boot-1/b").epoch());
    }

    @Test
    void clockThatGoesForwardTakesNoLeaseAway() {
        take("boot-1/a");
        wall.advance(DAY);
        assertEquals(ErrorCode.CONFLICT, refusal(() -> take("boot-1/b")));
        assertEquals(1, take("boot-1/a").epoch());
    }

    @Test
    void leaseFromOutsideIsNotHeldUpByAClockThatWentBackWhileClosed() {
        take("elsewhere");
        closedFor(-HOUR);
        assertEquals(ErrorCode.CONFLICT, refusal(() -> take("boot-2/b")));
        pass(10 * SECOND);
        assertEquals(2, take("boot-2/b").epoch());
    }

    private Lease take(String owner) {
        return journal.takeLease("engine", owner, 10 * SECOND);
    }

    private static ErrorCode refusal(Runnable what) {
        return assertThrows(PalyraException.class, what::run).code();
    }

    private ApprovalRow ask(String id, long forMillis) {
        long end = wall.millis() + forMillis;
        journal.commit(
                Unit.of(
                        new Operation.PutApproval(
                                ApprovalRow.asked(
                                        id, "r", "c", "", "u", "", "", new byte[1], 1, end, 1))));
        journal.commit(Unit.of(new Operation.NoteApproval(id, 0, end - forMillis / 4)));
        return question(id);
    }

    private ApprovalRow question(String id) {
        return journal.approval(id).orElseThrow();
    }

    private int due() {
        return journal.approvalsDue(wall.millis(), 10).size();
    }

    private void expire(String id) {
        journal.commit(Unit.of(new Operation.DecideApproval(id, ApprovalRow.State.EXPIRED, "")));
    }

    /** Whoever asks right after the jump hears what holds, and can end nothing early. */
    @Test
    void questionKeepsItsTimeOverAJumpForward() {
        ApprovalRow asked = ask("q", DAY);
        wall.advance(2 * DAY);
        assertEquals(0, due());
        assertEquals(asked.expiresAtMillis() + 2 * DAY, question("q").expiresAtMillis());
        assertEquals(asked.noticeAtMillis() + 2 * DAY, question("q").noticeAtMillis());
        pass(DAY - 1);
        assertEquals(1, due(), "its reminder");
        assertEquals(ErrorCode.CONFLICT, refusal(() -> expire("q")));
        pass(1);
        expire("q");
        assertEquals(ApprovalRow.State.EXPIRED, question("q").state());
    }

    @Test
    void questionThatWasDecidedMovesNoMore() {
        ask("q", HOUR);
        journal.commit(
                Unit.of(new Operation.DecideApproval("q", ApprovalRow.State.DENIED, "user:b")));
        ApprovalRow decided = question("q");
        jump(DAY);
        assertEquals(decided.expiresAtMillis(), question("q").expiresAtMillis());
        assertEquals(decided.decidedAtMillis(), question("q").decidedAtMillis());
    }

    @Test
    void questionKeepsItsTimeWhileTheStoreIsClosed() {
        ask("q", HOUR);
        closedFor(3 * DAY);
        assertEquals(0, due());
        pass(HOUR);
        assertEquals(1, due());
        expire("q");
    }

    private void grant(String id, long endsAt) {
        journal.commit(
                Unit.of(
                        new Operation.PutGrant(
                                GrantRow.begin(
                                        id,
                                        "a",
                                        "",
                                        "u",
                                        "main",
                                        "t",
                                        "",
                                        new byte[1],
                                        endsAt,
                                        0))));
    }

    private GrantRow grant(String id) {
        return journal.grant(id).orElseThrow();
    }

    private void use(String id, int attempt) {
        journal.commit(Unit.of(new Operation.UseGrant(id, "c", attempt)));
    }

    @Test
    void grantLastsAsLongAsWasGivenWhateverTheClockDoes() {
        grant("g", wall.millis() + HOUR);
        grant("open", 0);
        wall.advance(DAY);
        assertEquals(2, journal.grants("u", "", "t", wall.millis(), "", 10).size());
        use("g", 1);
        wall.advance(-9 * DAY);
        pass(HOUR - 1);
        use("g", 2);
        wall.advance(-9 * DAY);
        pass(1);
        assertEquals(ErrorCode.CONFLICT, refusal(() -> use("g", 3)));
        assertEquals(0, grant("open").expiresAtMillis());
        use("open", 1);
    }

    /** Nobody knows how long a store was closed: what permits does not outlive it. */
    @Test
    void grantRunsOutWhileTheStoreIsClosed() {
        grant("short", wall.millis() + HOUR);
        grant("long", wall.millis() + 3 * HOUR);
        closedFor(2 * HOUR);
        assertEquals(ErrorCode.CONFLICT, refusal(() -> use("short", 1)));
        use("long", 1);
        closedFor(-30 * SECOND);
        assertEquals(ErrorCode.CONFLICT, refusal(() -> use("long", 2)));
        assertEquals(GrantRow.State.EXPIRED, grant("long").state());
        assertEquals(wall.millis(), grant("long").endedAtMillis());
    }

    @Test
    void jumpIsRecordedOnceAndTold() {
        assertTrue(journal.lastJump().isEmpty());
        jump(8 * DAY);
        apply("one");
        apply("two");
        jump(-HOUR);
        assertEquals(
                List.of(
                        "{\"byMillis\":691200000,\"closed\":false}",
                        "{\"byMillis\":-3600000,\"closed\":false}"),
                moves());
        assertEquals(
                "The system's clock went 3600 s back; noticed at"
                        + " 2023-11-22T21:13:20Z. Deadlines moved along.",
                journal.lastJump().orElseThrow().sentence());
        assertEquals(2, jumps());
        assertTrue(journal.verifyStream("journal", () -> false).intact());
        pass(DAY);
        assertTrue(journal.lastJump().isEmpty());
    }

    private double jumps() {
        return journal.metrics().stream()
                .filter(metric -> metric.name().equals("palyra_journal_clock_jumps_total"))
                .mapToDouble(metric -> metric.value())
                .sum();
    }

    @Test
    void closedStoreIsRecordedAndIsNoJumpUnlessTheClockWentBack() {
        apply("one");
        closedFor(DAY);
        Await.until("the move", () -> moves().size() == 1);
        assertTrue(journal.lastJump().isEmpty());
        closedFor(-HOUR);
        Await.until("the other move", () -> moves().size() == 2);
        assertTrue(journal.lastJump().orElseThrow().sentence().contains("3600 s back while"));
        assertEquals(
                List.of(
                        "{\"byMillis\":86400000,\"closed\":true}",
                        "{\"byMillis\":-3600000,\"closed\":true}"),
                moves());
    }

    @Test
    void clockThatIsSetInSmallStepsMovesNothingUntilTheyAddUp() {
        ApprovalRow asked = ask("q", HOUR);
        wall.advance(3 * SECOND);
        apply("one");
        assertEquals(asked.expiresAtMillis(), question("q").expiresAtMillis());
        wall.advance(3 * SECOND);
        apply("two");
        assertEquals(asked.expiresAtMillis() + 6 * SECOND, question("q").expiresAtMillis());
        assertEquals(1, moves().size());
    }

    /** Two good clocks drift apart a little, and that is all right. */
    @Test
    void driftIsFollowed() {
        ApprovalRow asked = ask("q", 90 * DAY);
        for (int day = 0; day < 30; day++) {
            pass(DAY);
            wall.advance(-2 * SECOND);
            apply("day " + day);
        }
        assertEquals(asked.expiresAtMillis(), question("q").expiresAtMillis());
        assertEquals(List.of(), moves());
        jump(-HOUR);
        assertEquals(List.of("{\"byMillis\":-3600000,\"closed\":false}"), moves());
    }

    @Test
    void quickRestartMovesNothing() {
        ApprovalRow asked = ask("q", HOUR);
        for (int i = 0; i < 4; i++) {
            pass(50 * SECOND);
            closedFor(2 * SECOND);
        }
        assertEquals(asked.expiresAtMillis(), question("q").expiresAtMillis());
        assertEquals(List.of(), moves());
    }
}
