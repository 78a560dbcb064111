package palyra.connectors.discord.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Random;
import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import palyra.connectors.discord.internal.GatewayMachine.Action;
import palyra.connectors.discord.internal.GatewayMachine.Event;
import palyra.connectors.discord.internal.GatewayMachine.State;

/** Events in, actions out: what follows from what on one connection after another. */
class GatewayMachineTest {
    private static final LongUnaryOperator MOST = most -> most - 1;
    private static final String URL = "wss://gateway.discord.gg";
    private static final String RESUME_URL = "wss://resume.discord.gg";
    private static final Event BEGIN = new Event.Begin();
    private static final Event HELLO = new Event.Hello(40_000);
    private static final Event READY = new Event.Ready("s1", RESUME_URL);

    private long now = 1_000_000;

    private static GatewayMachine fresh() {
        return new GatewayMachine("", "", GatewayMachine.Waits.USUAL, MOST);
    }

    private static GatewayMachine resumable() {
        return new GatewayMachine("s1", RESUME_URL, GatewayMachine.Waits.USUAL, MOST);
    }

    private List<Action> on(GatewayMachine machine, Event event) {
        return machine.on(event, now);
    }

    private GatewayMachine ready() {
        GatewayMachine machine = resumable();
        on(machine, BEGIN);
        on(machine, HELLO);
        on(machine, new Event.Resumed());
        return machine;
    }

    private static long waited(List<Action> actions) {
        return assertInstanceOf(Action.Wait.class, actions.getLast()).millis();
    }

    @Test
    void aFirstConnectionIdentifies() {
        GatewayMachine machine = fresh();
        assertEquals(List.of(new Action.Find()), on(machine, BEGIN));
        assertEquals(
                List.of(new Action.Open(URL, true)), on(machine, new Event.Found(URL, 1_000, 0)));
        assertEquals(List.of(new Action.Identify()), on(machine, HELLO));
        assertEquals(State.IDENTIFYING, machine.state());
        assertEquals(List.of(), on(machine, READY));
        assertEquals(State.READY, machine.state());
        assertEquals("", machine.reason());
    }

    @Test
    void aKnownSessionIsResumedAtItsOwnAddress() {
        GatewayMachine machine = resumable();
        assertEquals(List.of(new Action.Open(RESUME_URL, false)), on(machine, BEGIN));
        assertEquals(List.of(new Action.Resume("s1")), on(machine, HELLO));
        assertEquals(State.RESUMING, machine.state());
        on(machine, new Event.Resumed());
        assertEquals(State.READY, machine.state());
    }

    @Test
    void anAddressOfASessionThatIsAwayIsReplacedAndTheSessionKept() {
        GatewayMachine machine = resumable();
        for (int i = 0; i < 2; i++) {
            assertEquals(List.of(new Action.Open(RESUME_URL, false)), on(machine, BEGIN));
            assertInstanceOf(
                    Action.Wait.class, on(machine, new Event.Unreachable("away", 0)).getLast());
        }
        assertEquals(List.of(new Action.Find()), on(machine, BEGIN));
        assertEquals(
                List.of(new Action.Open(URL, false)), on(machine, new Event.Found(URL, 0, 5_000)));
        assertEquals(List.of(new Action.Resume("s1")), on(machine, HELLO));
    }

    @Test
    void withoutLoginsItWaitsUntilDiscordCountsAnew() {
        GatewayMachine machine = fresh();
        on(machine, BEGIN);
        assertEquals(7_200_000, waited(on(machine, new Event.Found(URL, 0, 7_200_000))));
        assertEquals(State.BACKOFF, machine.state());
        assertEquals(now + 7_200_000, machine.waitUntil());
        assertTrue(machine.reason().contains("log in"), machine.reason());
    }

    @Test
    void failuresWaitLongerUpToTwoMinutes() {
        GatewayMachine machine = fresh();
        long before = 0;
        for (int i = 0; i < 12; i++) {
            on(machine, BEGIN);
            long wait = waited(on(machine, new Event.Unreachable("away", 0)));
            assertTrue(wait >= before && wait <= 120_000, "wait " + wait);
            before = wait;
        }
        assertEquals(120_000, before);
        on(machine, BEGIN);
        assertEquals(500_000, waited(on(machine, new Event.Unreachable("slow down", 500_000))));
    }

