package palyra.channels.internal.inbound;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.access.Principal;
import palyra.api.channel.Acceptance;
import palyra.api.channel.ConnectorId;
import palyra.api.channel.Conversation;
import palyra.api.channel.InboundMessage;
import palyra.api.channel.MessageOrigin;
import palyra.api.core.gateway.MessageRules;
import palyra.api.core.journal.InboxRow;
import palyra.api.core.journal.Journal;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.OutboxProgress;
import palyra.api.core.journal.OutboxRow;
import palyra.api.core.journal.Precondition;
import palyra.api.core.journal.RunRow;
import palyra.api.core.journal.Unit;
import palyra.api.run.RunState;
import palyra.api.run.Runs;
import palyra.api.run.Submission;
import palyra.api.run.SubmittedMessage;
import palyra.channels.internal.approval.Cards;
import palyra.channels.internal.command.ConversationCommand;
import palyra.channels.internal.command.ConversationCommands;
import palyra.channels.internal.files.FileTexts;
import palyra.channels.internal.route.RouteDecision;
import palyra.channels.internal.route.RouteRule;
import palyra.channels.internal.route.RouteRules;
import palyra.channels.internal.route.Router;
import palyra.channels.internal.route.SenderNames;
import palyra.shared.channel.Outbound;
import palyra.shared.channel.Positions;
import palyra.shared.connector.Texts;
import palyra.shared.gate.Gate;
import palyra.shared.hash.Ulids;
import palyra.shared.json.Jcs;
import palyra.shared.json.StrictJson;
import palyra.shared.outcome.Commits;
import palyra.shared.run.SubmissionCodec;

/**
 * Takes messages of connectors in. Each becomes one row of the inbox, durable before this returns:
 * with a run, or waiting for the gateway, or ignored with the reason and without its text. A
 * message that comes again meets its row. Thread-safe.
 */
public final class Inbox {
    private static final Logger LOG = LoggerFactory.getLogger(Inbox.class);
    private static final int TRIES = 3;

    /** Rows among which the earlier forms of a message are looked for. */
    private static final int MOST_LOOKED = 200;

    private static final int LONGEST_NAME = 80; // of a thread

    /** Member of an ignored row, and most characters of it: no platform shows more aside. */
    private static final String SAID = "said";

    private static final int MOST_SAID = 4_000;

    private static final byte[] NO_POSITION = {};
    private static final String APPROVAL_ANSWER = "approval_answer";
    private static final String PAIRING = "direct_message_pairing_required";

    private final Gate<Runs> runs;
    private final Gate<Journal> journal;
    private final RouteRules rules;
    private final Pairings pairings;
    private final Cards cards;
    private final Speakers speakers;
    private final ConversationCommands commands;
    private final Predicate<ConnectorId> reacts;
    private final BiFunction<ConnectorId, InboundMessage, String> threads;
    private final Ulids ids = new Ulids();

    /**
     * Creates an inbox.
     *
     * @param reacts whether the platform of a connector has reactions
     * @param threads asks a connector for {@link palyra.api.channel.Connector#threadOf}
     */
    public Inbox(
            Gate<Runs> runs,
            Speakers speakers,
            Gate<Journal> journal,
            RouteRules rules,
            Pairings pairings,
            Cards cards,
            ConversationCommands commands,
            Predicate<ConnectorId> reacts,
            BiFunction<ConnectorId, InboundMessage, String> threads) {
        this.runs = runs;
        this.journal = journal;
        this.rules = rules;
        this.pairings = pairings;
        this.cards = cards;
        this.speakers = speakers;
        this.commands = commands;
        this.reacts = reacts;
        this.threads = threads;
    }

    /** Takes a message in, as {@link palyra.api.channel.ConnectorContext#accept} says. */
    public Acceptance accept(ConnectorId connector, InboundMessage message, byte[] position) {
        return accept(connector, message, position, Told.BY_MESSAGE);
    }

    /** Takes a message in, as {@link palyra.api.channel.ConnectorContext#acceptAside} says. */
    public Acceptance acceptAside(ConnectorId connector, InboundMessage message, byte[] position) {
        Acceptance taken = accept(connector, message, position, Told.ASIDE);
        return taken.reason().equals(PAIRING)
                ? new Acceptance(
                        taken.outcome(), taken.messageId(), PAIRING, unknown(connector, message))
                : taken;
    }

    /** How a sender is told what the gateway itself answers. */
    private enum Told {
        BY_MESSAGE,
        /** By the connector, to the sender alone. */
        ASIDE
    }

