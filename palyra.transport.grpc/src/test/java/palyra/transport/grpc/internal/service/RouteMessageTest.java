package palyra.transport.grpc.internal.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.channel.InboundMessage;
import palyra.api.core.gateway.MessageRules;
import palyra.api.core.journal.OutboxRow;
import palyra.api.model.ModelEvent;
import palyra.api.run.WhileRunning;
import palyra.testing.wait.Await;
import palyra.transport.grpc.internal.wire.common.EnvelopeOrigin;
import palyra.transport.grpc.internal.wire.gateway.AbortRunRequest;
import palyra.transport.grpc.internal.wire.gateway.BindAgentForContextRequest;
import palyra.transport.grpc.internal.wire.gateway.ListRunsRequest;
import palyra.transport.grpc.internal.wire.gateway.RouteMessageRequest;
import palyra.transport.grpc.internal.wire.gateway.RouteMessageResponse;

class RouteMessageTest {
    @TempDir Path state;
    private TestGateway gateway;
    private Client bridge;
    private Client root;

    @BeforeEach
    void open() {
        gateway = new TestGateway(state).engineComes();
        bridge = gateway.client("service:bridge", "integrator");
        root = gateway.client("user:root", "operator");
    }

    @AfterEach
    void close() {
        bridge.close();
        root.close();
        gateway.close();
    }

    private void bind() {
        root.call()
                .bindAgentForContext(
                        BindAgentForContextRequest.newBuilder()
                                .setV(1)
                                .setAgentId("default")
                                .setPrincipal("service:bridge")
                                .setChannel("discord")
                                .build());
    }

    private static RouteMessageRequest.Builder message(String text) {
        return RouteMessageRequest.newBuilder()
                .setV(1)
                .setEnvelope(
                        StreamClient.envelope(text)
                                .setOrigin(
                                        EnvelopeOrigin.newBuilder()
                                                .setChannel("discord")
                                                .setConversationId("general")));
    }

    private int runs() {
        return bridge.call().listRuns(ListRunsRequest.newBuilder().setV(1).build()).getRunsCount();
    }

    @Test
    void ignoresWhatNothingRoutesAndSaysHowToBind() {
        RouteMessageResponse response =
                bridge.call().routeMessage(message("Hi").setRetryAttempt(3).build());
        assertFalse(response.getAccepted());
        assertFalse(response.getQueuedForRetry());
        assertEquals(3, response.getRetryAttempt());
        assertTrue(response.getDecisionReason().contains("BindAgentForContext"));
        assertTrue(response.getDecisionReason().contains("service:bridge"));
        assertEquals(0, runs());
    }

    @Test
    void answersWhatABindingRoutes() {
        bind();
        gateway.model.answer("Hello, channel");
        RouteMessageResponse response =
                bridge.call()
                        .routeMessage(
                                message("Hi")
                                        .setAdapterMessageId("m1")
                                        .setAdapterThreadId("t1")
                                        .setSessionLabel("General")
                                        .build());
        assertTrue(response.getAccepted());
        assertFalse(response.getQueuedForRetry());
        assertEquals(1, response.getOutputsCount());
        assertEquals("Hello, channel", response.getOutputs(0).getText());
        assertEquals("t1", response.getOutputs(0).getThreadId());
        assertEquals("m1", response.getOutputs(0).getInReplyToMessageId());
        assertEquals("channel:discord:conversation:general", response.getRouteKey());
        var session = gateway.journal.session(response.getSessionId().getUlid()).orElseThrow();
        assertEquals(response.getRouteKey(), session.key());
        assertEquals("General", session.label());
        assertEquals("discord", session.channel());
        assertEquals(response.getRunId().getUlid(), session.lastRunId());
        assertEquals(
                OutboxRow.State.READABLE,
                gateway.journal.outboxOf(session.lastRunId()).getFirst().state());
    }

    @Test
    void keepsOneSessionForAConversationAndOneForAChannel() {
        bind();
        gateway.model.answer("1").answer("2").answer("3");
        RouteMessageResponse one = bridge.call().routeMessage(message("a").build());
        RouteMessageResponse two = bridge.call().routeMessage(message("b").build());
        RouteMessageRequest.Builder plain = message("c");
        plain.getEnvelopeBuilder().getOriginBuilder().clearConversationId();
        RouteMessageResponse three = bridge.call().routeMessage(plain.build());
        assertEquals(one.getSessionId(), two.getSessionId());
        assertFalse(one.getSessionId().equals(three.getSessionId()));
        assertEquals("~~discord", three.getRouteKey());
    }

