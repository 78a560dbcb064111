package palyra.models.internal.http;

import java.io.IOException;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.egress.EgressRequest;
import palyra.api.core.egress.EgressResponse;
import palyra.api.core.vault.SecretRef;
import palyra.api.model.FailureCause;
import palyra.api.model.ModelEvent;
import palyra.api.model.ModelRequest;
import palyra.api.model.ModelSink;

/** One turn: one request and one answer, on the thread that runs it. Never retries. */
final class HttpTurn implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(HttpTurn.class);
    private static final int MAX_ERROR_BYTES = 64 * 1_024;

    /** Shared by all turns of a provider. */
    record Setup(
            Endpoint endpoint,
            Dialect dialect,
            ModelSeams seams,
            CircuitBreaker breaker,
            AnswerMemoryPool memory) {}

    /** The head of an answer, and the redactor of the key. */
    private record Sent(EgressResponse response, KeyRedactor key) {}

    private final Setup setup;
    private final String provider;
    private final ModelRequest request;
    private final ModelSink sink;
    private final TurnClock clock;

    // confined to the turn's thread
    private CircuitBreaker.Pass pass; // null when the circuit is open
    private ModelEvent ending;
    private boolean sinkClosed; // the sink takes no more events

    HttpTurn(Setup setup, ModelRequest request, ModelSink sink, LongSupplier nanos) {
        this.setup = setup;
        this.provider = setup.endpoint().id();
        this.request = request;
        this.sink = sink;
        this.clock = new TurnClock(provider, setup.endpoint().times(), request, nanos);
    }

    /** Returns its clock. */
    TurnClock clock() {
        return clock;
    }

    /** Returns how it ended; null when the sink was closed before. For the turn's thread. */
    ModelEvent ending() {
        return ending;
    }

    @Override
    public void run() {
        ModelEvent end = null;
        try {
            enter();
            end = attempt();
        } catch (TurnFailure e) {
            end = outcome(e.event());
        } catch (PalyraException e) {
            end = outcome(ModelFailures.refused(provider, e));
        } catch (OutOfMemoryError e) { // the answer is released by now; the run gets a failure
            LOG.error("A turn of model provider {} ran out of memory", provider, e);
            end = outcome(ModelFailures.outOfMemory(provider));
        } catch (RuntimeException | LinkageError e) {
            LOG.error("A turn of model provider {} failed unexpectedly", provider, e);
            end =
                    outcome(
                            new ModelEvent.Failed(
                                    ErrorCode.INTERNAL,
                                    "Model provider '"
                                            + provider
                                            + "' failed unexpectedly; see palyra logs.",
                                    true));
        } finally {
            report(end);
        }
        if (!sinkClosed) {
            ending = end;
            emitEnd(end);
        }
    }

    /** A turn that was stopped ends as the stop says, else with the given failure. */
    private ModelEvent.Failed outcome(ModelEvent.Failed failed) {
        ModelEvent.Failed stopped = clock.stopped();
        return stopped != null ? stopped : failed;
    }

    private void enter() throws TurnFailure {
        switch (setup.breaker().enter()) {
            case CircuitBreaker.Pass given -> pass = given;
            case CircuitBreaker.Wait wait -> throw new TurnFailure(circuitOpen(wait));
        }
    }

    private ModelEvent.Failed circuitOpen(CircuitBreaker.Wait wait) {
        return new ModelEvent.Failed(
                ErrorCode.MODEL_UNAVAILABLE,
                "Model provider '"
                        + provider
                        + "' failed repeatedly, so "
                        + (wait.trial()
                                ? "one trial turn runs first, with a result within "
                                : "it gets no requests for ")
                        + wait.leftMillis()
                        + " ms; wait, or use another provider.",
                true,
                FailureCause.CIRCUIT_OPEN,
                wait.leftMillis());
    }

    /** A turn without an end died of an error and counts as a failure. */
    private void report(ModelEvent end) {
        if (pass == null) {
            return;
        }
        if (end == null) {
            pass.failed();
        } else if (end instanceof ModelEvent.Failed failed) {
            report(failed);
        } else {
            pass.succeeded();
        }
    }

    private void report(ModelEvent.Failed failed) {
        switch (failed.cause()) {
            case SERVER, NETWORK -> pass.failed();
            case TIMEOUT -> {
                if (clock.engineTimedOut()) {
                    pass.abandoned();
                } else {
                    pass.failed();
                }
            }
            case BAD_REQUEST,
                    CONTEXT_EXCEEDED,
                    CONTENT_BLOCKED,
                    AUTHENTICATION,
                    QUOTA,
                    RATE_LIMITED ->
                    pass.succeeded();
            default -> pass.abandoned();
        }
    }

    private void emitEnd(ModelEvent end) {
        try {
            sink.accept(end);
        } catch (RuntimeException e) {
            LOG.warn("The sink of turn {} failed at its end", request.requestId(), e);
        }
    }

    private ModelEvent attempt() throws TurnFailure {
        ToolNames names = ToolNames.of(request);
        byte[] body = body(names);
        clock.requireGoing();
        Sent sent = send(body);
        try (EgressResponse response = sent.response()) {
            if (response.status() < 200 || response.status() > 299) {
                throw new TurnFailure(refusal(response, sent.key()));
            }
            return listen(response, new AnswerWriter(provider, names, sent.key(), this::emit));
        }
    }

    /** Does not keep the key: an answer may take minutes. */
    private Sent send(byte[] body) throws TurnFailure {
        SecretRef ref = setup.endpoint().key();
        String key = ref == null ? "" : setup.seams().key(ref, request);
        return new Sent(send(TurnRequest.of(setup, request, key, body)), KeyRedactor.of(key));
    }

    private EgressResponse send(EgressRequest post) throws TurnFailure {
        clock.beginWaiting();
        try {
            return setup.seams().send(post);
        } finally {
            clock.endWaiting();
        }
    }

    private byte[] body(ToolNames names) throws TurnFailure {
        try {
            return setup.dialect().body(request, names);
        } catch (PalyraException e) {
            throw new TurnFailure(e.code(), FailureCause.BAD_REQUEST, false, e.getMessage());
        }
    }

    private ModelEvent.Failed refusal(EgressResponse response, KeyRedactor mark)
            throws TurnFailure {
        byte[] said;
        clock.beginWaiting();
        try {
            said = response.body().readNBytes(MAX_ERROR_BYTES);
        } catch (IOException e) {
            said = new byte[0];
        } finally {
            clock.endWaiting();
        }
        clock.requireGoing();
        return ModelFailures.answered(
                provider,
                response.status(),
                response.headers(),
                AnswerStream.error(said, mark),
                System.currentTimeMillis());
    }

    private ModelEvent listen(EgressResponse response, AnswerWriter writer) throws TurnFailure {
        Dialect.AnswerReader reader = setup.dialect().reader(writer);
        AnswerStream stream = new AnswerStream(provider, reader);
        byte[] buffer = new byte[8_192];
        boolean more = true;
        try (AnswerMemoryPool.Share share = setup.memory().share(provider)) {
            while (more && writer.listening() && !reader.complete()) {
                int length = read(response, buffer, writer);
                more = length >= 0;
                try {
                    feed(stream, buffer, length);
                    if (writer.progress() > 0) {
                        pass.answering();
                    }
                    share.hold(stream.held() + writer.held());
                } catch (TurnFailure e) {
                    if (!writer.finished()) {
                        throw e;
                    }
                    more = false; // the answer was complete; the rest is ignored
                }
                clock.requireGoing();
            }
        }
        if (!writer.finished() && !reader.complete()) {
            throw ModelFailures.broken(provider, "");
        }
        ModelEvent.Finished end = writer.end();
        clock.requireGoing();
        return end;
    }

    private static void feed(AnswerStream stream, byte[] buffer, int length) throws TurnFailure {
        if (length < 0) {
            stream.end();
        } else {
            stream.feed(buffer, length);
        }
    }

    /** Reads available bytes; an error after a complete answer counts as the end. */
    private int read(EgressResponse response, byte[] buffer, AnswerWriter writer)
            throws TurnFailure {
        clock.beginListening(writer.progress(), writer.finished());
        try {
            return response.body().read(buffer, 0, buffer.length);
        } catch (IOException e) {
            clock.requireGoing();
            if (writer.finished()) {
                return -1;
            }
            throw ModelFailures.broken(provider, ProviderError.clean(e.getMessage() + ".", 200));
        } finally {
            clock.endWaiting();
        }
    }

    private boolean emit(ModelEvent event) {
        try {
            sinkClosed = !sink.accept(event);
        } catch (RuntimeException e) {
            LOG.warn("The sink of turn {} failed; the turn is stopped", request.requestId(), e);
            sinkClosed = true;
        }
        return !sinkClosed;
    }
}
