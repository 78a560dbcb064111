package palyra.connectors.discord.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.channel.ConnectorStatus.State;
import palyra.api.channel.InboundMessage;
import palyra.testing.discord.Chaos;
import palyra.testing.discord.Connection;
import palyra.testing.discord.Guild;
import palyra.testing.discord.Intent;
import palyra.testing.discord.Message;
import palyra.testing.discord.Moment;
import palyra.testing.discord.Trouble;
import palyra.testing.http.FaultyApi.Fault;
import palyra.testing.wait.Await;

/** Sessions that go on, sessions that are lost, and what is missed in neither. */
class ConnectionTest {
    private static final String FIND = "GET /gateway/bot";
    private static final String HISTORY = "GET /channels/{channel_id}/messages";

    private final Stage stage = new Stage();

    @AfterEach
    void close() {
        List<String> broken = stage.discord.violations();
        stage.close();
        assertEquals(List.of(), broken, "Discord's rules");
    }

    private void say(String... texts) {
        for (String text : texts) {
            stage.discord.say(stage.anna, stage.dm, text);
        }
    }

    @Test
    void aSwapResumesTheSessionAndMissesNothing() {
        stage.ready();
        say("a");
        stage.awaitTexts("a");
        stage.connector.stop();
        say("b", "c");
        stage.swap();
        say("d");
        stage.awaitTexts("a", "b", "c", "d");
        assertEquals(1, stage.discord.gateway().readies());
        assertEquals(1, stage.discord.gateway().resumes());
    }

    @Test
    void aStopDoesNotEndTheSession() {
        stage.ready();
        stage.connector.stop();
        Await.until(
                "the connection to end",
                () -> stage.discord.gateway().connections().stream().noneMatch(Connection::open));
        int code = stage.discord.gateway().connections().getFirst().clientCode();
        assertTrue(code == 0 || code == 4000, "closed with " + code);
        stage.swap();
        assertEquals(1, stage.discord.gateway().resumes());
        assertTrue(stage.discord.gateway().awaitConnected().atResumeUrl());
    }

    @Test
    void aCrashThatForgotTheLastMessagesTakesThemOnce() {
        stage.ready();
        say("a");
        stage.awaitTexts("a");
        byte[] earlier = stage.context.keptPosition().orElseThrow();
        say("b", "c");
        stage.awaitTexts("a", "b", "c");
        stage.crash(earlier);
        say("d");
        stage.awaitTexts("a", "b", "c", "d");
        assertTrue(stage.context.handedIn().size() > 4, "they came again");
    }

    @ParameterizedTest
    @EnumSource(
            value = Trouble.class,
            names = {"DROP", "LEAVE", "RECONNECT", "INVALID_RESUMABLE", "ZOMBIE"})
    void aConnectionThatEndsIsResumed(Trouble trouble) {
        stage.discord.gateway().heartbeatEvery(Duration.ofMillis(150));
        stage.ready();
        say("a");
        stage.awaitTexts("a");
        stage.discord.gateway().befall(trouble);
        say("b");
        stage.discord.gateway().awaitResumes(1);
        say("c");
        stage.awaitTexts("a", "b", "c");
        assertEquals(1, stage.discord.gateway().readies());
    }

    @ParameterizedTest
    @EnumSource(Moment.class)
    void aConnectionThatEndsAtAnyMomentIsMadeAgain(Moment moment) {
        stage.ready();
        say("a");
        stage.awaitTexts("a");
        stage.discord.gateway().befall(moment, Trouble.DROP);
        stage.discord.gateway().befall(Trouble.INVALID);
        say("b");
        Await.until("another session", () -> stage.connector.status().state() == State.READY);
        stage.discord.gateway().befall(Trouble.DROP);
        say("c");
        stage.awaitTexts("a", "b", "c");
    }

    @Test
    void heartbeatsAreSentAndAnsweredWhenAskedFor() {
        stage.discord.gateway().heartbeatEvery(Duration.ofMillis(400));
        stage.ready();
        Await.until("heartbeats", () -> beats() >= 3);
        int before = beats();
        stage.discord.gateway().askForHeartbeat();
        Await.until("one more", () -> beats() > before);
        assertEquals(State.READY, stage.connector.status().state());
        assertEquals(1, stage.discord.gateway().connections().size());
    }

