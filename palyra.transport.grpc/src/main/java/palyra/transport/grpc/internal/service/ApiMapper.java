package palyra.transport.grpc.internal.service;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import io.grpc.stub.StreamObserver;
import palyra.api.run.RunState;
import palyra.api.run.RunView;
import palyra.api.run.SessionView;
import palyra.transport.grpc.internal.wire.common.CanonicalId;
import palyra.transport.grpc.internal.wire.gateway.Run;
import palyra.transport.grpc.internal.wire.gateway.SessionSummary;
import palyra.transport.grpc.internal.wire.gateway.TapeRecord;

/** Maps common values of the API to and from messages. Pure functions. */
public final class ApiMapper {
    private ApiMapper() {}

    /** Returns an id. */
    public static CanonicalId id(String ulid) {
        return CanonicalId.newBuilder().setUlid(ulid).build();
    }

    static SessionSummary session(SessionView session) {
        SessionSummary.Builder wire =
                SessionSummary.newBuilder()
                        .setSessionId(id(session.sessionId()))
                        .setSessionKey(session.key())
                        .setSessionLabel(session.label())
                        .setCreatedAtUnixMs(session.createdAtMillis())
                        .setUpdatedAtUnixMs(session.updatedAtMillis())
                        .setArchivedAtUnixMs(session.archivedAtMillis())
                        .setPrincipal(session.principal())
                        .setAgentId(session.agentId())
                        .setDeviceId(session.deviceId())
                        .setChannel(session.channel());
        if (!session.lastRunId().isEmpty()) {
            wire.setLastRunId(id(session.lastRunId()));
        }
        return wire.build();
    }

    static Run run(RunView run) {
        return Run.newBuilder()
                .setRunId(id(run.runId()))
                .setSessionId(id(run.sessionId()))
                .setPrincipal(run.principal())
                .setAgentId(run.agentId())
                .setOriginKind(run.originKind())
                .setState(state(run.state()))
                .setReason(run.reason())
                .setCreatedAtUnixMs(run.createdAtMillis())
                .setUpdatedAtUnixMs(run.updatedAtMillis())
                .setHeadSeq(run.headSeq())
                .build();
    }

    private static String state(RunState state) {
        return switch (state) {
            case ACCEPTED -> "accepted";
            case RUNNING -> "in_progress";
            case AWAITING_APPROVAL -> "awaiting_approval";
            case QUARANTINED -> "quarantined";
            case SUCCEEDED -> "done";
            case FAILED -> "failed";
            case CANCELLED -> "cancelled";
        };
    }

    static TapeRecord record(palyra.api.tape.TapeRecord record) {
        return TapeRecord.newBuilder()
                .setV(1)
                .setStreamId(record.streamId())
                .setSeq(record.seq())
                .setType(record.type())
                .setTimeUnixMs(record.timeMillis())
                .setSchema(record.schema())
                .setSalt(bytes(record.salt()))
                .setPayload(bytes(record.payload()))
                .setCommitment(bytes(record.commitment()))
                .setPrevHash(bytes(record.prevHash()))
                .setHash(bytes(record.hash()))
                .setWithheld(record.payload() == null)
                .build();
    }

    /** Bytes of a stored record are never changed, so they need no copy. */
    private static ByteString bytes(byte[] bytes) {
        return bytes == null ? ByteString.EMPTY : UnsafeByteOperations.unsafeWrap(bytes);
    }

    /** Sends the only response of a call and completes it. */
    static <T> void reply(StreamObserver<T> client, T response) {
        client.onNext(response);
        client.onCompleted();
    }
}
