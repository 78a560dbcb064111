package palyra.channels.internal;

import static palyra.channels.internal.ChannelCommand.CONNECTOR;
import static palyra.channels.internal.ChannelCommand.LIMIT;
import static palyra.channels.internal.ChannelCommand.MOST;
import static palyra.channels.internal.ChannelCommand.read;
import static palyra.channels.internal.ChannelCommand.time;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.Require;
import palyra.api.channel.ConnectorId;
import palyra.api.channel.Conversation;
import palyra.api.channel.InboundMessage;
import palyra.api.channel.Sender;
import palyra.api.command.Command;
import palyra.api.command.CommandContext;
import palyra.api.command.OptionSpec;
import palyra.api.command.PositionalSpec;
import palyra.api.core.journal.InboxRow;
import palyra.api.core.journal.RunRow;
import palyra.channels.internal.route.RouteDecision;
import palyra.channels.internal.route.RouteRule;
import palyra.channels.internal.route.RouteRules;

/** The commands about which messages are answered, and why. */
final class RouterCommands {
    private static final Map<Boolean, String> IN_FORCE =
            Map.of(true, "yes", false, "NO: its file has a mistake, see palyra doctor");

    private final ChannelServices services;
    private final RouteRules rules;

    RouterCommands(ChannelServices services, RouteRules rules) {
        this.services = services;
        this.rules = rules;
    }

    List<Command> all() {
        return List.of(
                read(
                        "router rules",
                        "Lists the rules in the order in which they are asked",
                        "",
                        List.of(),
                        List.of(),
                        this::rules),
                read(
                        "router explain",
                        "Says what became of a message, or what would become of one, and why",
                        "With the id of a message that came, as 'channels ignored' shows it, or of"
                                + " its run, as 'runs' does: what the rules said then. With a"
                                + " connector and a text: what they say now; nothing is stored or"
                                + " sent.",
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
                        List.of(
                                PositionalSpec.required(
                                        "MESSAGE", "Id of a message or of its run, or a connector"),
                                PositionalSpec.optional("TEXT", "Text, after a connector")),
                        this::explain),
                read(
                        "router preview",
                        "Shows what would become of a text in each kind of conversation",
                        "One row for each kind of sender and conversation. Nothing is stored or"
                                + " sent.",
                        List.of(
                                OptionSpec.value(
                                        "as", "SENDER", "Id of the sender; tester by default"),
                                OptionSpec.value(
                                        "conversation",
                                        "ID",
                                        "Id of the conversation; test by default")),
                        List.of(CONNECTOR, PositionalSpec.required("TEXT", "Text of the message")),
                        this::preview),
                read(
                        "channels ignored",
                        "Lists messages that were not answered, and why",
                        "The text of such messages is not kept. The newest come last.",
                        List.of(LIMIT),
                        List.of(),
                        this::ignored));
    }