    private Acceptance accept(
            ConnectorId connector, InboundMessage message, byte[] position, Told told) {
        Positions.usable(position);
        Acceptance acceptance =
                known(connector, message)
                        .map(row -> acceptance(Acceptance.Outcome.KNOWN, row))
                        .orElseGet(() -> take(connector, message, position, told));
        if (acceptance.outcome() == Acceptance.Outcome.KNOWN && position.length > 0) {
            Commits.commit(journal, unit(connector, position).build());
        }
        return acceptance;
    }

    /** Keeps the position in the unit of the message, unless it is known. */
    private Acceptance take(
            ConnectorId connector, InboundMessage message, byte[] position, Told told) {
        Optional<String> answered =
                message.event() == InboundMessage.Event.WRITTEN
                        ? cards.typed(connector, message)
                        : Optional.empty();
        if (answered.isPresent()) {
            return answered(connector, message, APPROVAL_ANSWER, answered.get(), position, told);
        }
        return switch (message.event()) {
            case WRITTEN -> route(connector, message, position, told);
            case EDITED -> {
                rules.require(connector); // first: what is taken back is to be answered changed
                Optional<String> late = withdrawOriginal(connector, message, "edited");
                yield late.isPresent()
                        ? ignore(connector, message, late.get(), unit(connector, position))
                        : route(connector, message, position, told);
            }
            case DELETED ->
                    ignore(
                            connector,
                            message,
                            withdrawOriginal(connector, message, "deleted").orElse("deleted"),
                            unit(connector, position));
        };
    }

    private static Unit.Builder unit(ConnectorId connector, byte[] position) {
        Unit.Builder unit = Unit.builder();
        return position.length == 0
                ? unit
                : unit.add(Positions.keep(connector.toString(), position));
    }

    private Optional<InboxRow> known(ConnectorId connector, InboundMessage message) {
        String key = inboxKey(dedupeKey(message));
        return journal.call(store -> store.inboxByKey(connector.toString(), key));
    }

    private static String dedupeKey(InboundMessage message) {
        return message.revision().isEmpty()
                ? message.messageId()
                : message.messageId() + "/" + message.revision();
    }

    /** As the codec of submissions writes it for a message with an origin. */
    private static String inboxKey(String dedupeKey) {
        return "/" + dedupeKey;
    }

    private static Acceptance acceptance(Acceptance.Outcome outcome, InboxRow row) {
        return new Acceptance(outcome, row.messageId(), row.reason(), said(row));
    }

    private static String said(InboxRow row) {
        return row.state() == InboxRow.State.IGNORED && row.payload().length > 0
                ? StrictJson.parse(row.payload(), "an ignored message").path(SAID).asText("")
                : "";
    }

    private Acceptance route(
            ConnectorId connector, InboundMessage written, byte[] position, Told told) {
        Router router = rules.require(connector);
        boolean threaded =
                router.rule(connector, written)
                        .filter(RouteRule::threads)
                        .filter(rule -> mayBegin(written, rule))
                        .isPresent();
        InboundMessage message = threaded ? threaded(connector, written) : written;
        RouteDecision decision =
                router.decide(connector, message, sender -> pairings.paired(connector, sender));
        return switch (decision) {
            case RouteDecision.Ignored ignored ->
                    ignore(connector, message, ignored.reason(), unit(connector, position));
            case RouteDecision.NeedsPairing pairing ->
                    pair(connector, message, told == Told.BY_MESSAGE, position);
            case RouteDecision.Routed routed ->
                    said(message, routed.rule())
                            .map(own -> say(connector, message, routed, own, position, told))
                            .orElseGet(() -> submit(connector, message, routed, position));
        };
    }

    /** What is for no agent begins no thread: a command is about the place where it was given. */
    private boolean mayBegin(InboundMessage written, RouteRule rule) {
        return !written.conversation().thread().isEmpty() || said(written, rule).isEmpty();
    }

    /**
     * What the gateway says itself to a message that is for no agent.
     *
     * @param reason why it is for none
     */
    private record Said(String reason, Function<ConversationCommands.Place, String> answer) {}

    private Optional<Said> said(InboundMessage message, RouteRule rule) {
        Optional<String> unnamed =
                message.event() == InboundMessage.Event.WRITTEN
                        ? Cards.unnamed(message)
                        : Optional.empty();
        return unnamed.map(words -> new Said(APPROVAL_ANSWER, place -> words))
                .or(
                        () ->
                                command(message, rule)
                                        .map(
                                                given ->
                                                        new Said(
                                                                "command",
                                                                place ->
                                                                        commands.obey(
                                                                                place, given))));
    }

