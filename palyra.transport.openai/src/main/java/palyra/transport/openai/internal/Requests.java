package palyra.transport.openai.internal;

import com.fasterxml.jackson.databind.node.ObjectNode;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.PalyraException;
import palyra.api.access.Principal;
import palyra.api.run.RunView;
import palyra.shared.http.Reply;
import palyra.shared.json.StrictJson;
import palyra.transport.openai.internal.answer.AnswerSink;
import palyra.transport.openai.internal.answer.Kept;
import palyra.transport.openai.internal.answer.Narrator;
import palyra.transport.openai.internal.answer.Outcome;
import palyra.transport.openai.internal.answer.ResponseForm;
import palyra.transport.openai.internal.ask.Ask;
import palyra.transport.openai.internal.http.CallThread;
import palyra.transport.openai.internal.http.EventStream;
import palyra.transport.openai.internal.http.OpenCall;
import palyra.transport.openai.internal.http.RefusedException;
import palyra.transport.openai.internal.session.Places;

/** Answers requests whose caller is known. Thread-safe. */
final class Requests {
    private static final Logger LOG = LoggerFactory.getLogger(Requests.class);
    private static final long LOOK_MILLIS = 1_000;
    private static final long WHOLE_MILLIS = 30_000;
    private static final Narrator.Room ROOM = () -> {};

    private final Seams seams;
    private final Models models;
    private final Answering answering;
    private final long lookMillis;
    private final long wholeMillis;

    Requests(Seams seams) {
        this(seams, LOOK_MILLIS, WHOLE_MILLIS);
    }

    /**
     * Creates one with bounds of its own.
     *
     * @param lookMillis how long a run that goes on is looked at
     * @param wholeMillis how long one that has ended is read
     */
    Requests(Seams seams, long lookMillis, long wholeMillis) {
        this.seams = seams;
        this.lookMillis = lookMillis;
        this.wholeMillis = wholeMillis;
        models = new Models(seams);
        answering = new Answering(seams);
    }

    Models models() {
        return models;
    }

    /**
     * A message of a client.
     *
     * @param body as it came
     */
    @SuppressWarnings("ArrayRecordComponent") // passed on, never compared
    record Message(Face face, Ask ask, byte[] body, String header, String key, boolean isRepeat) {
        static Message of(
                Face face, HttpServletRequest request, byte[] body, List<String> sessionHeaders) {
            return new Message(
                    face,
                    face.read(object(body)),
                    body,
                    sessionHeaders.stream()
                            .map(request::getHeader)
                            .filter(value -> value != null && !value.isBlank())
                            .findFirst()
                            .map(String::strip)
                            .orElse(""),
                    Optional.ofNullable(request.getHeader("Idempotency-Key")).orElse(""),
                    Optional.ofNullable(request.getHeader("x-stainless-retry-count"))
                            .filter(count -> count.matches("[1-9][0-9]{0,3}"))
                            .isPresent());
        }

        private static ObjectNode object(byte[] body) {
            try {
                if (StrictJson.parse(body, "the body") instanceof ObjectNode object) {
                    return object;
                }
            } catch (PalyraException e) {
                throw RefusedException.of(e);
            }
            throw RefusedException.invalid("", "The body is not a JSON object.");
        }

        Answering.Envelope envelope() {
            ByteArrayOutputStream all = new ByteArrayOutputStream();
            all.writeBytes(face.getClass().getSimpleName().getBytes(StandardCharsets.UTF_8));
            all.write(0);
            all.writeBytes(header.getBytes(StandardCharsets.UTF_8));
            all.write(0);
            all.writeBytes(body);
            return new Answering.Envelope(header, key, isRepeat, all.toByteArray());
        }
    }

    /**
     * A message that was accepted and is to be answered. It holds nothing of what the client sent
     * that is large: runs may take long.
     */
    record Going(Face face, Ask ask, Answering.Accepted accepted) {}

    /** Makes a run of a message. */
    Going accept(
            OpenCall call, Message message, OpenAiSettings settings, HttpServletResponse response) {
        Ask ask = message.ask();
        models.require(call.principal(), ask.model());
        Answering.Accepted accepted =
                answering.accept(
                        call.principal(), ask, message.envelope(), settings.conversation());
        response.setHeader("X-Palyra-Run", accepted.runId());
        if (!ask.ignored().isEmpty()) {
            response.setHeader("X-Palyra-Ignored", String.join(", ", ask.ignored()));
        }
        return new Going(message.face(), ask.withoutText(), accepted);
    }

    /** Answers a message with what its run says. */
    void answer(OpenCall call, Going going, OpenAiSettings settings, HttpServletResponse response)
            throws IOException, InterruptedException {
        long seconds = TimeUnit.MILLISECONDS.toSeconds(System.currentTimeMillis());
        if (going.ask().stream()) {
            stream(call, going, seconds, settings, response);
        } else {
            call.send(whole(call, going, seconds, settings), response);
        }
    }

