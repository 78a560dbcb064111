package palyra.connectors.discord.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.channel.InboundAction;
import palyra.api.channel.InboundMessage;
import palyra.api.channel.OutboundMessage.Button;
import palyra.connectors.discord.internal.Tasks.Kind;
import palyra.shared.loop.Heartbeat;
import palyra.testing.discord.Channel;
import palyra.testing.discord.FakeDiscord;
import palyra.testing.discord.Interaction;
import palyra.testing.discord.Message;
import palyra.testing.discord.Trouble;
import palyra.testing.http.FaultyApi.Fault;
import palyra.testing.wait.Await;

/** Slash commands and buttons: in time, once, and to the one who acted alone. */
class InteractionsTest {
    private static final String PUT_COMMAND = "POST /applications/{application_id}/commands";
    private static final int DEFERRED = 5;

    private final Stage stage = new Stage();
    private final Channel room = stage.discord.textChannel(stage.discord.guild("guild"), "room");

    @AfterEach
    void close() {
        List<String> broken = stage.discord.violations();
        stage.close();
        assertEquals(List.of(), broken, "Discord's rules");
    }

    private void ready() {
        stage.ready();
        stage.discord.awaitCommands(SlashCommands.all().size());
    }

    private String told(Interaction interaction) {
        Interaction answered =
                stage.discord.awaitAnswer(
                        interaction,
                        one ->
                                one.original()
                                        .filter(message -> !message.content().isEmpty())
                                        .isPresent());
        assertEquals(DEFERRED, answered.answerType());
        assertTrue(answered.original().orElseThrow().isEphemeral());
        return answered.original().orElseThrow().content();
    }

    private Message card(String data) {
        stage.connector.send(
                stage.text(Stage.direct(stage.dm), "question", new Button(data, "Yes", true)));
        return stage.discord.posted(stage.dm).getLast().message();
    }

    @Test
    void commandsAreRegisteredOnceAndOnlyWhatDiffersAgain() {
        ready();
        assertEquals(7, stage.discord.calls(PUT_COMMAND).size());
        stage.connector.stop();
        stage.discord.gateway().forget();
        stage.swap();
        Await.until(
                "a look",
                () ->
                        stage.discord.calls("GET /applications/{application_id}/commands").size()
                                == 2);
        stage.discord.say(stage.anna, stage.dm, "a");
        stage.awaitTexts("a");
        assertEquals(7, stage.discord.calls(PUT_COMMAND).size(), "nothing differs");
    }

    @Test
    void whatIsAskedComesInAsAMessageOfThePersonThere() {
        ready();
        Interaction asked =
                stage.discord.slash(stage.anna, room, "ask", Map.of("text", "what is new?"));
        stage.awaitTexts("what is new?");
        InboundMessage taken = stage.context.stored().getFirst();
        assertEquals(stage.anna.id(), taken.sender().id());
        assertEquals(room.id(), taken.conversation().id());
        assertTrue(taken.mentionsAccount());
        assertEquals("i" + asked.id(), taken.messageId());
        assertTrue(told(asked).contains("Asked"));
    }

    @Test
    void anAnswerIsDeferredBeforeTheGatewayTookAnything() throws Exception {
        ready();
        CountDownLatch taking = new CountDownLatch(1);
        stage.before =
                message -> {
                    try {
                        taking.await();
                    } catch (InterruptedException e) {
                        throw new PalyraException(ErrorCode.JOURNAL_UNAVAILABLE, "interrupted");
                    }
                };
        Interaction asked = stage.discord.slash(stage.anna, room, "ask", Map.of("text", "x"));
        stage.discord.awaitAnswer(asked);
        assertEquals(List.of(), stage.context.stored());
        taking.countDown();
        assertTrue(told(asked).contains("Asked"));
    }

    @Test
    void approvalsByCodeAreTypedAnswers() {
        ready();
        stage.discord.slash(stage.anna, stage.dm, "approve", Map.of("code", "7F3KQ2"));
        stage.discord.slash(
                stage.anna, stage.dm, "approve", Map.of("code", "7F3KQ2", "decision", "deny"));
        stage.awaitTexts("/approve 7F3KQ2", "/deny 7F3KQ2");
    }