    private static Optional<ConversationCommand.Given> command(
            InboundMessage message, RouteRule rule) {
        return rule.commands()
                ? ConversationCommand.read(message, rule.mentionPatterns())
                : Optional.empty();
    }

    /** Of a sender whose messages policy denies nothing is done and nothing answered. */
    private Acceptance say(
            ConnectorId connector,
            InboundMessage message,
            RouteDecision.Routed routed,
            Said own,
            byte[] position,
            Told told) {
        ConversationCommands.Place place;
        try {
            place =
                    new ConversationCommands.Place(
                            connector,
                            speakers.speakFor(connector, routed.principal()),
                            routed.rule(),
                            submitted(connector, message, routed));
            commands.requireAnswered(place);
        } catch (PalyraException e) {
            if (e.code() != ErrorCode.DENIED) {
                throw e;
            }
            return ignore(connector, message, finalReason(e.code()), unit(connector, position));
        }
        return answered(
                connector, message, own.reason(), own.answer().apply(place), position, told);
    }

    /** Keeps that a message was answered here, in the unit that has the answer. */
    private Acceptance answered(
            ConnectorId connector,
            InboundMessage message,
            String reason,
            String answer,
            byte[] position,
            Told told) {
        if (told == Told.ASIDE) {
            return ignore(connector, message, reason, unit(connector, position), answer);
        }
        OutboxRow reply =
                cards.reply(connector, message.conversation(), message.messageId(), answer);
        return ignore(
                connector,
                message,
                reason,
                unit(connector, position).add(new Operation.PutOutbox(reply)));
    }

    /**
     * Returns a message of a group where its answer goes: in the thread that it begins. In a thread
     * that began so every message addresses the account.
     */
    private InboundMessage threaded(ConnectorId connector, InboundMessage message) {
        Conversation place = message.conversation();
        if (!place.thread().isEmpty()) {
            boolean addressed = message.mentionsAccount() || isOurs(connector, place.thread());
            return in(place, addressed, message);
        }
        String thread = place.direct() ? "" : threads.apply(connector, message);
        if (thread.isEmpty()) {
            return message;
        }
        String name = Texts.line(message.text(), LONGEST_NAME);
        return in(
                new Conversation(place.id(), thread, false, name.isEmpty() ? "Thread" : name),
                message.mentionsAccount(),
                message);
    }

    /** Such a thread has the id of the message that began it. */
    private boolean isOurs(ConnectorId connector, String thread) {
        return journal.call(store -> store.inboxByKey(connector.toString(), inboxKey(thread)))
                .filter(row -> row.state() != InboxRow.State.IGNORED)
                .map(row -> SubmissionCodec.message(row.payload()).origin().conversation().thread())
                .filter(thread::equals)
                .isPresent();
    }

    private static InboundMessage in(
            Conversation place, boolean addressed, InboundMessage message) {
        return new InboundMessage(
                message.event(),
                message.messageId(),
                message.revision(),
                message.sender(),
                place,
                message.replyTo(),
                message.text(),
                addressed,
                message.mentions(),
                message.attachments(),
                message.sentAtMillis(),
                message.broadcast());
    }

    /** Decides about a message that another surface submits itself; see {@link MessageRules}. */
    public MessageRules.Ruling rule(
            ConnectorId surface, InboundMessage message, boolean broadcast) {
        Router router = rules.require(surface);
        Optional<InboxRow> row = known(surface, message);
        Optional<MessageRules.Ruling> before = row.map(one -> before(surface, message, one));
        RouteDecision decision =
                router.decide(
                        surface, message, broadcast, sender -> pairings.paired(surface, sender));
        if (before.isPresent() && !isFor(decision, row.get())) {
            return before.get();
        }
        return switch (decision) {
            case RouteDecision.Ignored ignored -> {
                ignore(surface, message, ignored.reason(), Unit.builder());
                yield ignored(surface, message, ignored.reason(), ignored.explanation());
            }
            case RouteDecision.NeedsPairing pairing -> {
                pair(surface, message, false, NO_POSITION);
                yield ignored(
                        surface, message, PAIRING, "An operator has not approved the sender yet.");
            }
            case RouteDecision.Routed routed ->
                    new MessageRules.Ruling.Routed(
                            routed.principal(),
                            routed.sessionKey(),
                            routed.rule().agent(),
                            text(surface, message, routed.principal(), ""),
                            routed.rule().responsePrefix(),
                            routed.rule().whileRunning(),
                            routed.rule().name());
        };
    }

