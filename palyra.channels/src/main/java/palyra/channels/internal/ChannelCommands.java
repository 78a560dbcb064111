package palyra.channels.internal;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.channel.ConnectorId;
import palyra.api.channel.ConnectorStatus;
import palyra.api.channel.Conversation;
import palyra.api.channel.InboundMessage;
import palyra.api.channel.Sender;
import palyra.api.command.Command;
import palyra.api.command.CommandContext;
import palyra.api.command.CommandSpec;
import palyra.api.command.ExitCodes;
import palyra.api.command.OptionSpec;
import palyra.api.command.PositionalSpec;
import palyra.api.core.journal.InboxRow;
import palyra.api.core.journal.OutboxRow;
import palyra.channels.internal.dispatch.DeadLetters;
import palyra.channels.internal.inbound.Pairings;
import palyra.channels.internal.route.RouteDecision;
import palyra.channels.internal.route.RouteRule;
import palyra.channels.internal.route.Router;
import palyra.channels.internal.route.SenderNames;
import palyra.shared.channel.Outbound;
import palyra.shared.hash.Ulids;

/** The commands {@code channels} and {@code router}. */
final class ChannelCommands {
    private static final String READ = "channel.read";
    private static final String MANAGE = "channel.manage";
    private static final String PAIR = "channel.pair";
    private static final int MOST = 1_000;
    private static final PositionalSpec CONNECTOR =
            PositionalSpec.required("CONNECTOR", "Connector, as KIND:ACCOUNT");
    private static final OptionSpec LIMIT =
            OptionSpec.value("limit", "N", "At most this many, 1 to 1000; 50 by default");

    private final Channels channels;
    private final ChannelServices services;
    private final Pairings pairings;
    private final Supplier<Router> router;
    private final DeadLetters dead;

    private ChannelCommands(
            Channels channels,
            ChannelServices services,
            Pairings pairings,
            Supplier<Router> router) {
        this.channels = channels;
        this.services = services;
        this.pairings = pairings;
        this.router = router;
        this.dead = new DeadLetters(services.journal());
    }

    static List<Command> all(
            Channels channels,
            ChannelServices services,
            Pairings pairings,
            Supplier<Router> router) {
        return new ChannelCommands(channels, services, pairings, router).commands();
    }

    /** What a command does. */
    private interface Body {
        void run(CommandContext context);
    }

    private record One(CommandSpec spec, Body body) implements Command {
        @Override
        public int run(CommandContext context) {
            body.run(context);
            return ExitCodes.OK;
        }
    }

