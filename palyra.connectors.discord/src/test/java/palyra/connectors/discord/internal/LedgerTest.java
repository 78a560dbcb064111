package palyra.connectors.discord.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import palyra.api.channel.InboundMessage;
import palyra.api.channel.Sender;

/** The position: what it keeps, how large it gets, and what it never claims too early. */
class LedgerTest {
    private static final Place ROOM = new Place("1234567890123456789", "", false, "room");
    private static final Place THREAD =
            new Place("1334567890123456789", "1234567890123456789", false, "thread");
    private static final Place DIRECT = new Place("1434567890123456789", "", true, "");

    private static final InboundMessage SAID =
            InboundMessage.written(
                    "1",
                    new Sender("2", "anna", false, true),
                    ROOM.conversation(),
                    "hello",
                    true,
                    1_000);

    private final Ledger ledger = Ledger.read(Optional.empty(), 1);

    private static Ledger again(byte[] position) {
        return Ledger.read(Optional.of(position), 1);
    }

    private byte[] kept() {
        return ledger.changed().orElseThrow();
    }

    @Test
    void whatItKnowsComesBack() {
        ledger.isBot("1100000000000000001", "1100000000000000002");
        ledger.begun(0, "session", "wss://resume.test", 1, 4_609);
        ledger.seen(ROOM, 1_500_000_000_000_000_001L);
        ledger.seen(THREAD, 1_500_000_000_000_000_002L);
        ledger.seen(DIRECT, 1_500_000_000_000_000_003L);
        ledger.sent("key", ROOM.channel(), 1_500_000_000_000_000_004L);
        ledger.handled(0, 17);
        Ledger next = again(kept());
        assertEquals(
                new Ledger.Session("session", "wss://resume.test", 17, 4_609), next.session(0));
        assertEquals("1100000000000000001", next.bot());
        assertEquals("1100000000000000002", next.application());
        assertEquals(1_500_000_000_000_000_001L, next.last(ROOM.channel()));
        assertEquals("1234567890123456789", next.place(THREAD.channel()).orElseThrow().parent());
        assertTrue(next.place(DIRECT.channel()).orElseThrow().direct());
        assertFalse(next.place(ROOM.channel()).orElseThrow().direct());
        assertEquals(1_500_000_000_000_000_004L, next.sent("key").orElseThrow().message());
        assertEquals(List.of(), next.gaps());
        assertEquals(Optional.empty(), next.changed(), "nothing is to be written");
    }

    @Test
    void beforeItIsKnownWhatAnEarlierLifeKnewNothingIsKept() {
        Ledger unread = new Ledger(1);
        unread.sent("key", ROOM.channel(), 5);
        assertEquals(Optional.empty(), unread.changed());
        unread.load(Optional.empty());
        assertTrue(unread.changed().isPresent());
    }

    @Test
    void thePositionOfAMessageHasItWithoutClaimingItNow() {
        ledger.begun(0, "session", "wss://resume.test", 1, 4_609);
        Ledger after = again(ledger.with(0, 2, ROOM, 1_500_000_000_000_000_001L));
        assertEquals(2, after.session(0).sequence());
        assertEquals(1_500_000_000_000_000_001L, after.last(ROOM.channel()));
        assertEquals(1, ledger.session(0).sequence());
        assertEquals(0, ledger.last(ROOM.channel()));
    }

    @Test
    void anEventThatIsUnderWayComesAgain() {
        ledger.begun(0, "session", "wss://resume.test", 1, 4_609);
        Runnable release = ledger.hold(0, 2);
        ledger.handled(0, 2);
        ledger.handled(0, 3);
        assertEquals(1, ledger.durable(0));
        assertEquals(1, again(ledger.with(0, 4, ROOM, 5)).session(0).sequence());
        release.run();
        assertEquals(3, ledger.durable(0));
        Runnable late = ledger.hold(0, 4);
        ledger.begun(0, "other", "wss://resume.test", 1, 4_609);
        ledger.hold(0, 4);
        late.run();
        ledger.handled(0, 9);
        assertEquals(3, ledger.durable(0), "what is under way of another session stays so");
    }

    private boolean defers(String channel, long id) {
        return ledger.defers(channel, id, SAID, 0, 2);
    }

