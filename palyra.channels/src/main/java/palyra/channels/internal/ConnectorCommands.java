package palyra.channels.internal;

import static palyra.channels.internal.ChannelCommand.CONNECTOR;
import static palyra.channels.internal.ChannelCommand.LIMIT;
import static palyra.channels.internal.ChannelCommand.MANAGE;
import static palyra.channels.internal.ChannelCommand.MOST;
import static palyra.channels.internal.ChannelCommand.changing;
import static palyra.channels.internal.ChannelCommand.read;
import static palyra.channels.internal.ChannelCommand.time;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.channel.ConnectorStatus;
import palyra.api.command.Command;
import palyra.api.command.CommandContext;

/** The commands about connectors themselves. */
final class ConnectorCommands {
    private final Channels channels;
    private final ChannelServices services;
    private final ChannelReport report;

    ConnectorCommands(Channels channels, ChannelServices services, ChannelReport report) {
        this.channels = channels;
        this.services = services;
        this.report = report;
    }

    List<Command> all() {
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
                        context -> flow(context, ChannelState.Flow.RUNNING)));
    }

    private void list(CommandContext context) {
        List<List<?>> rows = new ArrayList<>();
        channels.all().forEach(channel -> rows.add(row(channel)));
        report.left()
                .forEach(
                        (name, count) ->
                                rows.add(
                                        List.of(
                                                name,
                                                "GONE",
                                                "",
                                                "",
                                                count
                                                        + " messages wait for it; see channels dead "
                                                        + name)));
        context.output().table(List.of("Connector", "State", "Flow", "Since", "Reason"), rows);
        if (rows.isEmpty()) {
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
                report.trouble(channel));
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
        fields.put("waitingReason", channel.dispatcher().waitingReason());
        long held = channel.dispatcher().heldUntilMillis();
        fields.put("heldUntil", held > services.clock().millis() ? time(held) : "");
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
                        () -> {
                            int left = report.left().getOrDefault(name, 0);
                            return new PalyraException(
                                    ErrorCode.NOT_FOUND,
                                    left == 0
                                            ? "No connector is called "
                                                    + name
                                                    + "; channels list shows those that are there."
                                            : "Connector "
                                                    + name
                                                    + " is GONE: "
                                                    + left
                                                    + " messages wait for it. Configure it again,"
                                                    + " or see channels dead "
                                                    + name
                                                    + ".");
                        });
    }

    private void outbox(CommandContext context) {
        String surface = require(context).id().toString();
        int limit = context.arguments().number("limit", 50, 1, MOST);
        OutboundCommands.rows(
                context, services.journal().call(store -> store.outboxHeads(surface, "", limit)));
    }

    private void flow(CommandContext context, ChannelState.Flow flow) {
        Channel channel = require(context);
        new ChannelState(flow, context.principal().id())
                .write(services.journal(), channel.id().toString());
        channel.stateChanged();
        context.output().line("Connector " + channel.id() + " is " + flow + ".");
        context.output().fields(Map.of("connector", channel.id().toString(), "flow", flow.name()));
    }
}