    @Test
    void theStateIsToldToTheOneWhoAsks() {
        ready();
        assertEquals(
                "Bot: READY\nAside: /status",
                told(stage.discord.slash(stage.anna, room, "status", Map.of())));
        stage.awaitTexts("/status");
        assertTrue(
                stage.discord.posted(room).stream().allMatch(one -> one.isEphemeral()),
                "nothing is said to all");
    }

    /** How the bot is does not concern those whom it does not know. */
    @Test
    void strangersLearnNothingOfTheConnectorAndWhatToDo() {
        ready();
        stage.reason = "direct_message_pairing_required";
        assertEquals(
                "Aside: /status",
                told(stage.discord.slash(stage.anna, stage.dm, "status", Map.of())));
        assertEquals(
                "Aside: hello",
                told(stage.discord.slash(stage.anna, stage.dm, "ask", Map.of("text", "hello"))));
    }

    /** What is said to one alone would be lost: it is a message then. */
    @Test
    void theAnswerToACommandThatWasNotDeferredInTimeIsAMessage() {
        ready();
        Message card = card("b/1");
        CountDownLatch free = jam();
        stage.discord.say(stage.anna, stage.dm, "first");
        stage.discord.failAll(
                FakeDiscord.CALLBACK,
                Fault.answering(404, "{\"message\":\"Unknown interaction\",\"code\":10062}"));
        Interaction stopped = stage.discord.slash(stage.anna, stage.dm, "stop", Map.of());
        stage.discord.slash(stage.anna, stage.dm, "ask", Map.of("text", "second"));
        stage.discord.press(stage.anna, card, "b/1");
        Await.until(
                "both refusals were read",
                () -> stage.discord.calls(FakeDiscord.CALLBACK).size() >= 3);
        free.countDown();
        stage.awaitTexts("first", "/stop", "second");
        assertEquals(List.of(), stage.context.asides());
        assertTrue(stage.discord.interaction(stopped).original().isEmpty());
    }

    @Test
    void anInteractionThatIsTooOldIsNotAnsweredToOneAlone() throws Exception {
        Responder responder = new Responder(null); // which has answered nothing
        long now = Snowflakes.first(System.currentTimeMillis());
        assertTrue(responder.mayTell(of("anna", now), STILL));
        assertFalse(
                responder.mayTell(
                        of("anna", Snowflakes.first(System.currentTimeMillis() - 3_001)), STILL));
    }

    /** Who may not deny is told so, and types no reason in vain. */
    @Test
    void whoMayNotDenyIsToldSoAndAskedNothing() {
        ready();
        stage.refusal = "You may not decide this. Ask an operator to link your account.";
        Interaction pressed = stage.discord.press(stage.anna, card(NO), NO);
        Interaction answered = stage.discord.awaitAnswer(pressed);
        assertEquals(4, answered.answerType(), "a message at once, and no form");
        assertTrue(answered.original().orElseThrow().isEphemeral());
        assertEquals(stage.refusal, answered.original().orElseThrow().content());
        stage.discord.say(stage.anna, stage.dm, "after it");
        stage.awaitTexts("after it");
        assertEquals(List.of(), stage.context.pressed());
    }

    /** A right that was lost while the reason was typed is looked at again with the reason. */
    @Test
    void aReasonIsPassedOnForTheGatewayToLookAgain() {
        ready();
        Interaction opened = form(stage.discord.press(stage.anna, card(NO), NO));
        stage.refusal = "You may not decide this.";
        told(stage.discord.modalSubmit(stage.anna, opened, Map.of("reason", "no")));
        assertEquals(List.of("no"), stage.context.reasons());
    }