    @Test
    void aLostSessionLeavesGapsUntilTheyAreFilled() {
        ledger.begun(0, "session", "wss://resume.test", 1, 4_609);
        ledger.seen(ROOM, 100);
        ledger.forget(0);
        assertEquals(Ledger.Session.NONE, again(kept()).session(0));
        ledger.begun(0, "other", "wss://resume.test", 1, 4_609);
        assertEquals(List.of(ROOM.channel()), again(kept()).gaps(), "a crash keeps the gap");
        int left = ledger.left(ROOM.channel());
        assertTrue(defers(ROOM.channel(), 101), "it is fetched with those before it");
        assertFalse(defers(ROOM.channel(), 100), "it came before");
        assertFalse(defers("999", 101), "a new conversation lacks nothing");
        assertFalse(ledger.closed(ROOM.channel(), left), "one came after the look");
        ledger.seen(ROOM, 101);
        assertTrue(ledger.closed(ROOM.channel(), ledger.left(ROOM.channel())));
        assertEquals(List.of(), ledger.gaps());
        assertFalse(defers(ROOM.channel(), 102));
    }

    @Test
    void aSessionLostAgainDuringTheLookLeavesTheGap() {
        ledger.seen(ROOM, 100);
        ledger.forget(0);
        int left = ledger.left(ROOM.channel());
        ledger.forget(0);
        assertFalse(ledger.closed(ROOM.channel(), left));
        assertEquals(List.of(ROOM.channel()), ledger.gaps());
    }

    @Test
    void manyConversationsStayWithinTheBoundAndTheLastUsedRemain() {
        ledger.begun(0, "s".repeat(32), "wss://gateway-us-east1-b.discord.gg", 123_456_789, 37_377);
        for (int i = 0; i < 3_000; i++) {
            String id = Long.toString(1_200_000_000_000_000_000L + i);
            String parent = i % 2 == 0 ? "" : Long.toString(1_100_000_000_000_000_000L + i);
            ledger.seen(new Place(id, parent, false, ""), 1_500_000_000_000_000_000L + i);
            ledger.sent("key-" + i, id, 1_500_000_000_000_000_000L + i);
        }
        byte[] position = kept();
        assertTrue(position.length <= 16_384, position.length + " bytes");
        Ledger next = again(position);
        assertEquals(1_500_000_000_000_002_999L, next.last("1200000000000002999"));
        assertEquals(0, next.last("1200000000000000000"));
        assertTrue(next.last("1200000000000002700") > 0, "hundreds remain");
    }

    @Test
    void anotherNumberOfShardsBeginsSessionsAnewAndCatchesUp() {
        ledger.begun(0, "session", "wss://resume.test", 1, 4_609);
        ledger.seen(ROOM, 100);
        Ledger next = Ledger.read(Optional.of(kept()), 2);
        assertEquals(Ledger.Session.NONE, next.session(0));
        assertEquals(Ledger.Session.NONE, next.session(1));
        assertEquals(List.of(ROOM.channel()), next.gaps());
    }

    @Test
    void anotherBotKnowsNothingOfTheFirst() {
        ledger.isBot("1100000000000000001", "");
        ledger.seen(ROOM, 100);
        ledger.isBot("1100000000000000009", "");
        assertEquals(0, ledger.last(ROOM.channel()));
    }

    @Test
    void aKeyOfAnotherGatewayIsToldFromOwnAndOldOnes() {
        String key = "AbCdEfGhIjKlMnOpQrStUv0";
        long later = Snowflakes.first(System.currentTimeMillis() + 120_000);
        assertTrue(ledger.isForeign(key, later));
        assertFalse(ledger.isForeign("key-1", later), "it is no gateway's");
        assertFalse(
                ledger.isForeign(key, Snowflakes.first(System.currentTimeMillis())),
                "an earlier life may have sent it");
        ledger.sending(key);
        assertFalse(ledger.isForeign(key, later));
    }

    @Test
    void aDamagedPositionCountsAsNone() {
        for (String text : List.of("", "{", "[]", "{\"v\":9}", "{\"v\":1,\"c\":[\"..\",7]}")) {
            Ledger next = again(text.getBytes(StandardCharsets.UTF_8));
            assertEquals(Ledger.Session.NONE, next.session(0));
        }
    }

    @Test
    void whatIsNoIdIsNoOtherBot() {
        Ledger ledger = Ledger.read(Optional.empty(), 1);
        ledger.isBot("1100000000000000001", "1100000000000000002");
        ledger.seen(new Place("1234567890123456789", "", false, "room"), 17);
        for (String odd : List.of("", "null", "x", "-1", "12345678901234567890")) {
            ledger.isBot(odd, odd);
        }
        assertEquals(17, ledger.last("1234567890123456789"));
        assertEquals("1100000000000000001", ledger.bot());
        assertEquals("1100000000000000002", ledger.application());
    }
}
