package palyra.transport.grpc.internal.service;

import io.grpc.Context;
import io.grpc.stub.ServerCallStreamObserver;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.Require;
import palyra.api.core.journal.TapeVerifier;
import palyra.api.core.journal.VerificationReport;
import palyra.api.run.RunView;
import palyra.api.run.Runs;
import palyra.shared.gate.Gate;
import palyra.transport.grpc.internal.call.Caller;
import palyra.transport.grpc.internal.call.OpenStreams;
import palyra.transport.grpc.internal.service.stream.Outbound;
import palyra.transport.grpc.internal.service.stream.StreamHandle;
import palyra.transport.grpc.internal.service.stream.StreamThread;
import palyra.transport.grpc.internal.wire.gateway.ExplainCallRequest;
import palyra.transport.grpc.internal.wire.gateway.ReadTapeRequest;
import palyra.transport.grpc.internal.wire.gateway.TapeRecord;
import palyra.transport.grpc.internal.wire.gateway.VerifyRunRequest;
import palyra.transport.grpc.internal.wire.gateway.VerifyRunResponse;

/** Calls about the tape of a run. Thread-safe. */
final class TapeCalls {
    private static final int PAGE = 256;
    private static final Pattern CALL_ID =
            Pattern.compile("[0-7][0-9A-HJKMNP-TV-Z]{25}\\.[0-9]{1,9}\\.[0-9]{1,9}");

    /** The verifier may be swapped while it works; then the verification begins again. */
    private static final int ATTEMPTS = 3;

    private final Gate<Runs> runs;
    private final Gate<TapeVerifier> verifier;
    private final Permissions permissions;

    TapeCalls(Gate<Runs> runs, Gate<TapeVerifier> verifier, Permissions permissions) {
        this.runs = runs;
        this.verifier = verifier;
        this.permissions = permissions;
    }

    /** Sends records as fast as the client reads them, up to the head that the tape has now. */
    void read(
            Caller caller,
            OpenStreams streams,
            ReadTapeRequest request,
            ServerCallStreamObserver<TapeRecord> client) {
        Requests.version(request.getV());
        String runId = Requests.id(request.hasRunId(), request.getRunId(), "run_id");
        long after = Requests.count(request.getAfterSeq(), "after_seq");
        long limit = Requests.count(request.getLimit(), "limit");
        RunView run = RunCalls.require(runs, caller.principal(), runId);
        long last = run.headSeq();
        if (limit > 0 && limit < last - after) {
            last = after + limit;
        }
        Range range = new Range(runId, after, last);
        Outbound<TapeRecord> out = new Outbound<>(client);
        StreamHandle.list(streams, caller, out);
        StreamThread.start(
                "palyra-grpc-tape",
                out,
                () -> {
                    send(caller, range, record -> true, out);
                    out.complete();
                });
    }

    /** Sends the records of one call. NOT_FOUND when the tape says nothing of it. */
    void explain(
            Caller caller,
            OpenStreams streams,
            ExplainCallRequest request,
            ServerCallStreamObserver<TapeRecord> client) {
        Requests.version(request.getV());
        String callId = Requests.text(request.getCallId(), "call_id");
        Require.that(
                CALL_ID.matcher(callId).matches(),
                "call_id '"
                        + Requests.brief(callId)
                        + "' is not a call id: give <run>.<turn>.<index>, as on the tape");
        String runId = callId.substring(0, callId.indexOf('.'));
        RunView run = RunCalls.require(runs, caller.principal(), runId);
        Outbound<TapeRecord> out = new Outbound<>(client);
        StreamHandle.list(streams, caller, out);
        Range range = new Range(runId, 0, run.headSeq());
        StreamThread.start(
                "palyra-grpc-explain",
                out,
                () -> {
                    if (send(caller, range, record -> CallRecords.isOf(callId, record), out) == 0) {
                        throw new PalyraException(
                                ErrorCode.NOT_FOUND,
                                "The tape of run "
                                        + runId
                                        + " says nothing of call "
                                        + callId
                                        + ".");
                    }
                    out.complete();
                });
    }