    @Test
    void returnsTheSameRunForTheSameMessage() {
        bind();
        gateway.model.answer("Only once");
        RouteMessageRequest.Builder message = message("Hi").setAdapterMessageId("m1");
        RouteMessageResponse first = bridge.call().routeMessage(message.build());
        message.getEnvelopeBuilder().setEnvelopeId(ApiMapper.id(Ids.next()));
        RouteMessageResponse again = bridge.call().routeMessage(message.setRetryAttempt(1).build());
        assertEquals(first.getRunId(), again.getRunId());
        assertEquals("Only once", again.getOutputs(0).getText());
        assertEquals(1, again.getRetryAttempt());
        assertEquals(1, runs());
    }

    @Test
    void refusesAnotherMessageUnderTheSameId() {
        bind();
        gateway.model.answer("Only once");
        bridge.call().routeMessage(message("Hi").setAdapterMessageId("m1").build());
        assertEquals(
                Status.Code.ALREADY_EXISTS,
                code(message("Something else").setAdapterMessageId("m1")));
    }

    @Test
    void promisesAnAnswerLaterWhenTheTimeIsShort() {
        bind();
        gateway.model.hold(new ModelEvent.TextDelta("Thinking"));
        RouteMessageRequest message = message("Hi").build();
        RouteMessageResponse response = bridge.callWithin(8).routeMessage(message);
        assertTrue(response.getAccepted());
        assertTrue(response.getQueuedForRetry());
        assertEquals(0, response.getOutputsCount());
        assertTrue(response.hasRunId());
        bridge.call()
                .abortRun(
                        AbortRunRequest.newBuilder()
                                .setV(1)
                                .setRunId(response.getRunId())
                                .setReason("enough")
                                .build());
        RouteMessageResponse later = bridge.call().routeMessage(message);
        assertTrue(later.getAccepted());
        assertFalse(later.getQueuedForRetry());
        assertEquals(response.getRunId(), later.getRunId());
        assertEquals(0, later.getOutputsCount());
        assertTrue(later.getDecisionReason().contains("cancelled"));
        Await.until("nobody to follow", Patience.LONG, () -> gateway.following() == 0);
    }

    @Test
    void saysWhyARunFailed() {
        bind();
        gateway.model.fail(ErrorCode.MODEL_FAILED, "the model is out of words", false);
        RouteMessageResponse response = bridge.call().routeMessage(message("Hi").build());
        assertTrue(response.getAccepted());
        assertEquals(0, response.getOutputsCount());
        assertTrue(
                response.getDecisionReason().contains("out of words"),
                response.getDecisionReason());
    }

    @Test
    void takesASessionThatIsBoundToAnAgent() {
        bind();
        gateway.model.answer("1").answer("2");
        RouteMessageResponse first = bridge.call().routeMessage(message("a").build());
        root.call()
                .unbindAgentForContext(
                        palyra.transport.grpc.internal.wire.gateway.UnbindAgentForContextRequest
                                .newBuilder()
                                .setV(1)
                                .setPrincipal("service:bridge")
                                .setChannel("discord")
                                .build());
        assertFalse(bridge.call().routeMessage(message("b").build()).getAccepted());
        root.call()
                .bindAgentForContext(
                        BindAgentForContextRequest.newBuilder()
                                .setV(1)
                                .setAgentId("default")
                                .setSessionId(first.getSessionId())
                                .build());
        RouteMessageResponse second = bridge.call().routeMessage(message("c").build());
        assertTrue(second.getAccepted());
        assertEquals(first.getSessionId(), second.getSessionId());
        assertTrue(second.getDecisionReason().contains("session is bound"));
    }

    @Test
    void followsNobodyAnyMoreWhenTheCallIsCancelled() {
        bind();
        gateway.model.hold(new ModelEvent.TextDelta("Thinking"));
        Thread call =
                Thread.ofVirtual()
                        .start(
                                () ->
                                        assertThrows(
                                                StatusRuntimeException.class,
                                                () ->
                                                        bridge.callWithoutDeadline()
                                                                .routeMessage(
                                                                        message("Hi").build())));
        Await.until("somebody to follow", Patience.LONG, () -> gateway.following() == 1);
        bridge.close();
        Await.until("nobody to follow", Patience.LONG, () -> gateway.following() == 0);
        Await.until("the call to end", Patience.LONG, () -> !call.isAlive());
    }

    @Test
    void survivesASwapOfTheFrontWhileItWaits() throws InterruptedException {
        bind();
        gateway.model.hold(new ModelEvent.TextDelta("Thinking"));
        RouteMessageRequest message = message("Hi").build();
        RouteMessageResponse[] response = new RouteMessageResponse[1];
        Thread call =
                Thread.ofPlatform().start(() -> response[0] = bridge.call().routeMessage(message));
        Await.until("somebody to follow", Patience.LONG, () -> gateway.following() == 1);
        gateway.frontGoes();
        gateway.frontComes();
        gateway.model.answer("After the swap");
        gateway.engineGoes();
        gateway.engineComes();
        call.join();
        assertEquals("After the swap", response[0].getOutputs(0).getText());
    }