    @Test
    void commandsOfAConversationAreThoseThatPeopleType() {
        ready();
        for (String name : List.of("new", "stop", "agent", "help")) {
            assertEquals(
                    "Aside: /" + name, told(stage.discord.slash(stage.anna, room, name, Map.of())));
        }
        stage.discord.slash(stage.anna, stage.dm, "agent", Map.of("name", " helper "));
        stage.awaitTexts("/new", "/stop", "/agent", "/help", "/agent helper");
        assertTrue(
                stage.discord.posted(room).stream().allMatch(one -> one.isEphemeral()),
                "nothing is said to all");
        assertTrue(stage.context.stored().getFirst().mentionsAccount());
    }

    /** The gateway knows it by the interaction's id, so it is done once. */
    @Test
    void commandOfAConversationThatACrashInterruptedIsGivenAgainAsTheSame() {
        ready();
        stage.discord.say(stage.anna, stage.dm, "before");
        stage.awaitTexts("before");
        byte[] position = stage.context.keptPosition().orElseThrow();
        stage.discord.slash(stage.anna, stage.dm, "stop", Map.of());
        stage.awaitTexts("before", "/stop");
        stage.crash(position);
        Await.until("it again", () -> stage.context.handedIn().size() == 3);
        assertEquals(
                stage.context.handedIn().get(1).messageId(),
                stage.context.handedIn().get(2).messageId());
        stage.awaitTexts("before", "/stop");
    }

    @Test
    void aPressIsPassedOnWithItsDataAndItsPresser() {
        ready();
        Message card = card("approval:01J0000000000000000000000A:y");
        Interaction pressed =
                stage.discord.press(stage.anna, card, "approval:01J0000000000000000000000A:y");
        assertEquals("Approved by anna", told(pressed));
        InboundAction action = stage.context.pressed().getFirst();
        assertEquals("approval:01J0000000000000000000000A:y", action.data());
        assertEquals(stage.anna.id(), action.sender().id());
        assertEquals(stage.dm.id(), action.conversation().id());
        assertEquals(1, stage.context.pressed().size());
    }

    private static final String NO = "approval:01J0000000000000000000000A:n";

    private Interaction form(Interaction pressed) {
        stage.discord.awaitAnswer(pressed);
        assertEquals(9, stage.discord.interaction(pressed).answerType(), "a form is opened");
        assertEquals(List.of(), stage.context.pressed());
        return pressed;
    }

    @Test
    void whoDeniesIsAskedWhyAndTheReasonIsPassedOn() {
        ready();
        Interaction opened = form(stage.discord.press(stage.anna, card(NO), NO));
        assertEquals(
                "Approved by anna",
                told(
                        stage.discord.modalSubmit(
                                stage.anna, opened, Map.of("reason", "not on a Friday"))));
        assertEquals(List.of("not on a Friday"), stage.context.reasons());
        assertEquals(NO, stage.context.pressed().getFirst().data());
        assertEquals(stage.anna.id(), stage.context.pressed().getFirst().sender().id());
        Interaction again = stage.discord.press(stage.anna, card(NO), NO);
        stage.discord.awaitAnswer(again);
        told(stage.discord.modalSubmit(stage.anna, again, Map.of()));
        assertEquals(List.of("not on a Friday", ""), stage.context.reasons());
    }

    /** Discord opens no form after three seconds, and who pressed wants to deny all the same. */
    @Test
    void whoCannotBeAskedInTimeDeniesWithoutAReason() {
        ready();
        Message card = card(NO);
        stage.connector.stop();
        stage.discord.interactionDeadline(Duration.ofMillis(1));
        Interaction pressed = stage.discord.press(stage.anna, card, NO);
        stage.swap();
        Await.until("the press", () -> stage.context.pressed().size() == 1);
        assertEquals(List.of(""), stage.context.reasons());
        assertTrue(stage.discord.interaction(pressed).callback().isEmpty());
    }

