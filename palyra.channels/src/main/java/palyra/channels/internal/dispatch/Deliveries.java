package palyra.channels.internal.dispatch;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.channel.Connector;
import palyra.api.channel.ConnectorCapabilities.Feature;
import palyra.api.channel.Delivery;
import palyra.api.channel.OutboundMessage;
import palyra.api.core.journal.Journal;
import palyra.api.core.journal.OutboxProgress;
import palyra.api.core.journal.OutboxRow;
import palyra.channels.internal.approval.Question;
import palyra.channels.internal.files.HeldFiles;
import palyra.shared.channel.Outbound;
import palyra.shared.gate.Gate;

/**
 * Asks a connector to send, and to find out what arrived; turns whatever it does into one of the
 * outcomes. Thread-safe.
 */
final class Deliveries {
    private static final Logger LOG = LoggerFactory.getLogger(Deliveries.class);

    private final Connector connector;
    private final Gate<Journal> journal;
    private final HeldFiles held;

    Deliveries(Connector connector, Gate<Journal> journal, HeldFiles held) {
        this.connector = connector;
        this.journal = journal;
        this.held = held;
    }

    /** Cuts a message into the texts of which it is sent. */
    List<String> parts(Outbound outbound) {
        if (outbound.isReaction() || outbound.text().isBlank()) { // the latter are files alone
            return List.of(outbound.text());
        }
        if (!outbound.parts().isEmpty()) {
            return outbound.parts();
        }
        List<String> parts =
                connector.render(outbound.text()).stream().filter(text -> !text.isBlank()).toList();
        if (parts.isEmpty()) {
            throw new IllegalStateException(connector.id() + " rendered a text to nothing");
        }
        if (outbound.kind().equals(Outbound.DRAFT)) {
            return parts.subList(0, 1);
        }
        return parts.size() <= OutboxProgress.MOST_PARTS ? parts : cut(parts);
    }

    /** The person is told that this is not all of it, in the place of the last part. */
    private List<String> cut(List<String> parts) {
        int kept = OutboxProgress.MOST_PARTS - 1;
        List<String> told = new ArrayList<>(parts.subList(0, kept));
        told.add(
                connector
                        .render(
                                "The rest of this answer is not sent: it would take "
                                        + parts.size()
                                        + " messages, and "
                                        + OutboxProgress.MOST_PARTS
                                        + " is the most. The record of the run has all of it; ask"
                                        + " for it in parts, or as a file.")
                        .getFirst());
        LOG.warn(
                "{}: an answer of {} messages is cut after {}.",
                connector.id(),
                parts.size(),
                kept);
        return List.copyOf(told);
    }

    /** Sends one part; empty when it changes a message that was never sent. */
    Optional<Delivery> send(OutboxRow row, Outbound outbound, List<String> parts) {
        String objection = objection(row, outbound, parts);
        if (!objection.isEmpty()) {
            return Optional.of(new Delivery.Refused(objection));
        }
        return message(row, outbound, parts)
                .map(message -> settled(() -> connector.send(message), message));
    }

    /**
     * Returns why a reaction, a change, or files are not handed to the connector; empty when they
     * are.
     */
    private String objection(OutboxRow row, Outbound outbound, List<String> parts) {
        if (outbound.isReaction()) {
            return connector.capabilities().has(Feature.REACTIONS)
                    ? ""
                    : connector.id() + " cannot react to messages";
        }
        if (!outbound.files().isEmpty()) {
            return objectionToFiles(row, outbound);
        }
        if (!outbound.kind().equals(Outbound.EDIT)) {
            return "";
        }
        if (!edits()) {
            return connector.id() + " cannot change messages";
        }
        int changed = sentIds(outbound.editsOutboxId()).size();
        return changed <= 1 && parts.size() == 1
                ? ""
                : "a message of "
                        + changed
                        + " parts cannot become one of "
                        + parts.size()
                        + ": only one part can take the place of one";
    }

    private String objectionToFiles(OutboxRow row, Outbound outbound) {
        return connector.capabilities().has(Feature.FILES_OUT)
                ? held.missing(row.outboxId(), outbound)
                        .map(
                                name ->
                                        "the content of '"
                                                + name
                                                + "' is not kept any more, as after a part of the"
                                                + " state folder was restored: have it sent again")
                        .orElse("")
                : connector.id() + " cannot send files";
    }

    /**
     * Finds out what became of a part that was handed over before. A reaction or change is sent
     * again: made twice it is one.
     */
    Delivery lookup(OutboxRow row, Outbound outbound, List<String> parts) {
        return message(row, outbound, parts)
                .map(
                        message ->
                                found(
                                        message,
                                        new Delivery.Unknown(
                                                connector.id() + " cannot find out what arrived")))
                .orElseGet(() -> new Delivery.RetryAfter(0, true, ""));
    }

    /** What the platform may have is looked for at once. */
    private Delivery settled(Supplier<Delivery> send, OutboundMessage message) {
        Delivery delivery = guarded(send);
        return delivery instanceof Delivery.Unknown unclear ? found(message, unclear) : delivery;
    }