    /** Discord closes a connection on which its question is not answered in time. */
    @Test
    void aHeartbeatThatIsAskedForWaitsForNoEvent() {
        stage.ready();
        CountDownLatch free = new CountDownLatch(1);
        stage.before =
                message -> {
                    try {
                        free.await();
                    } catch (InterruptedException e) {
                        throw new PalyraException(ErrorCode.JOURNAL_UNAVAILABLE, "interrupted");
                    }
                };
        say("a");
        Await.until("it to be handed in", () -> !stage.context.handedIn().isEmpty());
        int before = beats();
        stage.discord.gateway().askForHeartbeat();
        Await.until("one more", () -> beats() > before);
        assertEquals(List.of(), stage.context.stored());
        free.countDown();
        stage.awaitTexts("a");
    }

    private int beats() {
        return stage.discord.gateway().connections().getFirst().heartbeats();
    }

    @Test
    void aJournalThatTakesNothingForLongDoesNotLookLikeADeadConnection() {
        stage.discord.gateway().heartbeatEvery(Duration.ofMillis(100));
        stage.ready();
        stage.before =
                message -> {
                    throw new PalyraException(ErrorCode.DISK_FULL, "The disk is full.");
                };
        say("a");
        stage.awaitState(State.DEGRADED);
        int before = beats();
        Await.until("many heartbeats", () -> beats() > before + 5);
        assertEquals(1, stage.discord.gateway().connections().size());
        stage.before = message -> {};
        stage.awaitTexts("a");
        stage.awaitState(State.READY);
    }

    @Test
    void whatWasWrittenWhileTheSessionWasLostIsFetchedInOrder() {
        stage.ready();
        say("a");
        stage.awaitTexts("a");
        stage.connector.stop();
        say("b", "c");
        stage.discord.gateway().forget();
        stage.swap();
        say("d");
        stage.awaitTexts("a", "b", "c", "d");
        assertEquals(2, stage.discord.gateway().readies());
    }

    @Test
    void whatComesWhileItIsFetchedKeepsItsOrder() throws Exception {
        stage.ready();
        say("a");
        stage.awaitTexts("a");
        stage.connector.stop();
        say("b");
        stage.discord.gateway().forget();
        java.util.concurrent.CountDownLatch asked = new java.util.concurrent.CountDownLatch(1);
        java.util.concurrent.CountDownLatch answer = new java.util.concurrent.CountDownLatch(1);
        stage.discord.fail(
                HISTORY,
                (exchange, act) -> {
                    var reply = act.run();
                    asked.countDown();
                    answer.await();
                    reply.send(exchange);
                });
        stage.swap();
        asked.await();
        say("c", "d"); // after the look, before its answer
        palyra.testing.discord.User bert = stage.discord.user("bert");
        stage.discord.say(bert, stage.discord.dm(bert), "another conversation waits for nothing");
        Await.until("bert's", () -> stage.texts().size() == 2);
        answer.countDown();
        stage.awaitTexts("a", "another conversation waits for nothing", "b", "c", "d");
    }

    @Test
    void hundredsOfMessagesAreFetchedAndACrashInBetweenLosesNone() {
        stage.ready();
        say("0");
        stage.awaitTexts("0");
        stage.connector.stop();
        List<String> expected = new ArrayList<>(List.of("0"));
        IntStream.rangeClosed(1, 250)
                .forEach(
                        i -> {
                            say("t" + i);
                            expected.add("t" + i);
                        });
        stage.discord.gateway().forget();
        stage.before =
                message -> {
                    if (message.text().equals("t120")) {
                        throw new PalyraException(ErrorCode.DISK_FULL, "The disk is full.");
                    }
                };
        stage.swap();
        Await.until("some", () -> stage.texts().size() == 120);
        stage.connector.stop();
        stage.before = message -> {};
        stage.swap();
        stage.awaitTexts(expected.toArray(String[]::new));
        assertEquals(1, stage.discord.gateway().resumes(), "the new session went on");
    }

