package palyra.transport.grpc.internal.service.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import java.util.Set;
import org.junit.jupiter.api.Test;
import palyra.api.access.Principal;
import palyra.api.access.PrincipalKind;
import palyra.api.run.RunPosition;
import palyra.api.run.SubmittedMessage;
import palyra.transport.grpc.internal.call.Caller;
import palyra.transport.grpc.internal.service.ApiMapper;
import palyra.transport.grpc.internal.wire.common.EnvelopeOrigin;
import palyra.transport.grpc.internal.wire.common.MessageContent;
import palyra.transport.grpc.internal.wire.common.MessageEnvelope;
import palyra.transport.grpc.internal.wire.common.RunStreamRequest;
import palyra.transport.grpc.internal.wire.common.TextPosition;

class StreamOpeningTest {
    private static final String RUN = "01JD3Z0000000000000000000A";
    private static final String SESSION = "01JD3Z0000000000000000000B";
    private static final String ORIGIN = "01JD3Z0000000000000000000C";
    private static final String ENVELOPE = "01JD3Z0000000000000000000D";
    private static final String DEVICE = "01JD3Z0000000000000000000E";

    private static final Principal ALICE =
            new Principal("user:alice", PrincipalKind.USER, Set.of(), Set.of(), "test");

    private static Caller caller(String channel) {
        return new Caller(
                ALICE,
                DEVICE,
                channel,
                new Caller.Proof() {
                    @Override
                    public Principal principal() {
                        return ALICE;
                    }

                    @Override
                    public void check() {}
                });
    }

    private static RunStreamRequest.Builder start() {
        return RunStreamRequest.newBuilder()
                .setV(1)
                .setInput(
                        MessageEnvelope.newBuilder()
                                .setV(1)
                                .setEnvelopeId(ApiMapper.id(ENVELOPE))
                                .setOrigin(EnvelopeOrigin.newBuilder().setChannel("web"))
                                .setContent(MessageContent.newBuilder().setText("Hi"))
                                .setMaxPayloadBytes(2));
    }

    private static SubmittedMessage message(RunStreamRequest.Builder request, Caller caller) {
        return assertInstanceOf(
                        StreamOpening.Start.class, StreamOpening.of(request.build(), caller))
                .message();
    }

    @Test
    void passesEverythingOn() {
        RunStreamRequest.Builder request =
                start().setSessionId(ApiMapper.id(SESSION))
                        .setRunId(ApiMapper.id(RUN))
                        .setAllowSensitiveTools(true)
                        .setSessionKey("work")
                        .setSessionLabel("My work")
                        .setResetSession(true)
                        .setRequireExisting(true)
                        .setOriginKind("background")
                        .setOriginRunId(ApiMapper.id(ORIGIN))
                        .setAgentId("helper");
        assertEquals(
                new SubmittedMessage(
                        "grpc",
                        ENVELOPE,
                        SESSION,
                        "work",
                        DEVICE,
                        "cli",
                        "helper",
                        "Hi",
                        "background",
                        true,
                        RUN,
                        "My work",
                        true,
                        ORIGIN,
                        true),
                message(request, caller("cli")));
    }

    @Test
    void leavesOutWhatIsNotThere() {
        assertEquals(
                new SubmittedMessage("grpc", ENVELOPE, "", "", DEVICE, "web", "", "Hi", "", false),
                message(start(), caller("")));
    }

    private static RunPosition position(RunStreamRequest.Builder request) {
        StreamOpening.Attach attach =
                assertInstanceOf(
                        StreamOpening.Attach.class,
                        StreamOpening.of(
                                request.setV(1).setRunId(ApiMapper.id(RUN)).build(), caller("")));
        assertEquals(RUN, attach.runId());
        return attach.from();
    }

    @Test
    void attachesFromThePositionThatIsGiven() {
        assertEquals(RunPosition.START, position(RunStreamRequest.newBuilder()));
        assertEquals(
                RunPosition.after(9), position(RunStreamRequest.newBuilder().setAttachAfterSeq(9)));
        assertEquals(
                new RunPosition(9, 2, 3, 40, 50),
                position(
                        RunStreamRequest.newBuilder()
                                .setAttachAfterSeq(9)
                                .setAttachText(
                                        TextPosition.newBuilder()
                                                .setTurn(2)
                                                .setAttempt(3)
                                                .setAnswerLength(40)
                                                .setThoughtLength(50))));
    }
}