    @Test
    void jitterIsFull() {
        Random seeded = new Random(24);
        boolean low = false;
        boolean high = false;
        for (int i = 0; i < 200; i++) {
            GatewayMachine machine =
                    new GatewayMachine("", "", GatewayMachine.Waits.USUAL, seeded::nextLong);
            for (int failures = 0; failures < 10; failures++) {
                on(machine, BEGIN);
                long wait = waited(on(machine, new Event.Unreachable("away", 0)));
                low |= failures == 9 && wait < 30_000;
                high |= failures == 9 && wait > 90_000;
            }
        }
        assertTrue(low && high, "waits are spread over all of the range");
    }

    @Test
    void heartbeatsAreSentAtTheirTimeAndAnswered() {
        GatewayMachine machine = ready();
        assertEquals(List.of(), on(machine, new Event.Tick(now)));
        for (int i = 0; i < 5; i++) {
            now += 40_000;
            assertEquals(List.of(new Action.Beat()), on(machine, new Event.Tick(now - 30_000)));
            on(machine, new Event.Ack());
        }
        assertEquals(State.READY, machine.state());
        assertEquals(List.of(new Action.Beat()), on(machine, new Event.BeatAsked()));
    }

    @Test
    void aHeartbeatWithoutAnAnswerClosesWhatIsDead() {
        GatewayMachine machine = ready();
        long waiting = now;
        now += 40_000;
        assertEquals(List.of(new Action.Beat()), on(machine, new Event.Tick(waiting)));
        now += 40_000;
        assertInstanceOf(Action.Close.class, on(machine, new Event.Tick(waiting)).getFirst());
        assertEquals("Discord did not answer a heartbeat.", machine.reason());
        List<Action> then = on(machine, new Event.Broken("cut"));
        assertEquals(new Action.Drop(), then.getFirst());
        assertEquals(1, waited(then), "it was good for long: another one is made at once");
        assertEquals(List.of(new Action.Open(RESUME_URL, false)), on(machine, BEGIN));
    }

    @Test
    void aReaderThatHandsInIsNotTakenForADeadConnection() {
        GatewayMachine machine = ready();
        for (int i = 0; i < 10; i++) { // as long as the journal takes nothing
            now += 40_000;
            assertEquals(List.of(new Action.Beat()), on(machine, new Event.Tick(Long.MAX_VALUE)));
        }
        now += 40_000;
        assertEquals(
                List.of(new Action.Beat()),
                on(machine, new Event.Tick(now - 10)),
                "what waits to be read may be the answer");
        now += 40_000;
        assertInstanceOf(Action.Close.class, on(machine, new Event.Tick(now - 40_000)).getFirst());
    }

    /** A connection may answer heartbeats and bring no events any more; resuming costs nothing. */
    @Test
    void aConnectionWithoutEventsIsReplacedThoughHeartbeatsAreAnswered() {
        GatewayMachine machine = ready();
        long last = now;
        for (int i = 0; i < 40; i++) { // longer than one may be quiet, with an event in the middle
            now += 40_000;
            if (i == 20) {
                on(machine, new Event.Dispatched());
                last = now;
            }
            if (now - last < GatewayMachine.QUIET_MILLIS) {
                assertEquals(List.of(new Action.Beat()), on(machine, new Event.Tick(now)), "" + i);
                on(machine, new Event.Ack());
            }
        }
        now = last + GatewayMachine.QUIET_MILLIS;
        assertEquals(List.of(new Action.Beat()), on(machine, new Event.Tick(Long.MAX_VALUE)));
        assertInstanceOf(Action.Close.class, on(machine, new Event.Tick(now)).getFirst());
        assertEquals(1, waited(on(machine, new Event.Closed(4000, ""))));
        assertEquals(List.of(new Action.Open(RESUME_URL, false)), on(machine, BEGIN));
    }

