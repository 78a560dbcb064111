package palyra.channels.internal.files;

import java.util.List;
import java.util.Optional;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.channel.InboundMessage.Attachment;
import palyra.api.channel.MessageOrigin;
import palyra.api.core.journal.InboxRow;
import palyra.api.core.journal.Journal;
import palyra.api.core.journal.RunRow;
import palyra.api.run.SubmittedMessage;
import palyra.shared.gate.Gate;
import palyra.shared.run.SubmissionCodec;

/** Finds the files of a session's messages, and the conversation of a run. Thread-safe. */
final class SessionFiles {
    private static final int PAGE = 100;
    private static final int MOST_PAGES = 20;

    private final Gate<Journal> journal;

    SessionFiles(Gate<Journal> journal) {
        this.journal = journal;
    }

    /** A file that can be fetched, and the connector that it came by. */
    record Found(String surface, Attachment file) {}

    /** Where a run was asked for. */
    record Place(String surface, MessageOrigin origin) {}

    /**
     * Returns a file of a message of a session.
     *
     * @throws PalyraException NOT_FOUND when none of its last 2,000 messages has it
     */
    Found require(String sessionId, String id) {
        String before = "";
        for (int pages = 0; pages < MOST_PAGES; pages++) {
            String from = before;
            List<RunRow> runs = journal.call(store -> store.runs("", sessionId, from, PAGE));
            for (RunRow run : runs) {
                Optional<Found> found = message(run).flatMap(row -> of(row, id));
                if (found.isPresent()) {
                    return found.get();
                }
            }
            if (runs.size() < PAGE) {
                break;
            }
            before = runs.getLast().runId();
        }
        throw new PalyraException(
                ErrorCode.NOT_FOUND,
                "No message of this session has a file with the id '"
                        + FileTexts.shown(id)
                        + "'; send one as an [attached: …] line of a message says it.");
    }

    private Optional<InboxRow> message(RunRow run) {
        return run.messageId().isEmpty()
                ? Optional.empty()
                : journal.call(store -> store.inbox(run.messageId()))
                        .filter(row -> !row.conversation().isEmpty());
    }

    private static Optional<Found> of(InboxRow row, String id) {
        SubmittedMessage message = SubmissionCodec.message(row.payload());
        List<Attachment> files = message.origin() == null ? List.of() : message.origin().files();
        for (int i = 0; i < files.size(); i++) {
            if (FileTexts.id(row.surface(), message.dedupeKey(), i).equals(id)) {
                return Optional.of(new Found(row.surface(), files.get(i)));
            }
        }
        return Optional.empty();
    }

    /** Returns where a run was asked for; empty when that was in no conversation. */
    Optional<Place> placeOf(String runId) {
        return journal.call(store -> store.run(runId))
                .flatMap(this::message)
                .flatMap(
                        row ->
                                Optional.ofNullable(SubmissionCodec.message(row.payload()).origin())
                                        .map(origin -> new Place(row.surface(), origin)));
    }
}