    private void rules(CommandContext context) {
        Set<String> awaited = new TreeSet<>(rules.awaited());
        List<List<?>> rows = new ArrayList<>();
        for (RouteRule rule : rules.router().rules()) {
            rows.add(rule(rule, !awaited.remove(rule.name())));
        }
        awaited.forEach(
                name -> rows.add(List.of(name, "", "", "", "", "", "", "", IN_FORCE.get(false))));
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
                                "Agent",
                                "In force"),
                        rows);
    }

    private static List<?> rule(RouteRule rule, boolean inForce) {
        return List.of(
                rule.name(),
                rule.priority(),
                rule.connectors(),
                rule.conversations().stream().sorted().toList(),
                rule.enabled(),
                rule.directMessages().name(),
                rule.mentionPatterns(),
                rule.agent(),
                IN_FORCE.get(inForce));
    }

    private void explain(CommandContext context) {
        String about = context.arguments().positional(0).orElseThrow();
        Optional<String> text = context.arguments().positional(1);
        Map<String, Object> fields =
                text.isEmpty()
                        ? told(about)
                        : told(ConnectorId.parse(about), example(context, text.get()));
        context.output().fields(fields);
    }

    private Map<String, Object> told(String messageId) {
        Require.that(
                messageId.indexOf(':') < 0,
                "the text is missing: write router explain " + messageId + " TEXT");
        InboxRow row =
                services.journal()
                        .call(store -> store.inbox(messageId))
                        .or(() -> messageOf(messageId))
                        .orElseThrow(
                                () ->
                                        new PalyraException(
                                                ErrorCode.NOT_FOUND,
                                                "No message or run has the id "
                                                        + messageId
                                                        + "; palyra channels ignored lists those that"
                                                        + " were not answered."));
        Map<String, Object> fields = new LinkedHashMap<>();
        Optional<RunRow> run =
                row.runId().isEmpty()
                        ? Optional.empty()
                        : services.journal().call(store -> store.run(row.runId()));
        fields.put(
                "decision",
                switch (row.state()) {
                    case IGNORED -> "ignored";
                    case REJECTED -> "rejected";
                    case QUEUED -> "waits for the gateway";
                    case ROUTED -> "answered by a run";
                });
        fields.put("reason", run.map(RunRow::reason).orElse(row.reason()));
        fields.put("runState", run.map(one -> one.state().name()).orElse(""));
        fields.put("message", row.messageId());
        fields.put("time", time(row.createdAtMillis()));
        fields.put("connector", row.surface());
        fields.put("conversation", row.conversation());
        fields.put("sender", row.sender());
        fields.put("actsFor", row.principal());
        fields.put("run", row.runId());
        return fields;
    }

    private Optional<InboxRow> messageOf(String runId) {
        return services.journal()
                .call(store -> store.run(runId))
                .filter(run -> !run.messageId().isEmpty())
                .flatMap(run -> services.journal().call(store -> store.inbox(run.messageId())));
    }

    private Map<String, Object> told(ConnectorId connector, InboundMessage message) {
        Map<String, Object> fields = told(services.inbox().explain(connector, message));
        rules.awaited(connector)
                .ifPresent(
                        rule -> {
                            fields.clear();
                            fields.put("decision", "not taken");
                            fields.put("rule", rule);
                            fields.put("reason", "rule_not_in_force");
                            fields.put(
                                    "explanation",
                                    RouteRules.notInForce(rule)
                                            + "; palyra doctor says why. Nothing is taken of "
                                            + connector
                                            + " until it is.");
                        });
        return fields;
    }

    private static Map<String, Object> told(RouteDecision decision) {
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
        return fields;
    }

    private void preview(CommandContext context) {
        ConnectorId connector = ConnectorId.parse(context.arguments().positional(0).orElseThrow());
        String text = context.arguments().positional(1).orElseThrow();
        List<List<?>> rows = new ArrayList<>();
        for (boolean direct : new boolean[] {true, false}) {
            for (boolean mentioned : direct ? new boolean[] {false} : new boolean[] {true, false}) {
                for (boolean verified : new boolean[] {true, false}) {
                    InboundMessage message = example(context, text, direct, mentioned, verified);
                    Map<String, Object> told = told(connector, message);
                    rows.add(
                            List.of(
                                    direct ? "direct" : "group",
                                    mentioned,
                                    verified,
                                    told.get("decision"),
                                    told.getOrDefault("reason", ""),
                                    told.getOrDefault("rule", ""),
                                    told.getOrDefault("actsFor", "")));
                }
            }
        }
        context.output()
                .table(
                        List.of(
                                "Conversation",
                                "Mentioned",
                                "Verified",
                                "Decision",
                                "Reason",
                                "Rule",
                                "Acts for"),
                        rows);
    }

    private static InboundMessage example(CommandContext context, String text) {
        return example(
                context,
                text,
                context.arguments().flag("direct"),
                context.arguments().flag("mentioned"),
                !context.arguments().flag("unverified"));
    }

    private static InboundMessage example(
            CommandContext context,
            String text,
            boolean direct,
            boolean mentioned,
            boolean verified) {
        String conversation = context.arguments().option("conversation").orElse("test");
        return new InboundMessage(
                InboundMessage.Event.WRITTEN,
                "example",
                "",
                new Sender(
                        context.arguments().option("as").orElse("tester"),
                        "",
                        context.arguments().flag("bot"),
                        verified),
                new Conversation(
                        conversation, context.arguments().option("thread").orElse(""), direct, ""),
                "",
                text,
                mentioned,
                Set.of(),
                List.of(),
                0);
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
                        List.of("Time", "Message", "Connector", "Conversation", "Sender", "Reason"),
                        rows.stream()
                                .map(
                                        row ->
                                                List.of(
                                                        time(row.createdAtMillis()),
                                                        row.messageId(),
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
}
