package palyra.transport.grpc.internal.service.stream;

import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.access.Principal;
import palyra.api.run.RunPosition;
import palyra.api.run.RunView;
import palyra.api.run.Submission;
import palyra.api.run.SubmittedMessage;
import palyra.shared.follow.ResumingRunFollower;
import palyra.transport.grpc.internal.Seams;
import palyra.transport.grpc.internal.call.Caller;
import palyra.transport.grpc.internal.service.ApiMapper;
import palyra.transport.grpc.internal.service.GateCalls;
import palyra.transport.grpc.internal.service.RunCalls;
import palyra.transport.grpc.internal.wire.common.RunStreamEvent;
import palyra.transport.grpc.internal.wire.common.RunStreamRequest;
import palyra.transport.grpc.internal.wire.common.StreamStatus;
import palyra.transport.grpc.internal.wire.common.StreamStatus.StatusKind;

/**
 * One {@code RunStream}: starts a run or attaches to one on a thread of its own and follows it to
 * its end, while later messages of the client are handled one by one. When the stream ends, for any
 * reason, the run goes on.
 */
public final class RunStreamCall implements StreamObserver<RunStreamRequest> {
    private final Seams seams;
    private final Caller caller;
    private final Outbound<RunStreamEvent> out;
    private final CompletableFuture<StreamTarget> target = new CompletableFuture<>();
    private final StreamRequestHandler later;
    private final AtomicBoolean begun = new AtomicBoolean(); // by a message, or by its absence
    private final CountDownLatch waited = new CountDownLatch(1); // for the first message

    private RunStreamCall(Seams seams, Caller caller, Outbound<RunStreamEvent> out) {
        this.seams = seams;
        this.caller = caller;
        this.out = out;
        this.later = new StreamRequestHandler(seams, caller, out);
    }

    /**
     * Opens a stream; call it in the service method.
     *
     * @param firstMillis within which the client's first message must come
     */
    public static RunStreamCall open(
            Seams seams,
            Caller caller,
            ServerCallStreamObserver<RunStreamEvent> client,
            long firstMillis) {
        client.disableAutoRequest();
        Outbound<RunStreamEvent> out = new Outbound<>(client);
        RunStreamCall call = new RunStreamCall(seams, caller, out);
        out.whenOver(() -> call.target.cancel(false));
        out.whenOver(call.waited::countDown);
        StreamHandle.list(seams.streams(), caller, out);
        StreamThread.start("palyra-grpc-first", out, () -> call.requireFirst(firstMillis));
        out.next();
        return call;
    }

    @Override
    public void onNext(RunStreamRequest request) {
        waited.countDown();
        if (begun.compareAndSet(false, true)) {
            StreamThread.start("palyra-grpc-run-stream", out, () -> run(request));
        } else {
            StreamThread.start("palyra-grpc-answer", out, () -> answer(request));
        }
    }

    /** A stream that says nothing would hold its place for as long as its client likes. */
    private void requireFirst(long millis) throws InterruptedException {
        if (!waited.await(millis, TimeUnit.MILLISECONDS) && begun.compareAndSet(false, true)) {
            throw new PalyraException(
                    ErrorCode.TIMED_OUT,
                    "The stream's first message did not come within "
                            + millis
                            + " ms; send input to start a run, or run_id to attach to one, as soon"
                            + " as the stream is open.");
        }
    }

    @Override
    public void onError(Throwable cancelled) {
        // Outbound hears of it.
    }

    /** Half-closing is no cancellation. */
    @Override
    public void onCompleted() {
        if (!begun.get()) {
            out.fail(
                    new PalyraException(
                            ErrorCode.INVALID_ARGUMENT,
                            "The stream was closed before its first message; send input to start"
                                    + " a run, or run_id to attach to one."));
        }
    }

    private void run(RunStreamRequest first) throws InterruptedException {
        switch (StreamOpening.of(first, caller)) {
            case StreamOpening.Start start -> start(start);
            case StreamOpening.Attach attach -> attach(attach, first);
        }
    }

    private void start(StreamOpening.Start start) throws InterruptedException {
        Principal principal = caller.principal();
        Submission accepted =
                GateCalls.call(seams.runs(), front -> front.submit(principal, start.message()));
        out.send(accepted(accepted, start.message()));
        out.next();
        Optional<Submission> routed =
                RunStart.routed(seams.runs(), principal, accepted, this::pause);
        if (routed.isPresent()) {
            String runId = routed.get().runId();
            follow(new StreamTarget(runId, sessionOf(routed.get())), RunPosition.START);
        }
    }

    /** A durable message may not have a run yet; then only the id chosen by the client is known. */
    private static RunStreamEvent accepted(Submission submission, SubmittedMessage message) {
        String runId = submission.runId().isEmpty() ? message.runId() : submission.runId();
        RunStreamEvent.Builder event =
                StreamTarget.message(runId)
                        .setStatus(
                                StreamStatus.newBuilder()
                                        .setKind(StatusKind.STATUS_KIND_ACCEPTED)
                                        .setMessage(ignored(message)));
        if (!submission.sessionId().isEmpty()) {
            event.setSessionId(ApiMapper.id(submission.sessionId()));
        }
        return event.build();
    }

    private static String ignored(SubmittedMessage message) {
        boolean both = !message.sessionId().isEmpty() && !message.sessionKey().isEmpty();
        return both
                ? "session_key is ignored, because session_id says which session goes on; send one"
                        + " of the two."
                : "";
    }

    private boolean pause(long millis) {
        try {
            return out.awaitOver(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return true;
        }
    }

    private String sessionOf(Submission submission) {
        return submission.sessionId().isEmpty()
                ? RunCalls.require(seams.runs(), caller.principal(), submission.runId()).sessionId()
                : submission.sessionId();
    }

    private void attach(StreamOpening.Attach attach, RunStreamRequest first)
            throws InterruptedException {
        RunView run = RunCalls.require(seams.runs(), caller.principal(), attach.runId());
        if (!attach.sessionId().isEmpty() && !attach.sessionId().equals(run.sessionId())) {
            throw new PalyraException(
                    ErrorCode.INVALID_ARGUMENT,
                    "session_id is not the session of run " + run.runId() + "; leave it out");
        }
        StreamTarget found = new StreamTarget(run.runId(), run.sessionId());
        if (first.getCancelRun() || first.hasToolApprovalResponse()) {
            later.handle(first, found);
        }
        out.next();
        follow(found, attach.from());
    }

    private void follow(StreamTarget found, RunPosition from) throws InterruptedException {
        target.complete(found);
        Proposals proposals = Proposals.onTape(seams.runs(), caller.principal(), found.runId());
        RunStreamReader reader = new RunStreamReader(new RunEventMapper(found, proposals), out);
        ResumingRunFollower follower =
                RunStart.follower(seams.runs(), caller.principal(), found.runId(), from, reader);
        out.whenOver(follower::stop);
        if (follower.follow().isPresent()) {
            out.complete();
        }
    }

    private void answer(RunStreamRequest request) throws InterruptedException {
        try {
            later.handle(request, target.join());
        } catch (CancellationException e) {
            return; // the stream is over
        }
        out.next();
    }
}