    @Test
    void refusesWhatCannotBeUnderstoodAndNamesTheField() {
        bind();
        assertNames("v is 0", message("Hi").setV(0));
        assertNames("envelope is missing", RouteMessageRequest.newBuilder().setV(1));
        assertNames("envelope.content.text", message(""));
        RouteMessageRequest.Builder nowhere = message("Hi");
        nowhere.getEnvelopeBuilder().clearOrigin();
        assertNames("envelope.origin.channel", nowhere);
        RouteMessageRequest.Builder nameless = message("Hi");
        nameless.getEnvelopeBuilder().clearEnvelopeId();
        assertNames("envelope.envelope_id", nameless);
        assertNames("adapter_message_id", message("Hi").setAdapterMessageId("m".repeat(129)));
        RouteMessageRequest.Builder misnamed = message("Hi").setAdapterMessageId("m1");
        misnamed.getEnvelopeBuilder().setEnvelopeId(ApiMapper.id("m1"));
        assertNames("envelope.envelope_id", misnamed);
        RouteMessageRequest.Builder loaded = message("Hi");
        loaded.getEnvelopeBuilder().getContentBuilder().addAttachmentsBuilder();
        assertNames("envelope.content.attachments", loaded);
        assertEquals(0, runs());
    }

    @Test
    void takesNothingWhileNobodyCanSayWhereItBelongs() {
        bind();
        gateway.engineGoes();
        RouteMessageRequest message = message("Hi").build();
        Refusals.assertRefused(Status.Code.UNAVAILABLE, () -> bridge.call().routeMessage(message));
        gateway.model.answer("Here again");
        gateway.engineComes();
        assertEquals("Here again", bridge.call().routeMessage(message).getOutputs(0).getText());
    }

    @Test
    void declinesBroadcastsInAChannelWithoutARule() {
        bind();
        RouteMessageResponse response =
                bridge.call().routeMessage(message("Hi").setRequestBroadcast(true).build());
        assertFalse(response.getAccepted());
        assertTrue(response.getDecisionReason().startsWith("broadcast_denied_by_policy"));
        assertEquals(0, runs());
    }

    private void speaking(String... scopes) {
        bridge.close();
        bridge = gateway.client(gateway.token("service:bridge", Set.of(scopes), "integrator"));
    }

    private static RouteMessageRequest.Builder from(String sender, String text) {
        RouteMessageRequest.Builder message = message(text).setAdapterMessageId("m1");
        message.getEnvelopeBuilder()
                .getOriginBuilder()
                .setSenderHandle(sender)
                .setSenderDisplay("Ann")
                .setSenderVerified(true);
        return message;
    }

    private void routes(String principal, String prefix) {
        speaking("access.speak_for", "run.*");
        gateway.rules.governed = "grpc:discord";
        gateway.rules.ruling =
                new MessageRules.Ruling.Routed(
                        principal,
                        "channel:grpc:discord:conversation:general",
                        "",
                        "Ann: Hi",
                        prefix,
                        WhileRunning.QUEUE,
                        "friends");
    }

    /** The run is the sender's, and so are its rights; the answer goes back to the adapter. */
    @Test
    void aRuleRoutesOnBehalfOfTheSender() {
        routes("user:grpc:discord:42", "bot: ");
        gateway.model.answer("Hello, Ann");
        RouteMessageResponse response =
                bridge.call()
                        .routeMessage(
                                from("42", "Hi")
                                        .setRequestBroadcast(true)
                                        .setIsDirectMessage(true)
                                        .build());
        assertTrue(response.getAccepted(), response.getDecisionReason());
        assertEquals("bot: Hello, Ann", response.getOutputs(0).getText());
        assertTrue(response.getOutputs(0).getBroadcast());
        assertEquals("channel:grpc:discord:conversation:general", response.getRouteKey());
        assertEquals(
                "user:grpc:discord:42",
                gateway.journal.run(response.getRunId().getUlid()).orElseThrow().principal());
        InboundMessage asked = gateway.rules.asked.getFirst();
        assertEquals("42", asked.sender().id());
        assertTrue(asked.sender().verified() && asked.conversation().direct());
        assertTrue(gateway.rules.broadcast);
        RouteMessageResponse again = bridge.call().routeMessage(from("42", "Hi").build());
        assertEquals(response.getRunId(), again.getRunId(), "accepted once");
    }

