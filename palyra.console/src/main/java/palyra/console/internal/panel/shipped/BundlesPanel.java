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

/** Bundles of the framework, and their replacement. */
final class BundlesPanel extends CommandPanel {
    private static final String HOME = "/console/panel/bundles/";

    BundlesPanel(Commands commands) {
        super(
                new PanelSpec("bundles", "Bundles", PanelSpec.Section.SYSTEM, 40, "bundle.list"),
                commands);
    }

    @Override
    public PanelPage show(PanelRequest request) {
        return request.path().isEmpty() ? list(request) : bundle(request);
    }

    private PanelPage list(PanelRequest request) {
        List<Block> blocks = new ArrayList<>();
        blocks.add(
                Documents.table(
                        ask(request.principal(), CommandWords.of("bundles")),
                        "No bundle is installed.",
                        Documents.link("Bundle", "bundle", HOME),
                        Documents.state("State", "state"),
                        Documents.code("Version", "version"),
                        Documents.time("Installed", "installed")));
        blocks.add(new Block.Heading("Swaps"));
        blocks.add(
                Documents.list(
                        ask(request.principal(), CommandWords.of("swap status")),
                        "No bundle was swapped since the start. palyra swap BUNDLE JAR replaces one"
                                + " while everything runs, and undoes it when it fails.",
                        "",
                        ""));
        return new PanelPage(
                "Bundles",
                "The parts of the gateway; each is replaced while runs go on.",
                blocks,
                List.of("bundle"));
    }

    private PanelPage bundle(PanelRequest request) {
        String name = request.path();
        List<Block> blocks = new ArrayList<>();
        blocks.addAll(
                orNotice(
                        () ->
                                Documents.blocks(
                                        ask(
                                                request.principal(),
                                                CommandWords.of("bundle inspect")
                                                        .argument(name)))));
        blocks.add(
                sensitive(
                        "update",
                        "Update from where it was installed",
                        "bundle.update",
                        "Replace the running bundle by the jar that is there now"));
        blocks.add(
                sensitive("stop", "Stop", "bundle.stop", "What it offers is gone until it starts"));
        blocks.add(sensitive("start", "Start", "bundle.start", ""));
        return new PanelPage("Bundle " + name, "", blocks, List.of("bundle"));
    }

    @Override
    public PanelResult submit(PanelSubmission given) {
        return change(
                given,
                "",
                given.path(),
                CommandWords.of("bundle " + given.form()).argument(given.path()));
    }
}