    private List<Command> commands() {
        PositionalSpec message = PositionalSpec.required("MESSAGE", "Id of the message, a ULID");
        return List.of(
                read(
                        "channels list",
                        "Lists connectors and their state",
                        "",
                        List.of(),
                        List.of(),
                        this::list),
                read(
                        "channels status",
                        "Shows one connector",
                        "",
                        List.of(),
                        List.of(CONNECTOR),
                        this::status),
                read(
                        "channels outbox",
                        "Lists what waits to be sent, the first message of each conversation",
                        "",
                        List.of(LIMIT),
                        List.of(CONNECTOR),
                        this::outbox),
                read(
                        "channels dead",
                        "Lists messages that are not sent any more",
                        "FAILED ones were refused, expired, or failed too often. UNKNOWN ones may have"
                                + " arrived. See channels replay and channels discard.",
                        List.of(LIMIT),
                        List.of(PositionalSpec.optional("CONNECTOR", "Only of this connector")),
                        this::deadLetters),
                read(
                        "channels show",
                        "Shows a message of the outbox",
                        "",
                        List.of(),
                        List.of(message),
                        this::show),
                read(
                        "channels ignored",
                        "Lists messages that were not answered, and why",
                        "The text of such messages is not kept. The newest come last.",
                        List.of(LIMIT),
                        List.of(),
                        this::ignored),
                changing(
                        MANAGE,
                        "channels pause",
                        "Sends nothing until it is resumed",
                        List.of(),
                        List.of(CONNECTOR),
                        context -> flow(context, ChannelState.Flow.PAUSED)),
                changing(
                        MANAGE,
                        "channels drain",
                        "Takes nothing in and sends what waits",
                        List.of(),
                        List.of(CONNECTOR),
                        context -> flow(context, ChannelState.Flow.DRAINING)),
                changing(
                        MANAGE,
                        "channels resume",
                        "Takes in and sends again",
                        List.of(),
                        List.of(CONNECTOR),
                        context -> flow(context, ChannelState.Flow.RUNNING)),
                changing(
                        MANAGE,
                        "channels replay",
                        "Sends a dead letter again",
                        List.of(),
                        List.of(message),
                        this::replay),
                changing(
                        MANAGE,
                        "channels discard",
                        "Gives a dead letter up for good",
                        List.of(),
                        List.of(message),
                        this::discard),
                read(
                        "pairing list",
                        "Lists paired senders and valid codes",
                        "",
                        List.of(),
                        List.of(PositionalSpec.optional("CONNECTOR", "Only of this connector")),
                        this::pairingList),
                changing(
                        PAIR,
                        "pairing approve",
                        "Lets the sender who was given a code be answered",
                        List.of(
                                OptionSpec.value(
                                        "hours", "N", "For how long; 0, the default, for no end")),
                        List.of(PositionalSpec.required("CODE", "Code that the person told you")),
                        this::approve),
                changing(
                        PAIR,
                        "pairing revoke",
                        "Ends a pairing, or refuses a code",
                        List.of(),
                        List.of(CONNECTOR, PositionalSpec.required("SENDER", "Id of the sender")),
                        this::revoke),
                read(
                        "identity list",
                        "Lists accounts of platforms that are linked to principals",
                        "",
                        List.of(),
                        List.of(),
                        this::identities),
                changing(
                        PAIR,
                        "identity link",
                        "Makes an account of a platform count as a principal",
                        List.of(OptionSpec.flag("approver", "It may decide approval requests")),
                        List.of(
                                CONNECTOR,
                                PositionalSpec.required(
                                        "SENDER", "The platform's id of the account"),
                                PositionalSpec.required("PRINCIPAL", "Such as user:anna")),
                        this::link),
                changing(
                        PAIR,
                        "identity unlink",
                        "Makes such an account count as itself again",
                        List.of(),
                        List.of(
                                CONNECTOR,
                                PositionalSpec.required(
                                        "SENDER", "The platform's id of the account")),
                        this::unlink),
                read(
                        "router rules",
                        "Lists the rules in the order in which they are asked",
                        "",
                        List.of(),
                        List.of(),
                        this::rules),
                read(
                        "router explain",
                        "Says what would become of a message, and why",
                        "Nothing is stored or sent.",
                        List.of(
                                OptionSpec.value(
                                        "as", "SENDER", "Id of the sender; tester by default"),
                                OptionSpec.value(
                                        "conversation",
                                        "ID",
                                        "Id of the conversation; test by default"),
                                OptionSpec.value("thread", "ID", "Id of a thread in it"),
                                OptionSpec.flag("direct", "It is a direct message"),
                                OptionSpec.flag("mentioned", "It mentions the account"),
                                OptionSpec.flag("bot", "A program wrote it"),
                                OptionSpec.flag(
                                        "unverified",
                                        "The platform does not vouch for the sender")),
                        List.of(CONNECTOR, PositionalSpec.required("TEXT", "Text of the message")),
                        this::explain));
    }

    private static Command read(
            String name,
            String summary,
            String details,
            List<OptionSpec> options,
            List<PositionalSpec> positionals,
            Body body) {
        return new One(
                new CommandSpec(name, summary, details, options, positionals, READ, false), body);
    }

    private static Command changing(
            String action,
            String name,
            String summary,
            List<OptionSpec> options,
            List<PositionalSpec> positionals,
            Body body) {
        return new One(
                new CommandSpec(name, summary, "", options, positionals, action, true), body);
    }

    private void list(CommandContext context) {
        context.output()
                .table(
                        List.of("Connector", "State", "Flow", "Since", "Reason"),
                        channels.all().stream().map(this::row).toList());
        if (channels.all().isEmpty()) {
            context.output().note("No connector is configured; see docs/channels.md.");
        }
    }

    private List<?> row(Channel channel) {
        ConnectorStatus status = channel.connector().status();
        return List.of(
                channel.id().toString(),
                status.state().name(),
                channel.state().flow().name(),
                time(status.sinceMillis()),
                status.reason());
    }

    private void status(CommandContext context) {
        Channel channel = require(context);
        ConnectorStatus status = channel.connector().status();
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("connector", channel.id().toString());
        fields.put("state", status.state().name());
        fields.put("since", time(status.sinceMillis()));
        fields.put("reason", status.reason());
        fields.put("nextAttempt", time(status.nextAttemptAtMillis()));
        fields.put("lastEvent", time(status.lastEventAtMillis()));
        fields.put("flow", channel.state().flow().name());
        fields.put("flowBy", channel.state().by());
        fields.put("oldestWaiting", time(channel.dispatcher().oldestMillis()));
        fields.put("heldUntil", time(channel.dispatcher().heldUntilMillis()));
        fields.put(
                "capabilities",
                channel.connector().capabilities().features().stream()
                        .map(Enum::name)
                        .sorted()
                        .toList());
        fields.put("maxCharacters", channel.connector().capabilities().maxCharacters());
        channel.dispatcher().counts().forEach(fields::put);
        context.output().fields(fields);
    }