    @Test
    void whatWasDeletedMeanwhileIsNotTaken() {
        stage.ready();
        say("a");
        stage.awaitTexts("a");
        stage.connector.stop();
        Message gone = stage.discord.say(stage.anna, stage.dm, "gone");
        stage.discord.delete(gone);
        say("b");
        stage.discord.gateway().forget();
        stage.swap();
        stage.awaitTexts("a", "b");
    }

    /** Loses the session and lets a message be written that is fetched in the same life. */
    private Message missed(String text) {
        stage.discord.cut();
        Message missed = stage.discord.say(stage.anna, stage.dm, text);
        stage.discord.gateway().forget();
        return missed;
    }

    @Test
    void whatWasFetchedAndIsDeletedLaterIsToldToBe() {
        stage.ready();
        say("a");
        stage.awaitTexts("a");
        Message missed = missed("b");
        stage.discord.comeBack();
        stage.awaitTexts("a", "b");
        stage.awaitState(State.READY);
        stage.discord.delete(missed);
        Await.until("the deletion", () -> stage.context.stored().size() == 3);
        InboundMessage deleted = stage.context.stored().getLast();
        assertEquals(InboundMessage.Event.DELETED, deleted.event());
        assertEquals(missed.id(), deleted.messageId());
    }

    @Test
    void whatIsDeletedWhileItIsFetchedIsNotTaken() throws Exception {
        stage.ready();
        say("a");
        stage.awaitTexts("a");
        Message missed = missed("gone");
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch answer = new CountDownLatch(1);
        stage.discord.fail(
                HISTORY,
                (exchange, act) -> {
                    var reply = act.run();
                    asked.countDown();
                    answer.await();
                    reply.send(exchange);
                });
        stage.discord.comeBack();
        asked.await();
        stage.discord.delete(missed);
        palyra.testing.discord.User bert = stage.discord.user("bert");
        stage.discord.say(bert, stage.discord.dm(bert), "behind it");
        stage.awaitTexts("a", "behind it");
        answer.countDown();
        say("b");
        stage.awaitTexts("a", "behind it", "b");
    }

    /** When the deletion is told the message is not known yet, so the deletion alone is nothing. */
    @Test
    void whatIsDeletedWhileItIsHandedInIsTakenBack() {
        stage.ready();
        say("a");
        stage.awaitTexts("a");
        Message missed = missed("gone");
        palyra.testing.discord.User bert = stage.discord.user("bert");
        stage.before =
                message -> {
                    if (message.text().equals("gone")) {
                        stage.discord.delete(missed);
                        stage.discord.say(bert, stage.discord.dm(bert), "behind it");
                        Await.until("it", () -> stage.texts().contains("behind it"));
                    }
                };
        stage.discord.comeBack();
        stage.awaitTexts("a", "behind it", "gone", "");
        InboundMessage last = stage.context.stored().getLast();
        assertEquals(InboundMessage.Event.DELETED, last.event());
        assertEquals(missed.id(), last.messageId());
        assertEquals(stage.anna.id(), last.sender().id());
    }

    /** Nothing of that conversation is taken meanwhile, so all is not well. */
    @Test
    void whatCannotBeFetchedNowIsToldUntilItIs() {
        stage.ready();
        say("a");
        stage.awaitTexts("a");
        stage.discord.failAll(HISTORY, Fault.answering(503, "{\"message\":\"Upstream\"}"));
        missed("b");
        stage.discord.comeBack();
        stage.awaitReason("Discord answered 503: Upstream");
        stage.awaitState(State.DEGRADED);
        stage.awaitReason("channel " + stage.dm.id());
        say("c");
        stage.discord.recover(HISTORY);
        stage.awaitTexts("a", "b", "c");
        stage.awaitState(State.READY);
        assertEquals("", stage.connector.status().reason());
    }