    /** Returns what was ruled about a message; see {@link MessageRules}. */
    public Optional<MessageRules.Ruling> before(ConnectorId surface, InboundMessage message) {
        return known(surface, message).map(row -> before(surface, message, row));
    }

    private MessageRules.Ruling before(ConnectorId surface, InboundMessage message, InboxRow row) {
        if (row.state() == InboxRow.State.IGNORED) {
            requireSame(
                    surface,
                    message,
                    row.conversation().equals(message.conversation().id())
                            && row.sender().equals(message.sender().id()));
            return ignored(surface, message, row.reason(), "");
        }
        SubmittedMessage accepted = SubmissionCodec.message(row.payload());
        requireSame(
                surface,
                message,
                Stream.of(true, false)
                        .map(isolated -> Router.place(surface, message, isolated))
                        .anyMatch(
                                place ->
                                        place.principal().equals(row.principal())
                                                && place.sessionKey().equals(accepted.sessionKey())
                                                && accepted.text()
                                                        .startsWith(
                                                                author(message, row.principal()))));
        String prefix =
                rules.router().rule(surface, message).map(RouteRule::responsePrefix).orElse("");
        return new MessageRules.Ruling.Known(
                row.principal(), accepted.sessionKey(), row.messageId(), prefix);
    }

    private static void requireSame(ConnectorId surface, InboundMessage message, boolean same) {
        if (!same) {
            throw new PalyraException(
                    ErrorCode.ALREADY_EXISTS,
                    "A message of "
                            + surface
                            + " with the id "
                            + message.messageId()
                            + " came before, from another conversation or sender; ids of messages"
                            + " are unique within their channel.");
        }
    }

    /** Who submits the same as before meets the message by its key, with its text compared. */
    private static boolean isFor(RouteDecision decision, InboxRow row) {
        if (row.state() == InboxRow.State.IGNORED
                || !(decision instanceof RouteDecision.Routed routed)) {
            return false;
        }
        SubmittedMessage accepted = SubmissionCodec.message(row.payload());
        return routed.principal().equals(row.principal())
                && routed.sessionKey().equals(accepted.sessionKey())
                && routed.rule().agent().equals(accepted.agentId())
                && routed.rule().whileRunning() == accepted.whileRunning();
    }

    private MessageRules.Ruling ignored(
            ConnectorId surface, InboundMessage message, String reason, String explanation) {
        String reply =
                reason.equals(PAIRING)
                        ? pairings.code(surface, message.sender()).map(Inbox::notice).orElse("")
                        : "";
        boolean isolated =
                rules.router().rule(surface, message).filter(RouteRule::isolateSenders).isPresent();
        String key = Router.place(surface, message, isolated).sessionKey();
        return new MessageRules.Ruling.Ignored(reason, explanation, reply, key);
    }

    private Acceptance submit(
            ConnectorId connector,
            InboundMessage message,
            RouteDecision.Routed routed,
            byte[] position) {
        try {
            Principal principal = speakers.speakFor(connector, routed.principal());
            SubmittedMessage submitted = submitted(connector, message, routed);
            boolean shown = routed.rule().stateReactions() && reacts.test(connector);
            String reactTo = shown ? message.messageId() : "";
            Submission submission =
                    runs.call(present -> present.submit(principal, submitted, position, reactTo));
            return new Acceptance(
                    submission.duplicate() ? Acceptance.Outcome.KNOWN : Acceptance.Outcome.STORED,
                    submission.messageId(),
                    "");
        } catch (PalyraException e) {
            Optional<InboxRow> stored = known(connector, message);
            if (stored.isPresent()) {
                return acceptance(Acceptance.Outcome.KNOWN, stored.get());
            }
            String reason = finalReason(e.code());
            if (reason.isEmpty()) {
                throw e;
            }
            LOG.info("A message of {} is not answered: {}", routed.principal(), e.getMessage());
            return ignore(connector, message, reason, unit(connector, position));
        }
    }

    /** Empty for a refusal that may pass: the connector hands the message in again. */
    private static String finalReason(ErrorCode code) {
        return switch (code) {
            case DENIED -> "denied_by_policy";
            case NOT_FOUND -> "agent_not_found";
            case INVALID_ARGUMENT -> "message_not_usable";
            default -> "";
        };
    }

