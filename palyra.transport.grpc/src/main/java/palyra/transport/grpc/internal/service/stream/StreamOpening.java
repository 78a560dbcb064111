package palyra.transport.grpc.internal.service.stream;

import palyra.api.Require;
import palyra.api.run.RunPosition;
import palyra.api.run.SubmittedMessage;
import palyra.transport.grpc.internal.call.Caller;
import palyra.transport.grpc.internal.service.Envelopes;
import palyra.transport.grpc.internal.service.Requests;
import palyra.transport.grpc.internal.wire.common.RunStreamRequest;
import palyra.transport.grpc.internal.wire.common.TextPosition;

/** The request in the first message of a stream. */
sealed interface StreamOpening {
    /** Surface of runs that were started over a stream. */
    String SURFACE = "grpc";

    /** Starts a run. */
    record Start(SubmittedMessage message) implements StreamOpening {}

    /**
     * A run is to be followed.
     *
     * @param sessionId session that the client thinks it belongs to; empty when not said
     */
    record Attach(String runId, String sessionId, RunPosition from) implements StreamOpening {}

    /** Returns what a first message asks for. INVALID_ARGUMENT. */
    static StreamOpening of(RunStreamRequest first, Caller caller) {
        Requests.version(first.getV());
        requireSupported(first);
        if (first.hasInput()) {
            return start(first, caller);
        }
        Require.that(
                first.hasRunId(),
                "the first message has neither input nor run_id: send input to start a run, or"
                        + " run_id to attach to one");
        return attach(first);
    }

    /** Refuses, in any message of a stream, what nothing can be done with yet. */
    static void requireSupported(RunStreamRequest request) {
        Requests.unsupported(!request.getParameterDeltaJson().isEmpty(), "parameter_delta_json");
        Requests.unsupported(request.hasQueuedInputId(), "queued_input_id");
    }

    private static Start start(RunStreamRequest first, Caller caller) {
        refuseWithInput(first.getCancelRun(), "cancel_run");
        refuseWithInput(first.hasToolApprovalResponse(), "tool_approval_response");
        refuseWithInput(first.getAttachAfterSeq() != 0, "attach_after_seq");
        refuseWithInput(first.hasAttachText(), "attach_text");
        Envelopes.require(first.getInput(), "input");
        String envelopeId =
                Requests.id(
                        first.getInput().hasEnvelopeId(),
                        first.getInput().getEnvelopeId(),
                        "input.envelope_id");
        return new Start(
                new SubmittedMessage(
                        SURFACE,
                        envelopeId,
                        Requests.idOrEmpty(
                                first.hasSessionId(), first.getSessionId(), "session_id"),
                        Requests.sessionKey(first.getSessionKey()),
                        caller.deviceId(),
                        Envelopes.channel(first.getInput(), caller, "input"),
                        first.getAgentId(),
                        first.getInput().getContent().getText(),
                        first.getOriginKind(),
                        first.getResetSession(),
                        Requests.idOrEmpty(first.hasRunId(), first.getRunId(), "run_id"),
                        first.getSessionLabel(),
                        first.getRequireExisting(),
                        Requests.idOrEmpty(
                                first.hasOriginRunId(), first.getOriginRunId(), "origin_run_id"),
                        first.getAllowSensitiveTools()));
    }

    private static void refuseWithInput(boolean set, String field) {
        Require.that(!set, field + " does not go with input; send it in a message of its own");
    }

    private static Attach attach(RunStreamRequest first) {
        refuseWithoutInput(first.getAllowSensitiveTools(), "allow_sensitive_tools");
        refuseWithoutInput(!first.getSessionKey().isEmpty(), "session_key");
        refuseWithoutInput(!first.getSessionLabel().isEmpty(), "session_label");
        refuseWithoutInput(first.getResetSession(), "reset_session");
        refuseWithoutInput(first.getRequireExisting(), "require_existing");
        refuseWithoutInput(!first.getOriginKind().isEmpty(), "origin_kind");
        refuseWithoutInput(first.hasOriginRunId(), "origin_run_id");
        refuseWithoutInput(!first.getAgentId().isEmpty(), "agent_id");
        return new Attach(
                Requests.id(true, first.getRunId(), "run_id"),
                Requests.idOrEmpty(first.hasSessionId(), first.getSessionId(), "session_id"),
                position(first));
    }

    private static void refuseWithoutInput(boolean set, String field) {
        Require.that(
                !set, field + " says how a run is started and there is no input; leave it out");
    }

    private static RunPosition position(RunStreamRequest first) {
        long seq = Requests.count(first.getAttachAfterSeq(), "attach_after_seq");
        if (!first.hasAttachText()) {
            return RunPosition.after(seq);
        }
        TextPosition text = first.getAttachText();
        int turn = Requests.number(text.getTurn(), "attach_text.turn");
        int attempt = Requests.number(text.getAttempt(), "attach_text.attempt");
        Require.that(
                turn > 0 && attempt > 0,
                "attach_text has no turn or no attempt; both count from 1, as in model_token");
        return new RunPosition(
                seq,
                turn,
                attempt,
                Requests.count(text.getAnswerLength(), "attach_text.answer_length"),
                Requests.count(text.getThoughtLength(), "attach_text.thought_length"));
    }
}