    @Test
    void aChannelThatCannotBeReadAnyMoreHoldsUpNothing() {
        Guild guild = stage.discord.guild("guild");
        var room = stage.discord.textChannel(guild, "room");
        stage.ready();
        stage.discord.say(stage.anna, room, "<@" + stage.discord.bot().id() + "> a");
        stage.awaitTexts("a");
        say("b");
        stage.awaitTexts("a", "b");
        stage.connector.stop();
        stage.discord.delete(room);
        say("c");
        stage.discord.gateway().forget();
        stage.swap();
        stage.awaitTexts("a", "b", "c");
    }

    @Test
    void aSequenceThatDiscordDoesNotKnowIsCaughtUpFor() throws Exception {
        stage.ready();
        say("a");
        stage.awaitTexts("a");
        stage.connector.stop();
        say("b");
        ObjectNode position =
                (ObjectNode) DiscordApi.JSON.readTree(stage.context.keptPosition().orElseThrow());
        ((com.fasterxml.jackson.databind.node.ArrayNode) position.path("s").path(0)).set(2, 9_999);
        stage.crash(position.toString().getBytes(StandardCharsets.UTF_8));
        stage.awaitTexts("a", "b");
        assertEquals(2, stage.discord.gateway().readies());
    }

    @Test
    void anIntentThatIsNotOnIsNamedAndTriedAgainOnceItIs() {
        stage.with(true, 1).start();
        stage.awaitState(State.FAILED);
        assertTrue(
                stage.connector.status().reason().contains("Message Content Intent"),
                stage.connector.status().reason());
        int tries = stage.discord.gateway().connections().size();
        int looks = stage.discord.calls("GET /applications/@me").size();
        Await.until("looks", () -> stage.discord.calls("GET /applications/@me").size() > looks + 2);
        assertEquals(tries, stage.discord.gateway().connections().size(), "no login was spent");
        stage.discord.gateway().grant(Intent.MESSAGE_CONTENT);
        stage.awaitState(State.READY);
    }

    @Test
    void aTokenThatDiscordDoesNotKnowWaitsForAnother() {
        stage.token("MTEwMDAwMDAwMDAwMDAwMDAwMQ.Gxxxx.wrong-token-of-the-right-form");
        stage.start();
        stage.awaitState(State.FAILED);
        assertTrue(
                stage.connector.status().reason().contains("Reset Token"),
                stage.connector.status().reason());
        assertFalse(stage.connector.status().reason().contains("wrong-token"));
        int calls = stage.discord.calls(FIND).size();
        assertEquals(1, calls);
        stage.token(stage.discord.token());
        stage.awaitState(State.READY);
    }

    @Test
    void aTokenThatIsResetWhileItIsConnectedIsTakenUp() {
        stage.ready();
        say("a");
        stage.awaitTexts("a");
        String other = stage.discord.resetToken();
        stage.discord.gateway().close(4004, "Authentication failed.");
        stage.awaitState(State.FAILED);
        say("b");
        stage.token(other);
        stage.awaitState(State.READY);
        stage.awaitTexts("a", "b");
    }

    /** The vault has another token by the time at which Discord refuses the old one. */
    @Test
    void aTokenThatIsPutWhileTheOldOneIsRefusedIsTakenUp() throws Exception {
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch answer = new CountDownLatch(1);
        stage.token("MTEwMDAwMDAwMDAwMDAwMDAwMQ.Gxxxx.wrong-token-of-the-right-form");
        stage.discord.fail(
                FIND,
                (exchange, act) -> {
                    var refused = act.run();
                    asked.countDown();
                    answer.await();
                    refused.send(exchange);
                });
        stage.start();
        asked.await();
        stage.token(stage.discord.token());
        answer.countDown();
        stage.awaitState(State.READY);
    }

    @Test
    void withoutATokenItSaysWhere() {
        stage.withoutToken();
        stage.start();
        stage.awaitState(State.FAILED);
        stage.awaitReason(Settings.TOKEN);
        stage.token(stage.discord.token());
        stage.awaitState(State.READY);
    }

    @Test
    void withoutLoginsNoneIsTried() {
        stage.discord.gateway().sessionStarts(0);
        stage.start();
        stage.awaitReason("log in");
        assertEquals(List.of(), stage.discord.gateway().connections());
        assertTrue(
                stage.connector.status().nextAttemptAtMillis()
                        > System.currentTimeMillis() + 3_600_000);
    }

