package palyra.console.internal.panel.shipped;

import com.fasterxml.jackson.databind.JsonNode;
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

/** Sandboxes of this host, and whether their self-tests passed. */
final class SandboxesPanel extends CommandPanel {
    SandboxesPanel(Commands commands) {
        super(
                new PanelSpec(
                        "sandboxes", "Sandboxes", PanelSpec.Section.SYSTEM, 30, "sandbox.read"),
                commands);
    }

    @Override
    public PanelPage show(PanelRequest request) {
        List<Block> blocks = new ArrayList<>();
        blocks.add(
                Documents.table(
                        ask(request.principal(), CommandWords.of("sandbox list")),
                        "No sandbox backend is installed.",
                        Documents.text("Tier", "tier"),
                        Documents.state("State", "state"),
                        Documents.code("Executor", "executor"),
                        Documents.code("Self-test", "canary"),
                        Documents.text("Cause", "cause")));
        blocks.add(
                button(
                        "canary",
                        "Run the self-tests now",
                        "sandbox.run",
                        "Calls wait while they run"));
        JsonNode explained = ask(request.principal(), CommandWords.of("sandbox explain"));
        for (JsonNode one : explained.path("sandboxes")) {
            blocks.add(
                    new Block.Details(
                            "Tier " + one.path("tier").asText() + ": what is enforced",
                            Documents.blocks(one)));
        }
        return PanelPage.of(
                "Sandboxes",
                "Where commands run. A tier refuses calls until its self-tests passed.",
                blocks);
    }

    @Override
    public PanelResult submit(PanelSubmission given) {
        return change(given, "", "", CommandWords.of("sandbox canary"));
    }
}
