package palyra.bench.grpc;

import io.grpc.Status;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import palyra.transport.grpc.internal.wire.common.CanonicalId;
import palyra.transport.grpc.internal.wire.common.JournalEvent;
import palyra.transport.grpc.internal.wire.common.MessageContent;
import palyra.transport.grpc.internal.wire.common.MessageEnvelope;
import palyra.transport.grpc.internal.wire.common.ModelToken;
import palyra.transport.grpc.internal.wire.common.RunStreamEvent;
import palyra.transport.grpc.internal.wire.common.RunStreamRequest;
import palyra.transport.grpc.internal.wire.common.StreamStatus;
import palyra.transport.grpc.internal.wire.common.TextPosition;

/**
 * One message, sent and followed to the end of its run over as many streams as it takes. It is the
 * client that the wire format asks for: it chooses the ids, sends the message again until it is
 * accepted, and attaches again after the last event it has. It checks the events: no event and no
 * piece of text comes twice or is left out, one answer, one end.
 */
final class Exchange {
    /** What a client does best: come again. Everything else is a breach. */
    private static final Set<Status.Code> AGAIN =
            Set.of(
                    Status.Code.UNAVAILABLE,
                    Status.Code.RESOURCE_EXHAUSTED,
                    Status.Code.ABORTED,
                    Status.Code.CANCELLED);

    private static final long LEAST_BACKOFF_MILLIS = 20;
    private static final long MOST_BACKOFF_MILLIS = 200;

    private final GrpcClient client;
    private final ScheduledExecutorService timer;
    private final String runId;
    private final MessageEnvelope message;
    private final String sessionKey;
    private final Conversation.Line line;
    private final Consumer<Exchange> whenOver;
    private final long beganNanos = System.nanoTime();

    private int streams; // guarded by this, as all below
    private boolean accepted;
    private long acceptedNanos;
    private long seq;
    private int turn;
    private int attempt;
    private final StringBuilder text = new StringBuilder();
    private int answers;
    private int restarts;
    private boolean over;
    private long overNanos;
    private String breach = "";

    /**
     * Prepares a message.
     *
     * @param runId ULID of the run, which is the message's own id as well
     * @param line the message, and the expected answer
     * @param whenOver called once, when the run has ended or something was wrong
     */
    Exchange(
            GrpcClient client,
            ScheduledExecutorService timer,
            String runId,
            String sessionKey,
            Conversation.Line line,
            Consumer<Exchange> whenOver) {
        this.client = client;
        this.timer = timer;
        this.runId = runId;
        this.sessionKey = sessionKey;
        this.line = line;
        this.whenOver = whenOver;
        this.message =
                MessageEnvelope.newBuilder()
                        .setV(1)
                        .setEnvelopeId(id(runId))
                        .setContent(MessageContent.newBuilder().setText(line.text()))
                        .build();
    }

    private static CanonicalId id(String ulid) {
        return CanonicalId.newBuilder().setUlid(ulid).build();
    }

    /** Sends the message, or attaches to its run. */
    void open() {
        RunStreamRequest.Builder request =
                RunStreamRequest.newBuilder().setV(1).setRunId(id(runId));
        int number;
        synchronized (this) {
            number = ++streams;
            if (accepted) {
                request.setAttachAfterSeq(seq);
                if (turn > 0) {
                    request.setAttachText(
                            TextPosition.newBuilder()
                                    .setTurn(turn)
                                    .setAttempt(attempt)
                                    .setAnswerLength(text.length()));
                }
            } else {
                request.setInput(message).setSessionKey(sessionKey).setAgentId(line.agentId());
            }
        }
        client.stub().runStream(new Reader(number, request.build()));
    }