    private Channel require(CommandContext context) {
        String name = context.arguments().positional(0).orElseThrow();
        return channels.find(name)
                .orElseThrow(
                        () ->
                                new PalyraException(
                                        ErrorCode.NOT_FOUND,
                                        "No connector is called "
                                                + name
                                                + "; channels list shows those that are there."));
    }

    private void outbox(CommandContext context) {
        String surface = require(context).id().toString();
        int limit = context.arguments().number("limit", 50, 1, MOST);
        rows(context, services.journal().call(store -> store.outboxHeads(surface, "", limit)));
    }

    private void deadLetters(CommandContext context) {
        int limit = context.arguments().number("limit", 50, 1, MOST);
        rows(context, dead.list(context.arguments().positional(0).orElse(""), limit));
    }

    private static void rows(CommandContext context, List<OutboxRow> rows) {
        context.output()
                .table(
                        List.of(
                                "Message",
                                "Connector",
                                "Conversation",
                                "State",
                                "Attempts",
                                "Next attempt",
                                "Reason"),
                        rows.stream()
                                .map(
                                        row ->
                                                List.of(
                                                        row.outboxId(),
                                                        row.surface(),
                                                        row.orderKey(),
                                                        row.state().name(),
                                                        row.attempts(),
                                                        time(row.progress().nextAttemptAtMillis()),
                                                        row.progress().reason()))
                                .toList());
    }

    private void show(CommandContext context) {
        String id = Ulids.require(context.arguments().positional(0).orElseThrow(), "message");
        OutboxRow row =
                services.journal()
                        .call(store -> store.outbox(id))
                        .filter(found -> !found.orderKey().isEmpty())
                        .orElseThrow(
                                () ->
                                        new PalyraException(
                                                ErrorCode.NOT_FOUND,
                                                "No message to a connector has the id "
                                                        + id
                                                        + "."));
        Outbound message = Outbound.read(row.payload());
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("message", row.outboxId());
        fields.put("run", row.runId());
        fields.put("connector", row.surface());
        fields.put("conversation", row.orderKey());
        fields.put("kind", message.kind());
        fields.put("state", row.state().name());
        fields.put("reason", row.progress().reason());
        fields.put("attempts", row.attempts());
        fields.put("part", row.progress().part());
        fields.put("parts", Math.max(1, message.parts().size()));
        fields.put("sentIds", row.progress().sentIds());
        fields.put("created", time(row.createdAtMillis()));
        fields.put("changed", time(row.updatedAtMillis()));
        fields.put("text", message.text());
        context.output().fields(fields);
    }

    private void ignored(CommandContext context) {
        int limit = context.arguments().number("limit", 50, 1, MOST);
        List<InboxRow> rows = List.of();
        String after = "";
        while (true) {
            List<InboxRow> page = services.inbox().ignored(after, MOST);
            if (page.isEmpty()) {
                break;
            }
            rows = page.size() >= limit ? page : joined(rows, page);
            rows = rows.subList(Math.max(0, rows.size() - limit), rows.size());
            after = page.getLast().messageId();
        }
        context.output()
                .table(
                        List.of("Time", "Connector", "Conversation", "Sender", "Reason"),
                        rows.stream()
                                .map(
                                        row ->
                                                List.of(
                                                        time(row.createdAtMillis()),
                                                        row.surface(),
                                                        row.conversation(),
                                                        row.sender(),
                                                        row.reason()))
                                .toList());
    }

    private static List<InboxRow> joined(List<InboxRow> first, List<InboxRow> second) {
        List<InboxRow> all = new ArrayList<>(first);
        all.addAll(second);
        return all;
    }

    private void flow(CommandContext context, ChannelState.Flow flow) {
        Channel channel = require(context);
        new ChannelState(flow, context.principal().id())
                .write(services.journal(), channel.id().toString());
        channel.stateChanged();
        context.output().line("Connector " + channel.id() + " is " + flow + ".");
        context.output().fields(Map.of("connector", channel.id().toString(), "flow", flow.name()));
    }

    private void replay(CommandContext context) {
        String id = context.arguments().positional(0).orElseThrow();
        dead.replay(id, context.principal().id());
        channels.wakeAll();
        context.output().line("Message " + id + " is sent again.");
    }

    private void discard(CommandContext context) {
        String id = context.arguments().positional(0).orElseThrow();
        dead.discard(id, context.principal().id());
        context.output().line("Message " + id + " is not sent any more.");
    }

    private void pairingList(CommandContext context) {
        context.output()
                .table(
                        List.of("Connector", "Sender", "Name", "State", "Until", "By"),
                        pairings.list(context.arguments().positional(0).orElse("")).stream()
                                .map(
                                        pairing ->
                                                List.of(
                                                        pairing.connector(),
                                                        pairing.sender(),
                                                        pairing.name(),
                                                        pairing.state().name(),
                                                        time(pairing.untilMillis()),
                                                        pairing.by()))
                                .toList());
    }

