package palyra.console.internal.panel.shipped;

import java.util.ArrayList;
import java.util.List;
import palyra.api.console.Block;
import palyra.api.console.PanelPage;
import palyra.api.console.PanelRequest;
import palyra.api.console.PanelResult;
import palyra.api.console.PanelSpec;
import palyra.api.console.PanelSubmission;
import palyra.console.internal.command.CommandWords;
import palyra.console.internal.command.Commands;

/** Connectors, dead letters, pairings and rules. */
final class ChannelsPanel extends CommandPanel {
    private static final String HOME = "/console/panel/channels/";

    ChannelsPanel(Commands commands) {
        super(
                new PanelSpec("channels", "Channels", PanelSpec.Section.SYSTEM, 10, "channel.read"),
                commands);
    }

    @Override
    public PanelPage show(PanelRequest request) {
        return request.path().isEmpty() ? list(request) : connector(request);
    }

    private Block list(PanelRequest request, String command, String empty, String linked) {
        return Documents.list(
                ask(request.principal(), CommandWords.of(command)), empty, linked, HOME);
    }

    private PanelPage list(PanelRequest request) {
        List<Block> blocks = new ArrayList<>();
        blocks.add(
                list(
                        request,
                        "channels list",
                        "No connector is configured. docs/channels.md says how to add Discord,"
                                + " Telegram or a webhook.",
                        "connector"));
        blocks.add(new Block.Heading("Dead letters"));
        blocks.add(list(request, "channels dead", "No message was given up.", ""));
        blocks.add(message("replay", "Send a dead letter again", ""));
        blocks.add(message("discard", "Give a dead letter up", "It is never sent then"));
        blocks.add(new Block.Heading("Pairing"));
        blocks.add(list(request, "pairing list", "No sender is paired and no code is open.", ""));
        blocks.add(
                button(
                        "pair",
                        "Approve a code",
                        "channel.pair",
                        "",
                        Block.Field.line("code", "Code that the person told you"),
                        optional("hours", "For how many hours", "Empty for no end.")));
        blocks.add(
                button(
                        "refuse",
                        "Refuse a code",
                        "channel.pair",
                        "",
                        Block.Field.line("code", "Code")));
        blocks.add(new Block.Heading("Rules"));
        blocks.add(
                list(
                        request,
                        "router rules",
                        "There is no rule: no message of a connector is answered.",
                        ""));
        blocks.add(
                new Block.Details(
                        "Messages that were not answered",
                        List.of(
                                list(
                                        request,
                                        "channels ignored",
                                        "Every message was answered.",
                                        ""))));
        return new PanelPage(
                "Channels",
                "Chat platforms that people write from.",
                blocks,
                List.of("channel", TIME));
    }

    private static Block.Form message(String id, String label, String confirm) {
        return button(
                id,
                label,
                "channel.manage",
                confirm,
                Block.Field.line("message", "Id of the message"));
    }

    private PanelPage connector(PanelRequest request) {
        List<Block> blocks =
                new ArrayList<>(
                        Documents.blocks(
                                ask(
                                        request.principal(),
                                        CommandWords.of("channels status")
                                                .argument(request.path()))));
        blocks.add(
                new Block.Details(
                        "What waits to be sent",
                        List.of(
                                Documents.list(
                                        ask(
                                                request.principal(),
                                                CommandWords.of("channels outbox")
                                                        .argument(request.path())),
                                        "Nothing waits.",
                                        "",
                                        ""))));
        blocks.add(button("pause", "Pause sending", "channel.manage", ""));
        blocks.add(button("resume", "Resume", "channel.manage", ""));
        blocks.add(button("drain", "Drain", "channel.manage", "Take nothing in any more"));
        return new PanelPage("Connector " + request.path(), "", blocks, List.of("channel", TIME));
    }

    @Override
    public PanelResult submit(PanelSubmission given) {
        return switch (given.form()) {
            case "pause", "resume", "drain" ->
                    change(
                            given,
                            "",
                            given.path(),
                            CommandWords.of("channels " + given.form()).argument(given.path()));
            case "pair" ->
                    change(
                            given,
                            "",
                            "",
                            CommandWords.of("pairing approve")
                                    .option("hours", given.field("hours"))
                                    .argument(given.field("code")));
            case "refuse" ->
                    change(
                            given,
                            "",
                            "",
                            CommandWords.of("pairing deny").argument(given.field("code")));
            default ->
                    change(
                            given,
                            "",
                            "",
                            CommandWords.of("channels " + given.form())
                                    .argument(given.field("message")));
        };
    }
}