    private Delivery found(OutboundMessage message, Delivery.Unknown unclear) {
        if (!message.reactionTo().isEmpty() || !message.editOf().isEmpty()) {
            return Delivery.RetryAfter.of(0, unclear.reason());
        }
        if (looksUp()) {
            return guarded(() -> connector.lookup(message));
        }
        return connector.capabilities().has(Feature.DEDUPLICATION)
                ? Delivery.RetryAfter.of(0, unclear.reason())
                : unclear;
    }

    /** Returns whether a later look may find out what is not known now. */
    boolean looksUp() {
        return connector.capabilities().has(Feature.LOOKUP);
    }

    /**
     * Returns the draft of which an answer takes the place, which may be one that a crash left
     * SENDING; empty when none was shown.
     */
    Optional<OutboxRow> draft(OutboxRow row, Outbound outbound) {
        boolean first = row.progress().part() == 0 && row.progress().sentIds().isEmpty();
        boolean answers = Set.of(Outbound.ANSWER, Outbound.FAILURE).contains(outbound.kind());
        if (!first || !answers || row.runId().isEmpty() || !edits()) {
            return Optional.empty();
        }
        return journal.call(store -> store.outboxOf(row.runId())).stream()
                .filter(other -> isDraft(Outbound.read(other.payload())))
                .filter(
                        other ->
                                other.state() == OutboxRow.State.SENDING
                                        || !Dispatcher.sentId(Optional.of(other)).isEmpty())
                .findFirst();
    }

    /** Returns whether it is an answer that is shown while it is made, and not what ends it. */
    static boolean isDraft(Outbound outbound) {
        return outbound.kind().equals(Outbound.DRAFT) && outbound.editsOutboxId().isEmpty();
    }

    /** Returns whether the run that a draft is of has ended. */
    boolean isOver(OutboxRow draft) {
        return journal.call(store -> store.run(draft.runId()))
                .filter(run -> !run.state().terminal())
                .isEmpty();
    }

    /** Hands a message over, whatever is known of it. */
    Delivery once(OutboundMessage message) {
        return guarded(() -> connector.send(message));
    }

    private boolean edits() {
        return connector.capabilities().has(Feature.EDITS);
    }

    private Delivery guarded(Supplier<Delivery> call) {
        try {
            Delivery delivery = call.get();
            return delivery == null
                    ? new Delivery.Unknown(connector.id() + " gave no answer")
                    : delivery;
        } catch (RuntimeException e) {
            LOG.warn("{} failed at a message; it may have been sent.", connector.id(), e);
            return new Delivery.Unknown(
                    connector.id() + " failed: " + e.getClass().getSimpleName());
        }
    }

    private Optional<OutboundMessage> message(
            OutboxRow row, Outbound outbound, List<String> parts) {
        if (outbound.isReaction()) {
            return Optional.of(
                    OutboundMessage.reaction(
                            Outbound.key(row.outboxId(), 0),
                            outbound.conversation(),
                            outbound.reactionTo(),
                            outbound.text()));
        }
        int part = row.progress().part();
        boolean last = part == parts.size() - 1;
        boolean edits = !outbound.editsOutboxId().isEmpty() && edits();
        String editOf = edits && part == 0 ? sentId(outbound.editsOutboxId()) : "";
        if (edits && part == 0 && editOf.isEmpty() && !endsWhatMayBeThere(outbound)) {
            return Optional.empty();
        }
        boolean buttons = last && connector.capabilities().has(Feature.BUTTONS);
        boolean files = last && editOf.isEmpty();
        return Optional.of(
                new OutboundMessage(
                        Outbound.key(row.outboxId(), part),
                        outbound.conversation(),
                        part == 0 ? outbound.replyTo() : "",
                        editOf,
                        "",
                        parts.get(part),
                        buttons ? outbound.buttons() : List.of(),
                        files ? held.of(row.outboxId(), outbound) : List.of()));
    }

    /** Of an approval card that may have arrived the end is a message of its own. */
    private boolean endsWhatMayBeThere(Outbound outbound) {
        return outbound.kind().equals(Question.END_KIND)
                && journal.call(store -> store.outbox(outbound.editsOutboxId()))
                        .filter(Deliveries::mayBeThere)
                        .isPresent();
    }

    /** One that was given up may have been UNKNOWN before. */
    private static boolean mayBeThere(OutboxRow row) {
        return row.state() == OutboxRow.State.UNKNOWN
                || row.state() == OutboxRow.State.WITHDRAWN && row.attempts() > 0;
    }

    /** Returns whether a row asks about an approval request that is over, and is not sent yet. */
    boolean asksInVain(OutboxRow row, Outbound outbound) {
        return row.state() == OutboxRow.State.PENDING && Question.isOver(journal, outbound);
    }

    private String sentId(String outboxId) {
        List<String> ids = sentIds(outboxId);
        return ids.isEmpty() ? "" : ids.getLast();
    }

    private List<String> sentIds(String outboxId) {
        return journal.call(store -> store.outbox(outboxId))
                .map(row -> row.progress().sentIds())
                .orElse(List.of());
    }
}
