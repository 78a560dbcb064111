package palyra.transport.grpc.internal.service;

import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import palyra.testing.wait.Await;
import palyra.transport.grpc.internal.wire.common.MessageContent;
import palyra.transport.grpc.internal.wire.common.MessageEnvelope;
import palyra.transport.grpc.internal.wire.common.ModelToken;
import palyra.transport.grpc.internal.wire.common.RunStreamEvent;
import palyra.transport.grpc.internal.wire.common.RunStreamRequest;
import palyra.transport.grpc.internal.wire.common.StreamStatus.StatusKind;
import palyra.transport.grpc.internal.wire.gateway.GatewayServiceGrpc.GatewayServiceStub;

/** The client's side of a {@code RunStream}; keeps what came. Thread-safe. */
final class StreamClient implements ClientResponseObserver<RunStreamRequest, RunStreamEvent> {
    private final int reading;
    private final CountDownLatch over = new CountDownLatch(1);
    private final List<RunStreamEvent> events = new ArrayList<>(); // guarded by this
    private Throwable failure; // guarded by this
    private ClientCallStreamObserver<RunStreamRequest> out;

    StreamClient(GatewayServiceStub stub, int reading) {
        this.reading = reading;
        stub.runStream(this);
    }

    @Override
    public void beforeStart(ClientCallStreamObserver<RunStreamRequest> call) {
        out = call;
        if (reading != Integer.MAX_VALUE) {
            call.disableAutoRequestWithInitial(reading);
        }
    }

    static RunStreamRequest.Builder request() {
        return RunStreamRequest.newBuilder().setV(1);
    }

    /** Returns a request that says something new. */
    static RunStreamRequest.Builder saying(String text) {
        return request().setInput(envelope(text));
    }

    static MessageEnvelope.Builder envelope(String text) {
        return MessageEnvelope.newBuilder()
                .setV(1)
                .setEnvelopeId(ApiMapper.id(Ids.next()))
                .setContent(MessageContent.newBuilder().setText(text));
    }

    StreamClient send(RunStreamRequest.Builder request) {
        out.onNext(request.build());
        return this;
    }

    StreamClient halfClose() {
        out.onCompleted();
        return this;
    }

    void cancel() {
        out.cancel("the test has seen enough", null);
    }

    /** Reads so many more messages. */
    void read(int messages) {
        out.request(messages);
    }

    @Override
    public synchronized void onNext(RunStreamEvent event) {
        events.add(event);
    }

    @Override
    public void onError(Throwable t) {
        synchronized (this) {
            failure = t;
        }
        over.countDown();
    }

    @Override
    public void onCompleted() {
        over.countDown();
    }

    synchronized List<RunStreamEvent> events() {
        return List.copyOf(events);
    }

    synchronized int count() {
        return events.size();
    }

    /** Waits for the end of the stream; fails when it ended with an error. */
    StreamClient awaitCompleted() {
        awaitOver();
        synchronized (this) {
            if (failure != null) {
                throw new AssertionError("the stream failed", failure);
            }
        }
        return this;
    }

    /** Waits for the end of the stream, which the client may have cancelled. */
    void awaitCompletedOrCancelled() {
        awaitOver();
        synchronized (this) {
            if (failure != null
                    && Status.fromThrowable(failure).getCode() != Status.Code.CANCELLED) {
                throw new AssertionError("the stream failed", failure);
            }
        }
    }

    /** Waits for the stream's failure. */
    StatusRuntimeException awaitFailed() {
        awaitOver();
        synchronized (this) {
            if (failure == null) {
                throw new AssertionError("the stream ended well, with " + events);
            }
            return (StatusRuntimeException) failure;
        }
    }

    Status awaitStatus() {
        return awaitFailed().getStatus();
    }

    static String trailer(StatusRuntimeException e, String name) {
        return e.getTrailers() == null
                ? null
                : e.getTrailers().get(Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER));
    }

    private void awaitOver() {
        try {
            if (!over.await(Patience.LONG.toSeconds(), TimeUnit.SECONDS)) {
                throw new AssertionError("the stream did not end; it said " + events());
            }
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    boolean isOver() {
        return over.getCount() == 0;
    }

    RunStreamEvent await(String what, Predicate<RunStreamEvent> wanted) {
        return Await.value(
                what + " on a stream",
                Patience.LONG,
                () -> {
                    Optional<RunStreamEvent> found = events().stream().filter(wanted).findFirst();
                    if (found.isEmpty() && isOver()) {
                        throw new AssertionError(
                                what + " did not come: " + events() + " " + failure);
                    }
                    return found;
                });
    }

    RunStreamEvent awaitStatus(StatusKind kind) {
        return await(
                kind.name(), event -> event.getStatus().getKind() == kind && event.hasStatus());
    }

    /** Waits for the answer to a message of the client that was refused. */
    RunStreamEvent awaitRefusal() {
        return await(
                "a refusal",
                event ->
                        event.hasStatus()
                                && event.getStatus().getKind()
                                        == StatusKind.STATUS_KIND_UNSPECIFIED);
    }

    void awaitText(String text) {
        Await.until("the text '" + text + "'", Patience.LONG, () -> text().contains(text));
    }

    /** Returns the answer as a person would see it. */
    String text() {
        return text(events(), false);
    }

    /** Returns what a person would see of some events; fails when text has a gap or a repeat. */
    static String text(List<RunStreamEvent> events, boolean thought) {
        Map<Integer, StringBuilder> turns = new TreeMap<>();
        for (RunStreamEvent event : events) {
            if (event.hasTurnRestarted()) {
                turns.remove(event.getTurnRestarted().getTurn());
            } else if (event.hasModelToken() && event.getModelToken().getThought() == thought) {
                ModelToken token = event.getModelToken();
                StringBuilder turn =
                        turns.computeIfAbsent(token.getTurn(), none -> new StringBuilder());
                if (token.getOffset() != turn.length()) {
                    throw new AssertionError(
                            "text at " + token.getOffset() + " after " + turn.length());
                }
                turn.append(token.getToken());
            }
        }
        return String.join("", turns.values());
    }

    /** Returns the sequence numbers that came, in order. */
    static List<Long> seqs(List<RunStreamEvent> events) {
        return events.stream().map(RunStreamEvent::getSeq).filter(seq -> seq > 0).toList();
    }
}