    @Test
    void silenceBeforeTheGreetingAndBeforeTheSessionIsBounded() {
        GatewayMachine machine = fresh();
        on(machine, BEGIN);
        on(machine, new Event.Found(URL, 1, 0));
        now += 20_001;
        assertInstanceOf(Action.Close.class, on(machine, new Event.Tick(0)).getFirst());
        assertEquals(List.of(), on(machine, new Event.Tick(0)));
        GatewayMachine greeted = fresh();
        on(greeted, BEGIN);
        on(greeted, new Event.Found(URL, 1, 0));
        on(greeted, HELLO);
        now += 60_001;
        assertInstanceOf(Action.Close.class, on(greeted, new Event.Tick(0)).getFirst());
    }

    @Test
    void anInvalidSessionIsForgottenUnlessDiscordSaysOtherwise() {
        GatewayMachine kept = resumable();
        on(kept, BEGIN);
        on(kept, HELLO);
        List<Action> again = on(kept, new Event.Invalid(true));
        assertFalse(again.contains(new Action.Forget()));
        assertTrue(waited(again) >= 1_000 && waited(again) <= 5_000);
        assertEquals(List.of(new Action.Open(RESUME_URL, false)), on(kept, BEGIN));
        GatewayMachine lost = resumable();
        on(lost, BEGIN);
        on(lost, HELLO);
        List<Action> then = on(lost, new Event.Invalid(false));
        assertEquals(List.of(new Action.Drop(), new Action.Forget()), then.subList(0, 2));
        assertTrue(waited(then) >= 1_000 && waited(then) <= 5_000);
        assertEquals(List.of(new Action.Find()), on(lost, BEGIN));
    }

    @Test
    void aLoginThatComesTooEarlyForgetsNothing() {
        GatewayMachine machine = fresh();
        on(machine, BEGIN);
        on(machine, new Event.Found(URL, 1, 0));
        on(machine, HELLO);
        List<Action> then = on(machine, new Event.Invalid(false));
        assertFalse(then.contains(new Action.Forget()), "there was no session");
    }

    @ParameterizedTest
    @ValueSource(ints = {4004, 4010, 4011, 4012, 4013, 4014})
    void fatalClosesStopItWithARemedy(int code) {
        GatewayMachine machine = ready();
        List<Action> then = on(machine, new Event.Closed(code, ""));
        assertEquals(List.of(new Action.Drop(), new Action.Fail(code)), then);
        assertEquals(State.FAILED, machine.state());
        assertTrue(machine.reason().contains(CloseCodes.name(code)), machine.reason());
        assertTrue(machine.reason().contains(CloseCodes.remedy(code)), machine.reason());
        assertFalse(CloseCodes.remedy(code).isEmpty());
    }

    @Test
    void disallowedIntentsAreNamedAsTheDeveloperPortalNamesThem() {
        String remedy = CloseCodes.remedy(4014);
        assertTrue(remedy.contains("Message Content Intent"), remedy);
        assertTrue(remedy.contains("Privileged Gateway Intents"), remedy);
        assertTrue(CloseCodes.remedy(4004).contains("Reset Token"));
    }

    @ParameterizedTest
    @ValueSource(ints = {4003, 4007, 4009, 1000, 1001})
    void someClosesEndTheSession(int code) {
        GatewayMachine machine = ready();
        assertTrue(on(machine, new Event.Closed(code, "")).contains(new Action.Forget()));
        assertEquals(List.of(new Action.Find()), on(machine, BEGIN));
    }

    @ParameterizedTest
    @ValueSource(ints = {4000, 4001, 4002, 4005, 4008, 1005, 1006, 1011, 1012})
    void otherClosesResume(int code) {
        GatewayMachine machine = ready();
        assertFalse(on(machine, new Event.Closed(code, "")).contains(new Action.Forget()));
        assertEquals(List.of(new Action.Open(RESUME_URL, false)), on(machine, BEGIN));
    }

    @Test
    void aWishForAnotherConnectionResumesAtOnce() {
        GatewayMachine machine = ready();
        List<Action> then = on(machine, new Event.Reconnect());
        assertEquals(List.of(new Action.Drop(), new Action.Wait(1)), then);
    }