    /** What fails at Discord says nothing of the interaction: who pressed presses again. */
    @Test
    void formThatDiscordCannotOpenNowIsNoDenialWithoutAReason() {
        ready();
        Message card = card(NO);
        stage.discord.fail(
                FakeDiscord.CALLBACK, Fault.answering(503, "{}"), Fault.answering(503, "{}"));
        stage.discord.press(stage.anna, card, NO);
        awaitNothingHeld();
        assertEquals(2, stage.discord.calls(FakeDiscord.CALLBACK).size(), "it is tried again");
        assertEquals(List.of(), stage.context.pressed());
        stage.discord.fail(FakeDiscord.CALLBACK, Fault.answering(503, "{}"));
        form(stage.discord.press(stage.anna, card, NO));
    }

    /** Waits until a later life is told of nothing again that happened so far. */
    private void awaitNothingHeld() {
        int before = stage.context.stored().size();
        stage.discord.say(stage.anna, stage.dm, "all is read");
        Await.until("it", () -> stage.context.stored().size() > before);
        Ledger ledger = stage.connector.account().orElseThrow().ledger();
        Await.until("all to be durable", () -> ledger.durable(0) == ledger.session(0).sequence());
    }

    @Test
    void wordsThatCannotBeToldHoldNoEventForALaterLife() {
        ready();
        stage.refusal = "You may not decide this.";
        Message card = card(NO);
        stage.discord.failAll(FakeDiscord.CALLBACK, Fault.droppedBefore());
        stage.discord.press(stage.anna, card, NO);
        awaitNothingHeld();
        assertEquals(List.of(), stage.context.pressed());
    }

    @Test
    void commandThatTheGatewayFindsMalformedHoldsNoEventForALaterLife() {
        ready();
        stage.before =
                message -> {
                    if (message.text().equals("malformed")) {
                        throw new PalyraException(ErrorCode.INVALID_ARGUMENT, "It is malformed.");
                    }
                };
        stage.discord.slash(stage.anna, room, "ask", Map.of("text", "malformed"));
        awaitNothingHeld();
        stage.awaitTexts("all is read");
    }

    /** The answer was lost and the form is open: the press itself is no denial. */
    @Test
    void formThatIsOpenIsNotAnsweredForThePresser() {
        ready();
        stage.discord.fail(FakeDiscord.CALLBACK, Fault.droppedAfter());
        Interaction opened = form(stage.discord.press(stage.anna, card(NO), NO));
        Await.until("another try", () -> stage.discord.calls(FakeDiscord.CALLBACK).size() == 2);
        told(stage.discord.modalSubmit(stage.anna, opened, Map.of("reason", "no")));
        assertEquals(List.of("no"), stage.context.reasons());
    }

    @Test
    void formThatIsSentDuringASwapIsTakenByTheNextLife() {
        ready();
        Interaction opened = form(stage.discord.press(stage.anna, card(NO), NO));
        stage.discord.say(stage.anna, stage.dm, "the form is open");
        stage.awaitTexts("the form is open");
        stage.connector.stop();
        Interaction sent = stage.discord.modalSubmit(stage.anna, opened, Map.of("reason", "no"));
        stage.swap();
        assertEquals("Approved by anna", told(sent));
        assertEquals(List.of("no"), stage.context.reasons());
    }

    @Test
    void aPressThatFailsSaysSo() {
        ready();
        stage.pressing =
                action -> {
                    throw new PalyraException(ErrorCode.JOURNAL_UNAVAILABLE, "It is away.");
                };
        Message card = card("b/1");
        assertTrue(told(stage.discord.press(stage.anna, card, "b/1")).contains("Try again"));
    }

    @Test
    void whatHappensDuringASwapIsDoneByTheNextLife() {
        ready();
        Message card = card("b/1");
        stage.connector.stop();
        Interaction asked =
                stage.discord.slash(stage.anna, stage.dm, "ask", Map.of("text", "in between"));
        Interaction pressed = stage.discord.press(stage.anna, card, "b/1");
        stage.swap();
        stage.awaitTexts("in between");
        Await.until("the press", () -> stage.context.pressed().size() == 1);
        assertTrue(told(asked).contains("Asked"));
        assertEquals("Approved by anna", told(pressed));
    }