    @Test
    void tooFewShardsAreNamed() {
        stage.discord.gateway().shards(2);
        stage.start();
        stage.awaitState(State.FAILED);
        stage.awaitReason("Sharding required");
    }

    @Test
    void shardsLogInAtDiscordsPaceAndEachHasItsServers() {
        stage.discord.gateway().shards(3);
        stage.discord.gateway().concurrency(1, Duration.ofMillis(50));
        List<palyra.testing.discord.Channel> rooms = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            rooms.add(stage.discord.textChannel(stage.discord.guild("guild " + i), "room " + i));
        }
        stage.settings = Settings.of(stage.discord.restBase(), false, 3, java.util.Set.of());
        Account.Waits waits =
                new Account.Waits(Stage.QUICK.gateway(), Stage.QUICK.again(), 5, 20, 80);
        stage.connector = new DiscordConnector(stage.settings, stage.egress, stage.sockets, waits);
        stage.ready();
        for (var room : rooms) {
            stage.discord.say(
                    stage.anna, room, "<@" + stage.discord.bot().id() + "> in " + room.name());
        }
        Await.until("all", () -> stage.texts().size() == 6);
        assertEquals(3, stage.discord.gateway().readies(), "no login came too early");
        stage.connector.stop();
        stage.discord.say(stage.anna, rooms.get(5), "<@" + stage.discord.bot().id() + "> again");
        stage.connector = new DiscordConnector(stage.settings, stage.egress, stage.sockets, waits);
        stage.ready();
        Await.until("the last", () -> stage.texts().contains("again"));
        assertEquals(3, stage.discord.gateway().resumes());
    }

    @Test
    void eventsThatComeTwiceAreTakenOnce() {
        stage.ready();
        stage.discord.gateway().duplicate(5);
        say("a", "b", "c");
        stage.awaitTexts("a", "b", "c");
        stage.discord.gateway().replayExtra(3);
        stage.discord.gateway().befall(Trouble.DROP);
        stage.discord.gateway().awaitResumes(1);
        say("d");
        stage.awaitTexts("a", "b", "c", "d");
    }

    @Test
    void anEventThatCameTooEarlyLosesNoneBeforeIt() {
        stage.ready();
        say("a");
        stage.awaitTexts("a");
        stage.discord.gateway().reorder(1);
        stage.discord.say(stage.anna, stage.dm, "b");
        stage.discord.say(stage.anna, stage.dm, "c"); // it comes before the other
        Await.until("one", () -> stage.texts().size() >= 2);
        stage.discord.gateway().forget();
        Await.until("both", () -> stage.texts().containsAll(List.of("a", "b", "c")));
        assertEquals(3, stage.texts().size());
    }

    @Test
    void chanceBreaksNothing() {
        stage.discord.gateway().heartbeatEvery(Duration.ofMillis(100));
        stage.ready();
        say("t0");
        stage.awaitTexts("t0");
        stage.discord.chaos(Chaos.of(24).calls(0.1).events(0.1).connections(0.1).losses(0.05));
        List<String> expected = new ArrayList<>(List.of("t0"));
        for (int i = 1; i < 60; i++) {
            say("t" + i);
            expected.add("t" + i);
        }
        Await.until(
                "all of " + expected,
                Duration.ofSeconds(60),
                () -> stage.texts().size() >= expected.size());
        assertEquals(expected.stream().sorted().toList(), stage.texts().stream().sorted().toList());
    }

    @ParameterizedTest
    @ValueSource(ints = {4009, 4005})
    void aTokenThatIsUsedTwiceIsNoticed(int code) {
        stage.ready();
        for (int i = 1; i <= 3; i++) {
            stage.awaitState(State.READY);
            int connections = stage.discord.gateway().connections().size();
            stage.discord.gateway().close(code, "");
            Await.until(
                    "another connection",
                    () -> stage.discord.gateway().connections().size() > connections);
            stage.discord.gateway().awaitConnected();
        }
        stage.awaitState(State.DEGRADED);
        stage.awaitReason("another program seems to use its token");
        say("a");
        stage.awaitTexts("a");
    }

    @Test
    void theServiceThatIsAwayIsWaitedFor() {
        stage.discord.cut();
        stage.start();
        Await.until("a reason", () -> !stage.connector.status().reason().isEmpty());
        assertEquals(State.CONNECTING, stage.connector.status().state());
        stage.discord.comeBack();
        stage.awaitState(State.READY);
    }

    @Test
    void aJournalThatIsAwayAtTheStartIsWaitedForByNoCaller() {
        stage.ready();
        say("a");
        stage.awaitTexts("a");
        stage.connector.stop();
        say("b");
        stage.context.takePositionAway(true);
        stage.connector =
                new DiscordConnector(stage.settings, stage.egress, stage.sockets, Stage.QUICK);
        stage.start();
        stage.awaitReason("journal is away");
        stage.context.takePositionAway(false);
        stage.awaitTexts("a", "b");
        assertEquals(1, stage.discord.gateway().readies());
    }

    @Test
    void aConnectionThatPolicyCutsIsMadeAgain() {
        stage.ready();
        say("a");
        stage.awaitTexts("a");
        stage.tunnels.cutAll();
        stage.discord.gateway().awaitResumes(1);
        say("b");
        stage.awaitTexts("a", "b");
    }

    @Test
    void twoHundredSwapsMissNothingAndLeaveNoThread() {
        stage.ready();
        List<String> expected = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            say("text " + i);
            expected.add("text " + i);
            stage.swap();
        }
        stage.awaitTexts(expected.toArray(String[]::new));
        assertEquals(1, stage.discord.gateway().readies());
        stage.connector.stop();
        assertEquals(
                List.of(),
                Thread.getAllStackTraces().keySet().stream()
                        .map(Thread::getName)
                        .filter(name -> name.startsWith("palyra-discord-"))
                        .toList());
    }

    @Test
    void aChangedConfigurationGoesOnWithTheSession() {
        stage.ready();
        say("a");
        stage.awaitTexts("a");
        stage.connector.use(
                Settings.of(
                        stage.discord.restBase(),
                        false,
                        1,
                        java.util.Set.of("1300000000000000001")));
        say("b");
        stage.awaitTexts("a", "b");
        assertEquals(1, stage.discord.gateway().readies());
    }

    private void messageContent(boolean on) {
        stage.settings = Settings.of(stage.discord, on, 1, java.util.Set.of());
    }

    /** A session keeps the intents that it was begun with, also when it is resumed. */
    @Test
    void changedIntentsBeginAnotherSessionAtOnceAndLoseNothing() {
        palyra.testing.discord.Channel room =
                stage.discord.textChannel(stage.discord.guild("guild"), "room");
        stage.ready();
        stage.discord.gateway().grant(Intent.MESSAGE_CONTENT);
        stage.discord.say(stage.anna, room, "not to the bot");
        say("a");
        stage.awaitTexts("a");
        messageContent(true);
        stage.connector.use(stage.settings);
        say("b");
        stage.discord.gateway().awaitReadies(2);
        stage.awaitState(State.READY);
        stage.awaitTexts("a", "b");
        stage.discord.say(stage.anna, room, "to all");
        stage.awaitTexts("a", "b", "to all");
        messageContent(false);
        stage.swap();
        stage.discord.gateway().awaitReadies(3);
        stage.awaitState(State.READY);
        assertEquals(
                stage.settings.intents(),
                stage.connector.account().orElseThrow().ledger().session(0).intents());
        say("c");
        Await.until("c", () -> stage.texts().contains("c"));
    }

    /** Its words are those of Discord's documents; the old session would hide that it is off. */
    @Test
    void anIntentThatIsConfiguredAndNotOnIsAFailureThoughASessionIsThere() {
        stage.ready();
        messageContent(true);
        stage.connector.use(stage.settings);
        stage.awaitState(State.FAILED);
        stage.awaitReason("Message Content Intent");
    }
}
