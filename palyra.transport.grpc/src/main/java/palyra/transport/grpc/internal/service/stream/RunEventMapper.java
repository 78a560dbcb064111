package palyra.transport.grpc.internal.service.stream;

import java.util.ArrayList;
import java.util.List;
import palyra.api.run.RunEvent;
import palyra.api.run.RunState;
import palyra.api.tape.TapeEvent;
import palyra.transport.grpc.internal.wire.common.ModelToken;
import palyra.transport.grpc.internal.wire.common.RunStreamEvent;
import palyra.transport.grpc.internal.wire.common.StreamStatus;
import palyra.transport.grpc.internal.wire.common.StreamStatus.StatusKind;
import palyra.transport.grpc.internal.wire.common.TurnRestarted;

/**
 * Events of one run as messages of its stream: each record of the tape is one message with its
 * sequence number, text is tokens without. Used by one thread at a time.
 */
final class RunEventMapper {
    private final StreamTarget target;
    private final Proposals proposals;
    private final TextSplitter text = new TextSplitter();

    RunEventMapper(StreamTarget target, Proposals proposals) {
        this.target = target;
        this.proposals = proposals;
    }

    /** Returns the messages for an event; when it throws, nothing has changed. */
    List<RunStreamEvent> messages(RunEvent event) {
        return switch (event) {
            case RunEvent.Text piece -> text.add(piece).stream().map(this::token).toList();
            case RunEvent.Dropped dropped -> {
                text.drop();
                yield List.of(
                        target.event(0)
                                .setTurnRestarted(
                                        TurnRestarted.newBuilder()
                                                .setTurn(dropped.turn())
                                                .setReason(dropped.reason()))
                                .build());
            }
            case RunEvent.Recorded recorded -> recorded(recorded);
            case RunEvent.Waiting waiting ->
                    List.of(
                            target.event(0)
                                    .setStatus(
                                            StreamStatus.newBuilder()
                                                    .setKind(kind(waiting.state()))
                                                    .setMessage(waiting.reason()))
                                    .build());
            case RunEvent.Ended ended -> text.rest().stream().map(this::token).toList();
        };
    }

    private RunStreamEvent token(RunEvent.Text piece) {
        return token(piece, false);
    }

    private RunStreamEvent token(RunEvent.Text piece, boolean last) {
        return target.event(0)
                .setModelToken(
                        ModelToken.newBuilder()
                                .setToken(piece.text())
                                .setIsFinal(last)
                                .setTurn(piece.turn())
                                .setAttempt(piece.attempt())
                                .setOffset(piece.offset())
                                .setThought(piece.thought()))
                .build();
    }

    private List<RunStreamEvent> recorded(RunEvent.Recorded recorded) {
        RunStreamEvent body = body(recorded);
        List<RunStreamEvent> messages = new ArrayList<>();
        switch (recorded.event()) {
            case TapeEvent.TurnFinished finished -> {
                text.rest().forEach(piece -> messages.add(token(piece)));
                messages.add(token(end(finished), true));
            }
            case TapeEvent.RunStateChanged changed when changed.state().terminal() ->
                    text.rest().forEach(piece -> messages.add(token(piece)));
            default -> {
                // nothing goes before it
            }
        }
        messages.add(target.event(recorded.seq()).mergeFrom(body).build());
        return messages;
    }

    private static RunEvent.Text end(TapeEvent.TurnFinished finished) {
        return new RunEvent.Text(
                finished.turn(), finished.attempt(), false, finished.text().length(), "");
    }

    private RunStreamEvent body(RunEvent.Recorded recorded) {
        RunStreamEvent.Builder record = RunStreamEvent.newBuilder();
        switch (recorded.event()) {
            case TapeEvent.RunStateChanged changed -> record.setStatus(status(changed));
            case TapeEvent.ToolCallProposal proposal ->
                    record.setToolProposal(ToolEventMapper.proposal(proposal));
            case TapeEvent.ToolDecision decision ->
                    record.setToolDecision(ToolEventMapper.decision(decision));
            case TapeEvent.ApprovalRequest request ->
                    record.setToolApprovalRequest(
                            ToolEventMapper.request(
                                    request,
                                    recorded.timeMillis(),
                                    proposals.of(request.callId(), recorded.seq())));
            case TapeEvent.ApprovalDecision answer ->
                    record.setToolApprovalResponse(ToolEventMapper.answer(answer));
            case TapeEvent.ToolCallOutput output ->
                    record.setToolResult(ToolEventMapper.result(output));
            case TapeEvent.ToolAttestation attestation ->
                    record.setToolAttestation(ToolEventMapper.attestation(attestation));
            default -> record.setJournalEvent(JournalEventMapper.of(recorded, target));
        }
        return record.build();
    }

    private static StreamStatus status(TapeEvent.RunStateChanged changed) {
        return StreamStatus.newBuilder()
                .setKind(kind(changed.state()))
                .setMessage(changed.reason())
                .setCode(changed.code() == null ? "" : changed.code().name())
                .build();
    }

    private static StatusKind kind(RunState state) {
        return switch (state) {
            case ACCEPTED -> StatusKind.STATUS_KIND_ACCEPTED;
            case RUNNING -> StatusKind.STATUS_KIND_IN_PROGRESS;
            case AWAITING_APPROVAL -> StatusKind.STATUS_KIND_AWAITING_APPROVAL;
            case QUARANTINED -> StatusKind.STATUS_KIND_UNSPECIFIED; // never on a tape
            case SUCCEEDED -> StatusKind.STATUS_KIND_DONE;
            case FAILED -> StatusKind.STATUS_KIND_FAILED;
            case CANCELLED -> StatusKind.STATUS_KIND_CANCELLED;
        };
    }
}