    @Test
    void whatWasNotDeferredInTimeIsTakenAllTheSame() {
        ready();
        Message card = card("b/1");
        stage.connector.stop();
        stage.discord.interactionDeadline(Duration.ofMillis(1));
        Interaction asked =
                stage.discord.slash(stage.anna, stage.dm, "ask", Map.of("text", "too late"));
        stage.discord.press(stage.anna, card, "b/1");
        stage.swap();
        stage.awaitTexts("too late");
        Await.until("the press", () -> stage.context.pressed().size() == 1);
        stage.discord.say(stage.anna, stage.dm, "later");
        stage.awaitTexts("too late", "later");
        assertTrue(stage.discord.interaction(asked).callback().isEmpty());
    }

    @Test
    void aPressThatACrashInterruptedComesAgain() {
        ready();
        Message card = card("b/1");
        CountDownLatch never = new CountDownLatch(1);
        stage.pressing =
                action -> {
                    try {
                        never.await();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                        throw new PalyraException(ErrorCode.JOURNAL_UNAVAILABLE, "interrupted");
                    }
                };
        Interaction pressed = stage.discord.press(stage.anna, card, "b/1");
        Await.until("the press", () -> stage.context.pressed().size() == 1);
        stage.discord.say(stage.anna, stage.dm, "meanwhile");
        stage.awaitTexts("meanwhile");
        stage.connector.stop();
        stage.pressing = action -> {};
        stage.swap();
        Await.until("the press again", () -> stage.context.pressed().size() == 2);
        assertEquals("Approved by anna", told(pressed));
        stage.awaitTexts("meanwhile");
    }

    @Test
    void aLostAnswerToDiscordLosesNoMessage() {
        ready();
        stage.discord.fail(FakeDiscord.CALLBACK, Fault.droppedBefore());
        stage.discord.slash(stage.anna, room, "ask", Map.of("text", "one"));
        stage.discord.fail(FakeDiscord.CALLBACK, Fault.droppedAfter());
        stage.discord.slash(stage.anna, room, "ask", Map.of("text", "two"));
        stage.awaitTexts("one", "two");
        assertTrue(
                told(stage.discord.slash(stage.anna, room, "ask", Map.of("text", "three")))
                        .contains("Asked"));
    }

    private CountDownLatch jam() {
        CountDownLatch free = new CountDownLatch(1);
        stage.before =
                message -> {
                    try {
                        free.await();
                    } catch (InterruptedException e) {
                        throw new PalyraException(ErrorCode.JOURNAL_UNAVAILABLE, "interrupted");
                    }
                };
        return free;
    }

    /** What strangers write may take longer than the three seconds that Discord waits. */
    @Test
    void anInteractionIsDeferredBeforeEarlierEventsAreHandled() {
        ready();
        Message card = card("b/1");
        Message denying = card(NO);
        CountDownLatch free = jam();
        for (int i = 0; i < 20; i++) {
            stage.discord.say(stage.anna, stage.dm, "flood " + i);
        }
        Interaction asked = stage.discord.slash(stage.anna, room, "ask", Map.of("text", "x"));
        Interaction pressed = stage.discord.press(stage.anna, card, "b/1");
        stage.discord.awaitAnswer(asked);
        stage.discord.awaitAnswer(pressed);
        form(stage.discord.press(stage.anna, denying, NO));
        assertEquals(List.of(), stage.context.stored(), "all of it still waits");
        free.countDown();
        assertTrue(told(asked).contains("Asked"));
        assertEquals("Approved by anna", told(pressed));
        assertEquals(3, stage.discord.calls(FakeDiscord.CALLBACK).size(), "each is answered once");
        assertEquals("flood 0", stage.context.stored().getFirst().text());
        assertEquals("x", stage.context.stored().get(20).text(), "in its turn");
    }

    private static palyra.connectors.discord.internal.Interaction of(String sender, long id) {
        return new palyra.connectors.discord.internal.Interaction(
                Long.toString(id),
                "1",
                "token",
                palyra.connectors.discord.internal.Interaction.Kind.COMMAND,
                SlashCommands.ASK,
                new palyra.api.channel.Sender(sender, "", false, true),
                new Place("1", "", true, ""),
                DiscordApi.JSON.createObjectNode());
    }

