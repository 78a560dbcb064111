package palyra.console.internal.panel.shipped;

import java.util.ArrayList;
import java.util.List;
import palyra.api.console.Block;
import palyra.api.console.PanelPage;
import palyra.api.console.PanelRequest;
import palyra.api.console.PanelSpec;
import palyra.console.internal.command.CommandWords;
import palyra.console.internal.command.Commands;

/** Settings by PID and where they come from. */
final class ConfigurationPanel extends CommandPanel {
    private static final String HOME = "/console/panel/configuration/";

    ConfigurationPanel(Commands commands) {
        super(
                new PanelSpec(
                        "configuration",
                        "Configuration",
                        PanelSpec.Section.SYSTEM,
                        50,
                        "config.read"),
                commands);
    }

    @Override
    public PanelPage show(PanelRequest request) {
        if (!request.path().isEmpty()) {
            return PanelPage.of(
                    "Settings of " + request.path(),
                    "",
                    Documents.blocks(
                            ask(
                                    request.principal(),
                                    CommandWords.of("config show").argument(request.path()))));
        }
        List<Block> blocks = new ArrayList<>();
        blocks.add(
                Documents.list(
                        ask(request.principal(), CommandWords.of("config list")),
                        "Nothing is configured; every setting has its default.",
                        "pid",
                        HOME));
        blocks.add(new Block.Heading("Data kept"));
        blocks.addAll(
                orNotice(
                        () ->
                                Documents.blocks(
                                        ask(
                                                request.principal(),
                                                CommandWords.of("retention show")))));
        return PanelPage.of(
                "Configuration",
                "Files in conf/ are read again when they change; a file with a mistake changes"
                        + " nothing and is named here.",
                blocks);
    }
}