    private void approve(CommandContext context) {
        int hours = context.arguments().number("hours", 0, 0, 876_000);
        Pairings.Pairing paired =
                pairings.approve(
                        context.arguments().positional(0).orElseThrow(),
                        hours,
                        context.principal().id());
        context.output()
                .line(
                        "Sender "
                                + paired.sender()
                                + (paired.name().isEmpty() ? "" : " (" + paired.name() + ")")
                                + " of "
                                + paired.connector()
                                + " is answered from now on.");
    }

    private void revoke(CommandContext context) {
        Pairings.Pairing revoked =
                pairings.revoke(
                        context.arguments().positional(0).orElseThrow(),
                        context.arguments().positional(1).orElseThrow(),
                        context.principal().id());
        context.output()
                .line(
                        "Sender "
                                + revoked.sender()
                                + " of "
                                + revoked.connector()
                                + " is not answered any more.");
    }

    private void identities(CommandContext context) {
        context.output()
                .table(
                        List.of("Account", "Principal", "Groups", "By"),
                        Identities.all(services.journal()).stream()
                                .map(
                                        link ->
                                                List.of(
                                                        link.account(),
                                                        link.principal(),
                                                        link.groups(),
                                                        link.by()))
                                .toList());
    }

    private void link(CommandContext context) {
        String principal = context.arguments().positional(2).orElseThrow();
        Identities.Identity link =
                new Identities.Identity(
                        account(context),
                        principal,
                        context.arguments().flag("approver") ? List.of("approver") : List.of(),
                        context.principal().id());
        Identities.put(services.journal(), link);
        context.output()
                .line(
                        "The account "
                                + link.account()
                                + " counts as "
                                + principal
                                + " from now on.");
    }

    private void unlink(CommandContext context) {
        String account = account(context);
        Identities.remove(services.journal(), account);
        context.output().line("The account " + account + " counts as itself from now on.");
    }

    private static String account(CommandContext context) {
        return SenderNames.sender(
                ConnectorId.parse(context.arguments().positional(0).orElseThrow()),
                new Sender(context.arguments().positional(1).orElseThrow(), "", false, true));
    }

    private void rules(CommandContext context) {
        context.output()
                .table(
                        List.of(
                                "Rule",
                                "Priority",
                                "Connectors",
                                "Conversations",
                                "Enabled",
                                "Direct messages",
                                "Mentions",
                                "Agent"),
                        router.get().rules().stream().map(ChannelCommands::rule).toList());
    }

    private static List<?> rule(RouteRule rule) {
        return List.of(
                rule.name(),
                rule.priority(),
                rule.connectors(),
                rule.conversations().stream().sorted().toList(),
                rule.enabled(),
                rule.directMessages().name(),
                rule.mentionPatterns(),
                rule.agent());
    }

    private void explain(CommandContext context) {
        ConnectorId connector = ConnectorId.parse(context.arguments().positional(0).orElseThrow());
        RouteDecision decision = services.inbox().explain(connector, example(context));
        Map<String, Object> fields = new LinkedHashMap<>();
        switch (decision) {
            case RouteDecision.Routed routed -> {
                fields.put("decision", "answered");
                fields.put("rule", routed.rule().name());
                fields.put("agent", routed.rule().agent());
                fields.put("actsFor", routed.principal());
                fields.put("session", routed.sessionKey());
            }
            case RouteDecision.NeedsPairing pairing -> {
                fields.put("decision", "ignored");
                fields.put("rule", pairing.rule().name());
                fields.put("reason", "direct_message_pairing_required");
                fields.put(
                        "explanation",
                        "The sender gets a code, and is answered once pairing approve was given it.");
            }
            case RouteDecision.Ignored ignored -> {
                fields.put("decision", "ignored");
                fields.put("reason", ignored.reason());
                fields.put("explanation", ignored.explanation());
            }
        }
        context.output().fields(fields);
    }

    private static InboundMessage example(CommandContext context) {
        String conversation = context.arguments().option("conversation").orElse("test");
        boolean direct = context.arguments().flag("direct");
        return new InboundMessage(
                InboundMessage.Event.WRITTEN,
                "example",
                "",
                new Sender(
                        context.arguments().option("as").orElse("tester"),
                        "",
                        context.arguments().flag("bot"),
                        !context.arguments().flag("unverified")),
                new Conversation(
                        conversation, context.arguments().option("thread").orElse(""), direct, ""),
                "",
                context.arguments().positional(1).orElseThrow(),
                context.arguments().flag("mentioned"),
                Set.of(),
                List.of(),
                0);
    }

    private static String time(long millis) {
        return millis == 0
                ? ""
                : Instant.ofEpochMilli(millis).truncatedTo(ChronoUnit.SECONDS).toString();
    }
}