    private void again() {
        long millis =
                ThreadLocalRandom.current().nextLong(LEAST_BACKOFF_MILLIS, MOST_BACKOFF_MILLIS);
        try {
            timer.schedule(
                    () -> {
                        client.wake();
                        open();
                    },
                    millis,
                    TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException e) {
            // The measurement is over.
        }
    }

    private synchronized void take(RunStreamEvent event) {
        if (over) {
            return;
        }
        if (event.getSeq() > 0) {
            if (event.getSeq() <= seq) {
                breach("event " + event.getSeq() + " came again after " + seq);
            }
            seq = Math.max(seq, event.getSeq());
        }
        switch (event.getBodyCase()) {
            case MODEL_TOKEN -> token(event.getModelToken());
            case TURN_RESTARTED -> {
                restarts++;
                text.setLength(0);
                turn = 0;
            }
            case JOURNAL_EVENT -> record(event.getJournalEvent());
            case STATUS -> status(event.getStatus());
            default -> {
                // only their order matters
            }
        }
    }

    private void token(ModelToken token) {
        if (token.getThought()) {
            return;
        }
        if (token.getTurn() != turn || token.getAttempt() != attempt) {
            turn = token.getTurn();
            attempt = token.getAttempt();
            text.setLength(0);
        }
        if (token.getOffset() != text.length()) {
            breach("text came at " + token.getOffset() + ", " + text.length() + " were there");
        }
        text.append(token.getToken());
    }

    private void record(JournalEvent event) {
        if (event.getRecordType().equals("message")
                && event.getPayloadJson().toStringUtf8().contains("\"role\":\"AGENT\"")) {
            answers++;
            if (!text.toString().equals(line.answer())) {
                breach("the text was '" + text + "', not '" + line.answer() + "'");
            }
        }
    }

    private void status(StreamStatus status) {
        if (!accepted) {
            accepted = true;
            acceptedNanos = System.nanoTime();
        }
        switch (status.getKind()) {
            case STATUS_KIND_DONE -> {
                if (answers != 1) {
                    breach("it ended with " + answers + " answers");
                }
                overNanos = System.nanoTime();
                over = true;
            }
            case STATUS_KIND_FAILED, STATUS_KIND_CANCELLED -> {
                breach("it ended as " + status.getKind() + ": " + status.getMessage());
                over = true;
            }
            default -> {
                // on its way
            }
        }
    }

    private void breach(String what) {
        if (breach.isEmpty()) {
            breach = "run " + runId + " on stream " + streams + ": " + what;
        }
    }

    private void closed(int number, Status status) {
        boolean ended;
        boolean retry = false;
        synchronized (this) {
            if (number != streams) {
                return;
            }
            if (!over && status.isOk()) {
                breach("the stream completed before the run had ended");
                over = true;
            } else if (!over && AGAIN.contains(status.getCode())) {
                retry = true;
            } else if (!over) {
                breach(
                        "the stream ended with "
                                + status.getCode()
                                + ": "
                                + status.getDescription());
                over = true;
            }
            ended = over;
        }
        if (retry) {
            again();
        } else if (ended) {
            whenOver.accept(this);
        }
    }

    String runId() {
        return runId;
    }

    /** Returns what was wrong first; empty when nothing was. */
    synchronized String breach() {
        return breach;
    }

    /** Returns the time from sending to the first sign that the message is durable. */
    synchronized long ackNanos() {
        return acceptedNanos - beganNanos;
    }

    /** Returns the time from sending to the end of its run; 0 while it has not ended well. */
    synchronized long totalNanos() {
        return overNanos == 0 ? 0 : overNanos - beganNanos;
    }

    synchronized boolean isAccepted() {
        return accepted;
    }

    /** Returns how many streams it took. */
    synchronized int streams() {
        return streams;
    }

    /** Returns how often the text began again. */
    synchronized int restarts() {
        return restarts;
    }

    @Override
    public synchronized String toString() {
        return "run " + runId + " at " + seq + (accepted ? "" : ", not accepted") + " " + breach;
    }

    /** One stream. */
    private final class Reader implements ClientResponseObserver<RunStreamRequest, RunStreamEvent> {
        private final int number;
        private final RunStreamRequest first;

        Reader(int number, RunStreamRequest first) {
            this.number = number;
            this.first = first;
        }

        @Override
        public void beforeStart(ClientCallStreamObserver<RunStreamRequest> requests) {
            Runnable send =
                    new Runnable() {
                        private boolean sent;

                        @Override
                        public void run() {
                            if (!sent && requests.isReady()) {
                                sent = true;
                                requests.onNext(first);
                                requests.onCompleted();
                            }
                        }
                    };
            requests.setOnReadyHandler(send);
        }

        @Override
        public void onNext(RunStreamEvent event) {
            take(event);
        }

        @Override
        public void onError(Throwable problem) {
            closed(number, Status.fromThrowable(problem));
        }

        @Override
        public void onCompleted() {
            closed(number, Status.OK);
        }
    }
}
