package palyra.console.internal.run;

import java.util.concurrent.TimeUnit;
import palyra.api.PalyraException;
import palyra.api.Require;
import palyra.api.access.Principal;
import palyra.api.run.Runs;
import palyra.api.run.Submission;
import palyra.api.run.SubmittedMessage;
import palyra.api.run.WhileRunning;
import palyra.shared.follow.Outage;
import palyra.shared.gate.Gate;
import palyra.shared.hash.Digests;
import palyra.shared.hash.Ulids;

/**
 * Sends messages of forms. The same form with the same text is one message, however often it is
 * sent. Thread-safe.
 */
final class Sending {
    static final String SURFACE = "console";

    private static final long ROUTED_MILLIS = 1_500;
    private static final long LOOK_MILLIS = 20;
    private static final int DIGEST = 32;

    /**
     * What a form holds.
     *
     * @param sessionId session that it is for
     * @param agentId agent for a new session; empty for the default or the session's own
     * @param key what the form was made with
     */
    record Draft(
            String sessionId, String agentId, String text, String key, WhileRunning whileRunning) {}

    private final Gate<Runs> runs;

    Sending(Gate<Runs> runs) {
        this.runs = runs;
    }

    /** Accepts a message, and waits a moment for its run, so that the next page has it. */
    Submission send(Principal writer, Draft draft) {
        RunReading.requireId("form", draft.key());
        Require.that(!draft.text().isEmpty(), "the message is empty; write one");
        SubmittedMessage message =
                new SubmittedMessage(
                        SURFACE,
                        dedupeKey(draft),
                        draft.sessionId(),
                        "",
                        "",
                        "",
                        draft.agentId(),
                        draft.text(),
                        "",
                        false,
                        "",
                        "",
                        true,
                        "",
                        false,
                        null,
                        draft.whileRunning());
        return routed(writer, runs.call(front -> front.submit(writer, message)));
    }

    /** Returns the key that a form carried, or another one in the place of what is no key. */
    static String key(String carried, Ulids ids) {
        return Ulids.isUlid(carried) ? carried : ids.next();
    }

    /** A text that was changed before it was sent again is another message. */
    static String dedupeKey(Draft draft) {
        String content = draft.sessionId() + "\n" + draft.whileRunning() + "\n" + draft.text();
        return draft.key() + "-" + Digests.sha256Hex(content).substring(0, DIGEST);
    }

    private Submission routed(Principal writer, Submission accepted) {
        Submission now = accepted;
        long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(ROUTED_MILLIS);
        while (now.runId().isEmpty() && System.nanoTime() < until) {
            try {
                TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
                now = runs.call(front -> front.submission(writer, accepted.messageId()));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return now;
            } catch (PalyraException e) {
                if (!Outage.isTemporary(e, true)) {
                    throw e;
                }
                return now;
            }
        }
        return now;
    }
}
