package palyra.transport.openai.internal;

import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.access.Principal;
import palyra.api.run.RunPosition;
import palyra.api.run.RunView;
import palyra.api.run.Submission;
import palyra.api.run.SubmittedMessage;
import palyra.shared.follow.LostContact;
import palyra.shared.follow.ResumingRunFollower;
import palyra.shared.follow.RoutedSubmission;
import palyra.shared.hash.Ulids;
import palyra.shared.run.SubmissionCodec;
import palyra.transport.openai.internal.answer.AnswerSink;
import palyra.transport.openai.internal.answer.Narrator;
import palyra.transport.openai.internal.ask.Ask;
import palyra.transport.openai.internal.http.OpenCall;
import palyra.transport.openai.internal.http.RefusedException;
import palyra.transport.openai.internal.session.Deliveries;
import palyra.transport.openai.internal.session.Place;
import palyra.transport.openai.internal.session.Places;
import palyra.transport.openai.internal.session.Preamble;
import palyra.transport.openai.internal.session.Repeats;
import palyra.transport.openai.internal.session.Transcript;
import palyra.transport.openai.internal.session.TranscriptStore;

/** Makes a run of what a client asks, and follows it. Thread-safe. */
final class Answering {
    private static final Logger LOG = LoggerFactory.getLogger(Answering.class);
    private static final int TRIES = 3;
    private static final int LABEL = 80;

    private final Seams seams;
    private final TranscriptStore transcripts;
    private final Places places;
    private final Deliveries deliveries = new Deliveries(System::currentTimeMillis);
    private final Repeats repeats;
    private final Ulids ids = new Ulids();

    Answering(Seams seams) {
        this.seams = seams;
        transcripts = new TranscriptStore(seams.journal());
        places = new Places(seams.journal(), seams.runs(), transcripts);
        repeats = new Repeats(seams.journal(), deliveries, System::currentTimeMillis);
    }

    /**
     * A message that was accepted.
     *
     * @param runId run that answers it
     * @param place where it went
     * @param transcript what the client's will be with the answer; null unless it counts
     */
    record Accepted(
            Submission submission, String runId, Place place, Transcript.Begun transcript) {}

    /**
     * How a request came.
     *
     * @param header value of the header that names the session; empty for none
     * @param key the client's idempotency key; empty for none
     * @param isRepeat whether the client says that it sends it again
     * @param content what makes two requests the same
     */
    @SuppressWarnings("ArrayRecordComponent") // passed on, never compared
    record Envelope(String header, String key, boolean isRepeat, byte[] content) {}

    /** Accepts a message, durably, or finds it accepted before. */
    Accepted accept(
            Principal principal, Ask ask, Envelope envelope, OpenAiSettings.Conversation settings) {
        PalyraException last = null;
        for (int i = 0; i < TRIES; i++) {
            try {
                return attempt(principal, ask, envelope, settings);
            } catch (PalyraException e) {
                // another request with the same key was faster: the next look finds its message
                if (e.code() != ErrorCode.IDEMPOTENCY_MISMATCH
                        && e.code() != ErrorCode.ALREADY_EXISTS) {
                    throw e;
                }
                last = e;
            }
        }
        throw last;
    }

    private Accepted attempt(
            Principal principal, Ask ask, Envelope envelope, OpenAiSettings.Conversation settings) {
        Repeats.Known known =
                repeats.of(principal, envelope.key(), envelope.content(), envelope.isRepeat());
        Optional<SubmittedMessage> before =
                known.before().map(row -> SubmissionCodec.message(row.payload()));
        if (!envelope.key().isEmpty()) {
            before.ifPresent(sent -> places.requireSame(principal, ask, envelope.header(), sent));
        }
        // the run id that was chosen when the message was first accepted
        String runId = before.map(SubmittedMessage::runId).orElseGet(ids::next);
        Places.Use<Accepted> submission =
                place -> {
                    SubmittedMessage message =
                            message(ask, place, known.dedupeKey(), runId, settings);
                    return accepted(
                            seams.runs().call(front -> front.submit(principal, message)),
                            runId,
                            place,
                            ask);
                };
        return before.isPresent()
                ? submission.at(again(ask, before.get()))
                : places.use(principal, ask, envelope.header(), runId, submission);
    }

    private static Accepted accepted(Submission submission, String runId, Place place, Ask ask) {
        return new Accepted(
                submission,
                runId,
                place,
                place.byTranscript()
                        ? Transcript.begin(ask.model(), ask.earlier(), ask.newest())
                        : null);
    }

    /** The whole answer of a run was written to its client. */
    void delivered(String runId) {
        deliveries.add(runId);
    }

    /** Says the same again as when the message was first accepted. */
    private static Place again(Ask ask, SubmittedMessage before) {
        boolean byTranscript =
                before.sessionKey().startsWith(Places.newSessions(ask.model()))
                        || (before.sessionKey().isEmpty() && ask.previousResponseId().isEmpty());
        return new Place(
                before.sessionId(),
                before.sessionKey(),
                !before.sessionLabel().isEmpty(),
                byTranscript,
                byTranscript && before.sessionKey().isEmpty()
                        ? Transcript.fingerprint(ask.model(), ask.earlier())
                        : "");
    }