    private Reply whole(OpenCall call, Going going, long seconds, OpenAiSettings settings)
            throws InterruptedException {
        Answering.Accepted accepted = going.accepted();
        Kept kept = new Kept();
        OpenAiSettings.Stream form =
                new OpenAiSettings.Stream(
                        going.face().liveWhole(),
                        settings.stream().toolWork(),
                        false,
                        settings.stream().keepAliveSeconds());
        if (answering.tell(call, accepted, kept, new Narrator(kept, form, ROOM))) {
            call.whenSent(() -> answering.delivered(accepted.runId()));
        }
        Optional<RefusedException> failure = kept.failure();
        if (failure.isPresent()) {
            throw failure.get();
        }
        Outcome outcome = kept.outcome().orElseThrow();
        Face.Whole whole =
                going.face().whole(going.ask(), accepted.runId(), seconds, kept, outcome);
        answering.remember(call.principal(), accepted, whole.text(), settings.conversation());
        return Reply.json(Reply.OK, whole.body());
    }

    private void stream(
            OpenCall call,
            Going going,
            long seconds,
            OpenAiSettings settings,
            HttpServletResponse response)
            throws IOException, InterruptedException {
        Answering.Accepted accepted = going.accepted();
        EventStream events = begin(call, settings, response);
        AnswerSink sink =
                going.face().stream(
                        going.ask(),
                        accepted.runId(),
                        seconds,
                        events::put,
                        text ->
                                answering.remember(
                                        call.principal(), accepted, text, settings.conversation()));
        Thread writer = CallThread.start("palyra-openai-writer", () -> write(events));
        call.onEnd(events::endWaiting);
        boolean isWhole = false;
        try {
            isWhole =
                    answering.tell(
                            call,
                            accepted,
                            sink,
                            new Narrator(sink, settings.stream(), events::awaitRoom));
        } finally {
            events.close();
            writer.join();
        }
        if (isWhole && events.isWritten()) {
            answering.delivered(accepted.runId());
        }
        if (events.hasLeft() && settings.stream().cancelOnDisconnect()) {
            answering.cancel(call.principal(), accepted.runId(), "the client disconnected");
        }
    }

    private static EventStream begin(
            OpenCall call, OpenAiSettings settings, HttpServletResponse response)
            throws IOException {
        response.setStatus(Reply.OK);
        Reply.secure(response);
        response.setContentType("text/event-stream; charset=utf-8");
        response.setHeader("X-Accel-Buffering", "no"); // a proxy passes each event on
        OutputStream out = response.getOutputStream();
        return new EventStream(
                call, out, TimeUnit.SECONDS.toMillis(settings.stream().keepAliveSeconds()));
    }

    private static void write(EventStream events) {
        try {
            events.write();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            LOG.warn("A stream could not be written.", e);
        }
    }

    /** Returns a response by its id, with what there is of it now. */
    ObjectNode response(Principal principal, String responseId) throws InterruptedException {
        RunView run = Places.require(seams.runs(), principal, responseId);
        models.require(principal, run.agentId());
        Kept kept = new Kept();
        Narrator narrator =
                new Narrator(kept, new OpenAiSettings.Stream(true, true, false, 1), ROOM);
        boolean over = run.state().terminal();
        boolean isWhole =
                answering.read(principal, run.runId(), narrator, over ? wholeMillis : lookMillis);
        if (over && !isWhole) {
            throw RefusedException.later(
                    503,
                    "response_not_read",
                    responseId
                            + " has ended, and was not read within "
                            + TimeUnit.MILLISECONDS.toSeconds(wholeMillis)
                            + " seconds; ask for it again.",
                    2);
        }
        return new ResponseForm(
                        run.runId(),
                        run.agentId(),
                        TimeUnit.MILLISECONDS.toSeconds(run.createdAtMillis()),
                        "")
                .of(kept);
    }

    /** Cancels a response's run and returns the response as it is then. */
    ObjectNode cancel(Principal principal, String responseId) throws InterruptedException {
        RunView run = Places.require(seams.runs(), principal, responseId);
        models.require(principal, run.agentId());
        seams.runs().call(front -> front.cancel(principal, run.runId(), "cancelled by its client"));
        return response(principal, responseId);
    }

    /** Returns the answer to a deletion. */
    static RefusedException notDeletable() {
        return new RefusedException(
                405,
                "invalid_request_error",
                "not_deletable",
                "",
                "A response is the record of a run, which clients cannot delete; retention drops it,"
                        + " and operators erase what it says with palyra runs erase.",
                Map.of("Allow", "GET"));
    }
}