    @Test
    void connectionsThatFlapAreMadeEverMoreSlowly() {
        GatewayMachine machine = ready();
        long before = 0;
        for (int i = 0; i < 10; i++) {
            now += 1_000;
            long wait = waited(on(machine, new Event.Closed(4000, "")));
            assertTrue(wait >= before, wait + " after " + before);
            before = wait;
            on(machine, BEGIN);
            on(machine, HELLO);
            on(machine, new Event.Resumed());
        }
        assertTrue(before > 60_000, "wait " + before);
        now += 30_000;
        on(machine, new Event.Tick(now));
        assertEquals(1, waited(on(machine, new Event.Closed(4000, ""))));
    }

    @Test
    void sessionsThatEndAgainAndAgainLookLikeTwoPrograms() {
        GatewayMachine machine = ready();
        for (int i = 0; i < 3; i++) {
            assertFalse(machine.isContended(now));
            now += 5_000;
            on(machine, new Event.Closed(i == 1 ? 4005 : 4009, ""));
            on(machine, BEGIN);
            on(machine, new Event.Found(URL, 100, 0));
            on(machine, HELLO);
            on(machine, READY);
        }
        assertTrue(machine.isContended(now));
        now += 700_000;
        assertFalse(machine.isContended(now), "it was long ago");
    }

    @Test
    void sessionsThatEndAfterHoursLookLikeNothing() {
        GatewayMachine machine = ready();
        for (int i = 0; i < 5; i++) {
            now += 100_000;
            on(machine, new Event.Closed(4009, ""));
            on(machine, BEGIN);
            on(machine, new Event.Found(URL, 100, 0));
            on(machine, HELLO);
            on(machine, READY);
        }
        assertFalse(machine.isContended(now));
    }

    /** What cuts every twenty seconds may be a proxy; the bot works in between. */
    @Test
    void sessionsThatAreOfUseAreMadeAgainSoon() {
        GatewayMachine machine = ready();
        for (int i = 0; i < 20; i++) {
            on(machine, new Event.Dispatched());
            now += 20_000;
            long wait = waited(on(machine, new Event.Closed(4000, "")));
            assertTrue(wait <= 2_000, "wait " + wait + " in round " + i);
            on(machine, BEGIN);
            on(machine, HELLO);
            on(machine, new Event.Resumed());
        }
    }

    /** Each of them costs a login, of which there are a thousand a day. */
    @Test
    void sessionsThatAreLostAgainAndAgainAreBegunEverMoreSlowly() {
        GatewayMachine closed = ready();
        GatewayMachine invalid = ready();
        long wait = 0;
        long invalidWait = 0;
        for (int i = 0; i < 12; i++) {
            on(closed, new Event.Dispatched());
            on(invalid, new Event.Dispatched());
            now += 10_000;
            wait = waited(on(closed, new Event.Closed(4009, "")));
            invalidWait = waited(on(invalid, new Event.Invalid(false)));
            for (GatewayMachine machine : List.of(closed, invalid)) {
                on(machine, BEGIN);
                on(machine, new Event.Found(URL, 100, 0));
                on(machine, HELLO);
                on(machine, READY);
            }
        }
        assertTrue(wait > 60_000, "wait " + wait);
        assertTrue(invalidWait > 60_000, "wait " + invalidWait);
    }

    @Test
    void aSessionThatCannotBeUsedIsAFailureWithItsReason() {
        GatewayMachine machine = fresh();
        long before = 0;
        for (int i = 0; i < 5; i++) {
            on(machine, BEGIN);
            on(machine, new Event.Found(URL, 100, 0));
            on(machine, HELLO);
            List<Action> then = on(machine, new Event.Unusable("It named no bot.", false));
            assertEquals(new Action.Drop(), then.getFirst());
            assertEquals("It named no bot.", machine.reason());
            assertEquals(State.BACKOFF, machine.state());
            assertTrue(waited(then) > before, "ever more slowly");
            before = waited(then);
        }
    }

    @Test
    void aSessionOfEarlierIntentsIsGivenUpForAnother() {
        GatewayMachine machine = resumable();
        on(machine, BEGIN);
        on(machine, HELLO);
        List<Action> then = on(machine, new Event.Unusable("other intents", true));
        assertEquals(List.of(new Action.Drop(), new Action.Forget(), new Action.Wait(1)), then);
        assertEquals(List.of(new Action.Find()), on(machine, BEGIN));
    }
}