    private static SubmittedMessage message(
            Ask ask,
            Place place,
            String dedupeKey,
            String runId,
            OpenAiSettings.Conversation settings) {
        String text = place.isNew() ? Preamble.compose(ask, settings) : ask.newest();
        if (text.length() > SubmittedMessage.MAX_TEXT) {
            throw RefusedException.invalid(
                    "",
                    "The newest message has more characters than the "
                            + SubmittedMessage.MAX_TEXT
                            + " that are taken, with what goes before it; shorten it.");
        }
        return new SubmittedMessage(
                Repeats.SURFACE,
                dedupeKey,
                place.sessionId(),
                place.sessionKey(),
                "",
                "",
                ask.model(),
                text,
                "interactive",
                false,
                runId,
                place.isNew() ? label(ask.newest()) : "",
                false,
                "",
                false);
    }

    private static String label(String text) {
        String line = text.strip().lines().findFirst().orElse("").replaceAll("\\p{C}", " ");
        return line.codePointCount(0, line.length()) <= LABEL
                ? line
                : line.substring(0, line.offsetByCodePoints(0, LABEL - 1)) + "…";
    }

    /**
     * Tells a run to a client until it has ended or the call is ended from outside. What goes wrong
     * is told too.
     *
     * @return whether the run was told to its end
     */
    boolean tell(OpenCall call, Accepted accepted, AnswerSink sink, Narrator narrator)
            throws InterruptedException {
        try {
            sink.opened();
            if (routed(call, accepted) && follow(call, accepted.runId(), narrator)) {
                return true;
            }
            sink.failed(over(call));
        } catch (PalyraException e) {
            sink.failed(RefusedException.of(e));
        } catch (LostContact e) {
            sink.failed(RefusedException.later(503, "lost_contact", e.getMessage(), 2));
        } catch (RuntimeException e) {
            if (call.ended().isEmpty()) {
                LOG.error("The answer of run {} could not be told.", accepted.runId(), e);
            }
            sink.failed(call.ended().isEmpty() ? RefusedException.internal() : over(call));
        }
        return false;
    }

    static RefusedException over(OpenCall call) {
        return RefusedException.later(
                503,
                "stream_ended",
                call.ended().orElse("The stream ended.")
                        + " The run goes on: send the request again with the same Idempotency-Key to"
                        + " get its answer.",
                1);
    }

    private boolean routed(OpenCall call, Accepted accepted) {
        CountDownLatch over = new CountDownLatch(1);
        call.onEnd(over::countDown);
        return RoutedSubmission.await(
                        accepted.submission(),
                        id -> seams.runs().call(front -> front.submission(call.principal(), id)),
                        millis -> pause(over, millis))
                .isPresent();
    }

    private static boolean pause(CountDownLatch over, long millis) {
        try {
            return over.await(millis, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return true;
        }
    }

    private boolean follow(OpenCall call, String runId, Narrator narrator)
            throws InterruptedException {
        ResumingRunFollower follower = follower(call.principal(), runId, narrator);
        call.onEnd(follower::stop);
        return follower.follow().isPresent();
    }

    private ResumingRunFollower follower(Principal principal, String runId, Narrator narrator) {
        return new ResumingRunFollower(
                (position, observer) ->
                        seams.runs()
                                .call(front -> front.follow(principal, runId, position, observer)),
                runId,
                RunPosition.START,
                narrator,
                ResumingRunFollower.CLIENT_OUTAGE_MILLIS);
    }

    /**
     * Tells what there is of a run within a time.
     *
     * @return whether the run was told to its end
     */
    boolean read(Principal principal, String runId, Narrator narrator, long millis)
            throws InterruptedException {
        return follower(principal, runId, narrator)
                .follow(System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis))
                .isPresent();
    }

    /** Records what the client's transcript is from now on, so that its next request goes on. */
    void remember(
            Principal principal,
            Accepted accepted,
            String answer,
            OpenAiSettings.Conversation settings) {
        if (accepted.transcript() == null) {
            return;
        }
        try {
            Optional<RunView> run =
                    seams.runs().call(front -> front.run(principal, accepted.runId()));
            run.ifPresent(
                    found ->
                            transcripts.put(
                                    principal.id(),
                                    accepted.transcript().with(answer),
                                    accepted.place().fingerprint(),
                                    found.sessionId(),
                                    settings.transcripts()));
        } catch (RuntimeException e) {
            LOG.warn(
                    "The transcript of run {} was not recorded; its next message begins a session:"
                            + " {}",
                    accepted.runId(),
                    e.getMessage());
        }
    }

    /** Cancels a run whose client left. */
    void cancel(Principal principal, String runId, String reason) {
        try {
            seams.runs().call(front -> front.cancel(principal, runId, reason));
        } catch (PalyraException e) {
            LOG.warn("Run {} was not cancelled: {}", runId, e.getMessage());
        }
    }
}