    private static SubmittedMessage submitted(
            ConnectorId connector, InboundMessage message, RouteDecision.Routed routed) {
        RouteRule rule = routed.rule();
        boolean quote = rule.quote() && !message.conversation().direct();
        return new SubmittedMessage(
                connector.toString(),
                dedupeKey(message),
                "",
                routed.sessionKey(),
                "",
                connector.toString(),
                rule.agent(),
                text(connector, message, routed.principal(), dedupeKey(message)),
                "",
                false,
                "",
                label(message),
                false,
                "",
                false,
                new MessageOrigin(
                        message.conversation(),
                        message.sender(),
                        quote ? message.messageId() : "",
                        rule.responsePrefix(),
                        message.revision(),
                        MessageOrigin.fetchable(message.attachments())),
                rule.whileRunning());
    }

    private static String label(InboundMessage message) {
        return message.conversation().name().isBlank()
                ? message.sender().name()
                : message.conversation().name();
    }

    /**
     * In a shared session the model is told who wrote; what is attached is named.
     *
     * @param dedupeKey under which it is submitted; empty when its files cannot be fetched
     */
    private static String text(
            ConnectorId surface, InboundMessage message, String principal, String dedupeKey) {
        String attached = FileTexts.lines(surface, dedupeKey, message.attachments());
        String said = message.text();
        if (said.isBlank() || attached.isEmpty()) {
            said = said.isBlank() ? attached : said;
        } else {
            said = said + "\n" + attached;
        }
        said = said.isBlank() ? "(empty message)" : said;
        return author(message, principal) + said;
    }

    /** Returns what names the sender before the text; empty in a session of one sender. */
    private static String author(InboundMessage message, String principal) {
        if (!principal.startsWith("service:")) {
            return "";
        }
        String name = message.sender().name().replaceAll("[\\p{Cntrl}\\p{Cf}:]", " ").strip();
        return (name.isEmpty() ? message.sender().id() : name) + ": ";
    }

    /** Keeps that a message came and why it is not answered; not what was in it. */
    private Acceptance ignore(
            ConnectorId connector, InboundMessage message, String reason, Unit.Builder unit) {
        return ignore(connector, message, reason, unit, "");
    }

    /** Keeps besides what its sender is told aside, which is told again when it comes again. */
    private Acceptance ignore(
            ConnectorId connector,
            InboundMessage message,
            String reason,
            Unit.Builder unit,
            String said) {
        ObjectNode kept =
                JsonNodeFactory.instance
                        .objectNode()
                        .put("event", message.event().name())
                        .put("messageId", message.messageId());
        if (!said.isEmpty()) {
            kept.put(SAID, Texts.cut(said, MOST_SAID));
        }
        InboxRow row =
                new InboxRow(
                        ids.next(),
                        connector.toString(),
                        inboxKey(dedupeKey(message)),
                        SenderNames.sender(connector, message.sender()),
                        Jcs.bytes(kept),
                        InboxRow.State.IGNORED,
                        "",
                        reason,
                        0,
                        message.conversation().id(),
                        message.sender().id());
        try {
            Commits.commit(journal, unit.add(new Operation.PutInbox(row)).build());
        } catch (PalyraException e) {
            Optional<InboxRow> stored = known(connector, message);
            if (e.code() != ErrorCode.ALREADY_EXISTS || stored.isEmpty()) {
                throw e;
            }
            return acceptance(Acceptance.Outcome.KNOWN, stored.get());
        }
        return acceptance(Acceptance.Outcome.IGNORED, row);
    }

    /** The code goes out in the unit that keeps the message and the code, if it goes out here. */
    private Acceptance pair(
            ConnectorId connector, InboundMessage message, boolean tell, byte[] position) {
        PalyraException last = null;
        for (int i = 0; i < TRIES; i++) {
            Unit.Builder unit = unit(connector, position);
            pairings.ask(connector, message.sender(), unit)
                    .filter(code -> tell)
                    .ifPresent(
                            code ->
                                    unit.add(
                                            new Operation.PutOutbox(
                                                    notice(connector, message, code))));
            try {
                return ignore(connector, message, PAIRING, unit);
            } catch (PalyraException e) {
                if (e.code() != ErrorCode.CONFLICT) {
                    throw e;
                }
                last = e; // another message of the sender was faster
            }
        }
        throw last;
    }