    private static final Heartbeat STILL =
            new Heartbeat() {
                @Override
                public boolean isStopping() {
                    return false;
                }

                @Override
                public void beat() {}

                @Override
                public void idle() {}
            };

    private static final long LATE_NANOS = 3_100_000_000L;

    private static long idAt(long millisFromNow) {
        return Snowflakes.first(System.currentTimeMillis() + millisFromNow);
    }

    @Test
    void whatIsTooLateForDiscordIsNotSentThere() throws Exception {
        ready();
        AtomicLong nanos = new AtomicLong();
        Responder responder = new Responder(stage.connector.account().orElseThrow(), nanos::get);
        Tasks tasks = responder.tasks();
        responder.foresee(of("anna", idAt(1_000)));
        nanos.addAndGet(LATE_NANOS);
        tasks.take(Kind.DEFERRAL).run();
        responder.defer(of("anna", idAt(2_000)));
        nanos.addAndGet(LATE_NANOS);
        tasks.take(Kind.DEFERRAL).run();
        List<String> done = new ArrayList<>();
        responder.askReason(
                of("anna", idAt(3_000)), () -> done.add("denied"), () -> done.add("done"));
        nanos.addAndGet(LATE_NANOS);
        tasks.take(Kind.FORM).run();
        tasks.take(Kind.ANSWER).run();
        assertEquals(List.of("denied", "done"), done);
        assertEquals(List.of(), stage.discord.calls(FakeDiscord.CALLBACK));
        stage.discord.fail(
                FakeDiscord.CALLBACK,
                (exchange, act) -> {
                    nanos.addAndGet(LATE_NANOS);
                    exchange.reset();
                });
        responder.askReason(
                of("anna", idAt(4_000)), () -> done.add("denied"), () -> done.add("open"));
        tasks.take(Kind.FORM).run();
        tasks.take(Kind.ANSWER).run();
        assertEquals(List.of("denied", "done", "open"), done, "it may be open");
        assertEquals(1, stage.discord.calls(FakeDiscord.CALLBACK).size(), "no second try");
    }

    private CountDownLatch hung() {
        CountDownLatch free = new CountDownLatch(1);
        stage.pressing = action -> await(free);
        return free;
    }

    private static void await(CountDownLatch free) {
        try {
            free.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new PalyraException(ErrorCode.JOURNAL_UNAVAILABLE, "interrupted");
        }
    }

    /** A journal that hangs is the usual reason, and Discord waits three seconds all the same. */
    @Test
    void aPressThatHangsHoldsNoDeferralAndNoFormUp() {
        ready();
        Message card = card("b/1");
        Message denying = card(NO);
        CountDownLatch free = hung();
        stage.discord.press(stage.anna, card, "b/1");
        Await.until("the press", () -> stage.context.pressed().size() == 1);
        Interaction asked = stage.discord.slash(stage.anna, room, "ask", Map.of("text", "x"));
        stage.discord.awaitAnswer(asked);
        Interaction opened = stage.discord.press(stage.anna, denying, NO);
        assertEquals(9, stage.discord.awaitAnswer(opened).answerType(), "a form is opened");
        free.countDown();
        assertTrue(told(asked).contains("Asked"));
    }

    /** The gateway is asked before a form is opened, and may hang as well. */
    @Test
    void aLookAtRightsThatHangsHoldsNoDeferralUp() {
        ready();
        Message denying = card(NO);
        CountDownLatch looked = new CountDownLatch(1);
        CountDownLatch free = new CountDownLatch(1);
        stage.refusing =
                () -> {
                    looked.countDown();
                    await(free);
                };
        stage.discord.press(stage.anna, denying, NO);
        await(looked);
        Interaction asked = stage.discord.slash(stage.anna, room, "ask", Map.of("text", "x"));
        assertTrue(told(asked).contains("Asked"));
        free.countDown();
    }