    @Test
    void whatWasAcceptedIsAnsweredWhenRulesHaveChanged() {
        routes("user:grpc:discord:42", "bot: ");
        gateway.model.answer("Hello, Ann");
        RouteMessageResponse first = bridge.call().routeMessage(from("42", "Hi").build());
        String message = gateway.journal.run(first.getRunId().getUlid()).orElseThrow().messageId();
        gateway.rules.ruling =
                new MessageRules.Ruling.Known(
                        "user:grpc:discord:42", first.getRouteKey(), message, "");
        assertSameAnswer(first, bridge.call().routeMessage(from("42", "Hi").build()));
        gateway.rules.before = gateway.rules.ruling;
        gateway.rules.governed = "";
        assertSameAnswer(first, bridge.call().routeMessage(from("42", "Hi").build()));
    }

    private static void assertSameAnswer(RouteMessageResponse first, RouteMessageResponse again) {
        assertTrue(again.getAccepted(), again.getDecisionReason());
        assertEquals(first.getRunId(), again.getRunId());
        assertEquals(first.getRouteKey(), again.getRouteKey());
        assertEquals("Hello, Ann", again.getOutputs(0).getText());
    }

    @Test
    void aChannelWithoutARuleIsAReasonAlsoForWhoMayResolveNoSession() {
        speaking("access.speak_for", "run.*");
        RouteMessageResponse refused = bridge.call().routeMessage(from("42", "Hi").build());
        assertFalse(refused.getAccepted());
        assertTrue(refused.getDecisionReason().startsWith("channel_disabled: "));
        bind();
        gateway.model.answer("Hello, channel");
        RouteMessageResponse bound = bridge.call().routeMessage(from("42", "Hi").build());
        assertEquals("Hello, channel", bound.getOutputs(0).getText());
    }

    /** Its first use was on behalf of another principal. */
    @Test
    void anIdIsAcceptedOnceInItsChannel() {
        routes("user:grpc:discord:42", "");
        gateway.model.answer("Hello, Ann");
        bridge.call().routeMessage(from("42", "Hi").build());
        gateway.rules.ruling =
                new MessageRules.Ruling.Routed(
                        "service:grpc:discord:in:hall",
                        "channel:grpc:discord:conversation:hall",
                        "",
                        "Bob: Hi",
                        "",
                        WhileRunning.QUEUE,
                        "friends");
        assertEquals(Status.Code.ALREADY_EXISTS, code(from("43", "Hi there")));
        assertEquals(1, gateway.journal.runs("", "", "", 10).size());
    }

    /** A credential that may not speak for others brings no message of others. */
    @Test
    void aCallerWithoutTheRightSpeaksForNoSender() {
        routes("user:grpc:discord:42", "");
        try (Client viewer = gateway.client("user:viewer", "viewer")) {
            Refusals.assertRefused(
                    Status.Code.PERMISSION_DENIED,
                    () -> viewer.call().routeMessage(from("42", "Hi").build()));
        }
        assertEquals(List.of(), gateway.rules.asked, "nothing was decided, stored or told");
        assertEquals(0, gateway.journal.runs("", "", "", 10).size());
    }

    @Test
    void aRuleIgnoresWithItsReasonAndTellsTheCode() {
        speaking("access.speak_for", "run.*");
        gateway.rules.governed = "grpc:discord";
        gateway.rules.ruling =
                new MessageRules.Ruling.Ignored(
                        "direct_message_pairing_required",
                        "Not approved yet.",
                        "The code is X",
                        "channel:x");
        RouteMessageResponse response = bridge.call().routeMessage(from("42", "Hi").build());
        assertFalse(response.getAccepted());
        assertEquals(
                "direct_message_pairing_required: Not approved yet.", response.getDecisionReason());
        assertEquals("The code is X", response.getOutputs(0).getText());
        assertEquals("channel:x", response.getRouteKey());
        assertEquals(0, gateway.journal.runs("", "", "", 10).size());
    }

    /** A binding is no way around rules that cannot be read. */
    @Test
    void takesNothingWhileRulesAreNotThere() {
        bind();
        gateway.rules.failure =
                new PalyraException(ErrorCode.GATEWAY_UNAVAILABLE, "The rule x is being read.");
        Refusals.assertRefused(
                Status.Code.UNAVAILABLE,
                () -> bridge.call().routeMessage(from("42", "Hi").build()));
        assertEquals(0, runs());
    }

    @Test
    void namesWhatARuleNeedsToKnow() {
        routes("user:grpc:discord:42", "");
        assertNames("envelope.origin.sender_handle", message("Hi"));
    }

    private Status.Code code(RouteMessageRequest.Builder message) {
        return assertThrows(
                        StatusRuntimeException.class,
                        () -> bridge.call().routeMessage(message.build()))
                .getStatus()
                .getCode();
    }

    private void assertNames(String what, RouteMessageRequest.Builder message) {
        Status status =
                assertThrows(
                                StatusRuntimeException.class,
                                () -> bridge.call().routeMessage(message.build()))
                        .getStatus();
        assertEquals(Status.Code.INVALID_ARGUMENT, status.getCode());
        assertTrue(status.getDescription().contains(what), status.getDescription());
    }
}