    /** Records after {@code after}, up to {@code last}. */
    private record Range(String runId, long after, long last) {}

    /** Returns how many were sent; stops when the stream is over. */
    private long send(
            Caller caller,
            Range range,
            Predicate<palyra.api.tape.TapeRecord> wanted,
            Outbound<TapeRecord> out)
            throws InterruptedException {
        long sent = 0;
        long at = range.after();
        while (at < range.last()) {
            long from = at;
            int most = (int) Math.min(PAGE, range.last() - at);
            List<palyra.api.tape.TapeRecord> page =
                    GateCalls.call(
                            runs,
                            front -> front.tape(caller.principal(), range.runId(), from, most));
            if (page.isEmpty()) {
                break;
            }
            for (palyra.api.tape.TapeRecord record : page) {
                at = record.seq();
                if (wanted.test(record)) {
                    if (!out.send(ApiMapper.record(record))) {
                        return sent;
                    }
                    sent++;
                }
            }
        }
        return sent;
    }

    VerifyRunResponse verify(Caller caller, VerifyRunRequest request) {
        Requests.version(request.getV());
        String runId = Requests.id(request.hasRunId(), request.getRunId(), "run_id");
        long from = Requests.count(request.getFromSeq(), "from_seq");
        long to = Requests.count(request.getToSeq(), "to_seq");
        boolean whole = from == 0 && to == 0;
        Require.that(
                whole || (from > 0 && from <= to),
                "from_seq is "
                        + from
                        + " and to_seq is "
                        + to
                        + "; a range begins at 1 or later and ends at its begin or later, and 0"
                        + " and 0 mean the whole run");
        RunView run = RunCalls.require(runs, caller.principal(), runId);
        permissions.read(caller.principal(), "tape.verify", "run:" + runId, run.principal());
        Require.that(
                to <= run.headSeq(),
                "to_seq is " + to + " and the tape of run " + runId + " ends at " + run.headSeq());
        VerificationReport report =
                verify(
                        whole
                                ? (service, stop) -> service.verifyStream(runId, stop)
                                : (service, stop) -> service.verifyRange(runId, from, to, stop));
        return response(report);
    }

    private interface Verification {
        VerificationReport with(TapeVerifier service, BooleanSupplier stop);
    }

    private VerificationReport verify(Verification work) {
        Context call = Context.current();
        VerificationReport report = attempt(work, call);
        for (int i = 1; i < ATTEMPTS && !report.complete() && !call.isCancelled(); i++) {
            report = attempt(work, call);
        }
        if (!report.complete() && report.fault().isEmpty()) {
            throw new PalyraException(
                    call.isCancelled() ? ErrorCode.CANCELLED : ErrorCode.JOURNAL_UNAVAILABLE,
                    "The verification was not finished, because "
                            + (call.isCancelled()
                                    ? "the call was cancelled."
                                    : "the verifier was replaced meanwhile; try again."));
        }
        return report;
    }

    /** Lets go of a verifier that is about to leave: it is no longer offered at the gate then. */
    private VerificationReport attempt(Verification work, Context call) {
        return GateCalls.call(
                verifier,
                service -> work.with(service, () -> call.isCancelled() || !verifier.isPresent()));
    }

    private static VerifyRunResponse response(VerificationReport report) {
        VerifyRunResponse.Builder response =
                VerifyRunResponse.newBuilder()
                        .setV(1)
                        .setIntact(report.intact() && report.judgement().legal())
                        .setRecords(report.records())
                        .setWithheld(report.withheld())
                        .setSeals(report.seals());
        report.judgement()
                .illegal()
                .forEach(
                        illegal ->
                                response.setFaultSeq(illegal.seq())
                                        .setFaultKind("ILLEGAL")
                                        .setFaultDetail(illegal.type() + ": " + illegal.detail()));
        report.fault() // comes first: what was changed says nothing about what was written
                .ifPresent(
                        fault ->
                                response.setFaultSeq(fault.seq())
                                        .setFaultKind(fault.kind().name())
                                        .setFaultDetail(fault.detail()));
        return response.build();
    }
}