    /** Else Discord takes no deferral any more, and the words themselves may be too late. */
    @Test
    void whatCameOfAnInteractionIsNotSaidBeforeThatAnAnswerComes() {
        ready();
        CountDownLatch answer = new CountDownLatch(1);
        stage.discord.fail(
                FakeDiscord.CALLBACK,
                (exchange, act) -> {
                    answer.await();
                    act.run().send(exchange);
                });
        Interaction asked = stage.discord.slash(stage.anna, room, "ask", Map.of("text", "x"));
        stage.awaitTexts("x");
        stage.discord.say(stage.anna, stage.dm, "y");
        stage.awaitTexts("x", "y");
        answer.countDown();
        assertTrue(told(asked).contains("Asked"));
        assertEquals(1, stage.discord.calls(FakeDiscord.CALLBACK).size());
    }

    /** Discord tells the events again that came after the first one that is under way. */
    @Test
    void aPressThatComesAgainInTheSameLifeIsNoDenial() {
        ready();
        Interaction opened = form(stage.discord.press(stage.anna, card(NO), NO));
        awaitNothingHeld();
        stage.discord.expire(opened);
        stage.discord.gateway().replayExtra(5);
        stage.discord.gateway().befall(Trouble.DROP);
        stage.discord.gateway().awaitResumes(1);
        awaitNothingHeld();
        assertEquals(List.of(), stage.context.pressed());
    }

    private static Fault refusal(int status, int code) {
        return Fault.answering(status, "{\"message\":\"As told\",\"code\":" + code + "}");
    }

    private List<String> asked(long millisFromNow, long passed) throws Exception {
        AtomicLong nanos = new AtomicLong();
        Responder responder = new Responder(stage.connector.account().orElseThrow(), nanos::get);
        List<String> done = new ArrayList<>();
        responder.askReason(
                of("anna", idAt(millisFromNow)), () -> done.add("denied"), () -> done.add("done"));
        nanos.addAndGet(passed);
        responder.tasks().take(Kind.FORM).run();
        responder.tasks().take(Kind.ANSWER).run();
        return done;
    }

    /** After a quarter of an hour Discord does not say whether a form was opened. */
    @Test
    void whatDiscordHasForgottenIsNoDenial() throws Exception {
        ready();
        stage.discord.failAll(FakeDiscord.CALLBACK, refusal(404, 10_062));
        assertEquals(List.of("done"), asked(-16 * 60_000, 0));
        assertEquals(List.of("denied", "done"), asked(-60_000, 0), "it was never answered");
    }

    @Test
    void aFormThatAnEarlierLifeOpenedIsNoDenialHoweverLateItIs() throws Exception {
        ready();
        stage.discord.failAll(FakeDiscord.CALLBACK, refusal(400, 40_060));
        assertEquals(List.of("done"), asked(-60_000, LATE_NANOS));
    }

    /** It was taken as said aside, so it is no message: nothing else tells it. */
    @ParameterizedTest
    @ValueSource(ints = {400, 503})
    void whatWasTakenAsideIsToldThoughTheDeferralFails(int status) {
        ready();
        CountDownLatch taken = new CountDownLatch(1);
        stage.discord.fail(
                FakeDiscord.CALLBACK,
                (exchange, act) -> {
                    taken.await();
                    refusal(status, 0).play(exchange, act);
                });
        Interaction asked = stage.discord.slash(stage.anna, room, "help", Map.of());
        stage.awaitTexts("/help");
        stage.discord.say(stage.anna, stage.dm, "behind it");
        stage.awaitTexts("/help", "behind it");
        taken.countDown();
        Interaction answered =
                stage.discord.awaitAnswer(
                        asked,
                        one -> one.original().filter(m -> !m.content().isEmpty()).isPresent());
        assertEquals("Aside: /help", answered.original().orElseThrow().content());
        assertTrue(answered.original().orElseThrow().isEphemeral());
    }

