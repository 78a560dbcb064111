package palyra.channels.internal;

import static palyra.channels.internal.ChannelCommand.LIMIT;
import static palyra.channels.internal.ChannelCommand.MANAGE;
import static palyra.channels.internal.ChannelCommand.MOST;
import static palyra.channels.internal.ChannelCommand.changing;
import static palyra.channels.internal.ChannelCommand.read;
import static palyra.channels.internal.ChannelCommand.time;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.command.Command;
import palyra.api.command.CommandContext;
import palyra.api.command.PositionalSpec;
import palyra.api.core.journal.OutboxRow;
import palyra.channels.internal.approval.Question;
import palyra.channels.internal.dispatch.DeadLetters;
import palyra.shared.channel.Outbound;
import palyra.shared.hash.Ulids;

/** The commands about messages that are not sent, or not any more. */
final class OutboundCommands {
    private final Channels channels;
    private final ChannelServices services;
    private final DeadLetters dead;

    OutboundCommands(Channels channels, ChannelServices services) {
        this.channels = channels;
        this.services = services;
        this.dead = new DeadLetters(services.journal(), name -> channels.find(name).isPresent());
    }

    List<Command> all() {
        PositionalSpec message = PositionalSpec.required("MESSAGE", "Id of the message, a ULID");
        return List.of(
                read(
                        "channels dead",
                        "Lists messages that are not sent any more",
                        "FAILED ones were refused, expired, or failed too often. UNKNOWN ones may have"
                                + " arrived; others wait for a connector that is not there. See channels replay and channels discard.",
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
                        this::discard));
    }

    private void deadLetters(CommandContext context) {
        int limit = context.arguments().number("limit", 50, 1, MOST);
        rows(context, dead.list(context.arguments().positional(0).orElse(""), limit));
    }

    static void rows(CommandContext context, List<OutboxRow> rows) {
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

    private void replay(CommandContext context) {
        String id = context.arguments().positional(0).orElseThrow();
        boolean again = dead.replay(id, context.principal().id());
        channels.wakeAll();
        context.output()
                .line(
                        "Message "
                                + id
                                + (again
                                        ? " is sent again."
                                        : " is not sent again, it is WITHDRAWN: "
                                                + Question.OVER
                                                + "."));
    }

    private void discard(CommandContext context) {
        String id = context.arguments().positional(0).orElseThrow();
        dead.discard(id, context.principal().id());
        context.output().line("Message " + id + " is not sent any more.");
    }
}