    /** The code is said again as often as it is asked for; a refused sender learns no reason. */
    private String unknown(ConnectorId connector, InboundMessage message) {
        return pairings.code(connector, message.sender())
                .map(
                        code ->
                                "You are not known here yet, so this was not done. Tell the operator"
                                        + " this code, and try again once you were approved. It is"
                                        + " valid for "
                                        + Pairings.CODE_MILLIS / 60_000
                                        + " minutes from when you first got it:\n\n`"
                                        + code
                                        + "`")
                .orElse(
                        "You are not known here, so this was not done, and there is no code for you"
                                + " at the moment. Ask the operator, or try again in "
                                + Pairings.CODE_MILLIS / 60_000
                                + " minutes.");
    }

    private static String notice(String code) {
        return "I answer people whom an operator has approved. Tell the operator this code; it is"
                + " valid for "
                + Pairings.CODE_MILLIS / 60_000
                + " minutes:\n\n`"
                + code
                + "`";
    }

    private OutboxRow notice(ConnectorId connector, InboundMessage message, String code) {
        return new OutboxRow(
                ids.next(),
                "",
                connector.toString(),
                MessageOrigin.orderKey(message.conversation()),
                Outbound.of("notice", notice(code), message.conversation(), "").bytes(),
                OutboxRow.State.PENDING,
                OutboxProgress.NONE,
                0,
                0);
    }

    /**
     * Takes back the message that an event is about, unless its run has begun. Done again, as after
     * the event could not be kept, it is the same.
     *
     * @return why it stays as it was; empty when it was taken back, or never answered
     */
    private Optional<String> withdrawOriginal(
            ConnectorId connector, InboundMessage event, String why) {
        String late = why + "_after_start";
        Optional<InboxRow> original = latest(connector, event);
        if (original.isEmpty()) {
            return Optional.empty();
        }
        InboxRow row = original.get();
        return switch (row.state()) {
            case REJECTED, IGNORED -> Optional.empty();
            case QUEUED -> settleQueued(row, why) ? Optional.empty() : Optional.of(late);
            case ROUTED ->
                    cancelWaiting(connector, row, why) ? Optional.empty() : Optional.of(late);
        };
    }

    /** Returns the form of a message that counts now: the last one that waits or became a run. */
    private Optional<InboxRow> latest(ConnectorId connector, InboundMessage event) {
        String key = inboxKey(event.messageId());
        String surface = connector.toString();
        Predicate<InboxRow> same =
                row ->
                        row.surface().equals(surface)
                                && row.state() != InboxRow.State.IGNORED
                                && (row.dedupeKey().equals(key)
                                        || row.dedupeKey().startsWith(key + "/"));
        return journal.call(store -> store.inboxIn(InboxRow.State.QUEUED, "", MOST_LOOKED)).stream()
                .filter(same)
                .reduce((earlier, later) -> later)
                .or(
                        () ->
                                journal
                                        .call(
                                                store ->
                                                        store.inboxOf(
                                                                surface,
                                                                event.conversation().id(),
                                                                "",
                                                                MOST_LOOKED))
                                        .stream()
                                        .filter(same)
                                        .findFirst())
                .or(() -> journal.call(store -> store.inboxByKey(surface, key)));
    }

    private boolean settleQueued(InboxRow row, String why) {
        try {
            Commits.commit(
                    journal,
                    Unit.builder()
                            .require(new Precondition.InboxIn(row.messageId(), row.state()))
                            .add(
                                    new Operation.SettleInbox(
                                            row.messageId(), InboxRow.State.REJECTED, "", why))
                            .build());
            return true;
        } catch (PalyraException e) {
            if (e.code() != ErrorCode.CONFLICT) {
                throw e;
            }
            return false;
        }
    }

    private boolean cancelWaiting(ConnectorId connector, InboxRow row, String why) {
        Optional<RunRow> run = journal.call(store -> store.run(row.runId()));
        RunState state = run.map(RunRow::state).orElse(RunState.FAILED);
        String reason = "The message was " + why + " by its sender.";
        if (state != RunState.ACCEPTED) {
            return state == RunState.CANCELLED && run.get().reason().equals(reason);
        }
        Principal principal = speakers.speakFor(connector, row.principal());
        return runs.call(present -> present.cancel(principal, row.runId(), reason));
    }

    /** Explains what would become of a message, without storing anything. */
    public RouteDecision explain(ConnectorId connector, InboundMessage message) {
        return rules.router()
                .decide(connector, message, sender -> pairings.paired(connector, sender));
    }

    /** Returns rows that were ignored lately, as the journal pages them. */
    public List<InboxRow> ignored(String afterId, int limit) {
        return journal.call(store -> store.inboxIn(InboxRow.State.IGNORED, afterId, limit));
    }
}