    @Test
    void whatDiscordMayWaitForIsToldAsIfItDid() throws Exception {
        ready();
        AtomicLong nanos = new AtomicLong();
        Responder responder = new Responder(stage.connector.account().orElseThrow(), nanos::get);
        stage.discord.fail(
                FakeDiscord.CALLBACK,
                (exchange, act) -> {
                    nanos.addAndGet(LATE_NANOS);
                    exchange.reset();
                });
        List<String> done = new ArrayList<>();
        var given = of("anna", idAt(0));
        responder.defer(given);
        responder.finish(given, () -> "words", () -> done.add("done"));
        responder.tasks().take(Kind.DEFERRAL).run();
        responder.tasks().take(Kind.ANSWER).run();
        assertEquals(1, stage.discord.calls(FakeDiscord.CALLBACK).size());
        assertEquals(1, stage.discord.calls(AMEND).size());
        assertEquals(List.of("done"), done);
    }

    private static final String AMEND =
            "PATCH /webhooks/{webhook_id}/{webhook_token}/messages/@original";

    /** The clock of this computer may be a minute ahead, or the event come late: Discord knows. */
    @ParameterizedTest
    @ValueSource(ints = {40_060, 10_062})
    void whatSeemsOldIsToldAloneIfDiscordTookTheDeferral(int code) throws Exception {
        ready();
        Responder responder = new Responder(stage.connector.account().orElseThrow());
        var seemsOld = of("anna", idAt(-60_000));
        responder.foresee(seemsOld);
        FutureTask<Boolean> mayTell = new FutureTask<>(() -> responder.mayTell(seemsOld, STILL));
        Thread thread = new Thread(mayTell, "shard");
        thread.start();
        Await.until("it to wait", () -> thread.getState() == Thread.State.TIMED_WAITING);
        stage.discord.fail(FakeDiscord.CALLBACK, refusal(400, code));
        responder.tasks().take(Kind.DEFERRAL).run();
        assertEquals(code == 40_060, mayTell.get(10, TimeUnit.SECONDS));
    }

    @Test
    void whatSeemsNewIsNotToldAloneThreeSecondsAfterItCame() throws Exception {
        AtomicLong nanos = new AtomicLong();
        Responder responder = new Responder(null, nanos::get); // whose threads do not run
        var seemsNew = of("anna", idAt(60_000));
        responder.foresee(seemsNew);
        assertTrue(responder.mayTell(seemsNew, STILL));
        nanos.addAndGet(LATE_NANOS);
        assertFalse(responder.mayTell(seemsNew, STILL));
    }

    @Test
    void theShardWaitsWhenTooManyAnswersDo() throws Exception {
        Responder responder = new Responder(null); // whose thread does not run
        for (int i = 1; i <= 1_000; i++) {
            responder.finish(of("mallory", i), () -> "", () -> {});
        }
        FutureTask<Boolean> shard =
                new FutureTask<>(
                        () -> {
                            responder.tasks().awaitRoom(STILL);
                            return true;
                        });
        Thread thread = new Thread(shard, "shard");
        thread.start();
        Await.until("it to wait", () -> thread.getState() == Thread.State.WAITING);
        responder.tasks().take(Kind.ANSWER);
        assertTrue(shard.get(10, TimeUnit.SECONDS));
    }

    @Test
    void whoFloodsWithInteractionsTakesOthersNoTime() {
        Responder responder = new Responder(null); // which is busy, as its thread does not run
        for (int i = 1; i <= 30; i++) {
            responder.foresee(of("mallory", i));
        }
        assertEquals(4, responder.tasks().waiting(), "further ones wait for their turn");
        responder.foresee(of("anna", 100));
        responder.foresee(of("anna", 100));
        assertEquals(5, responder.tasks().waiting(), "each once");
        responder.defer(of("anna", 100));
        assertEquals(5, responder.tasks().waiting(), "it is said already");
        for (int i = 1_000; i < 2_000; i++) {
            responder.foresee(of("crowd-" + i, i));
        }
        assertEquals(64, responder.tasks().waiting());
        responder.defer(of("mallory", 30));
        assertEquals(65, responder.tasks().waiting(), "in its turn");
    }
}
