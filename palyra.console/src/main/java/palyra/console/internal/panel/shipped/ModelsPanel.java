package palyra.console.internal.panel.shipped;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import palyra.api.console.Block;
import palyra.api.console.PanelPage;
import palyra.api.console.PanelRequest;
import palyra.api.console.PanelSpec;
import palyra.console.internal.command.CommandWords;
import palyra.console.internal.command.Commands;

/** Models, their providers, budgets and what was spent. */
final class ModelsPanel extends CommandPanel {
    private static final String HOME = "/console/panel/models/";

    ModelsPanel(Commands commands) {
        super(
                new PanelSpec(
                        "models",
                        "Models and budgets",
                        PanelSpec.Section.SYSTEM,
                        20,
                        "config.read"),
                commands);
    }

    @Override
    public PanelPage show(PanelRequest request) {
        if (!request.path().isEmpty()) {
            return PanelPage.of(
                    "Budget " + request.path(),
                    "",
                    Documents.blocks(
                            ask(
                                    request.principal(),
                                    CommandWords.of("budgets show").argument(request.path()))));
        }
        List<Block> blocks = new ArrayList<>();
        blocks.add(
                Documents.list(
                        ask(request.principal(), CommandWords.of("models list")),
                        "No model profile is configured; the deterministic model answers."
                                + " docs/models.md says how to add a provider.",
                        "",
                        ""));
        blocks.add(new Block.Heading("Budgets"));
        blocks.add(
                Documents.list(
                        ask(request.principal(), CommandWords.of("budgets list")),
                        "No budget is configured: nothing bounds what models cost."
                                + " docs/budgets.md says how.",
                        "budget",
                        HOME));
        blocks.add(new Block.Heading("What models used and cost"));
        blocks.addAll(orNotice(() -> CostCharts.of(costs(request))));
        return PanelPage.of(
                "Models and budgets", "Who answers for the agents, and what it costs.", blocks);
    }

    /** A page answers within two seconds; what is not counted by then says so. */
    private JsonNode costs(PanelRequest request) {
        return ask(
                request.principal(),
                CommandWords.of("costs")
                        .option("days", request.parameter("days").equals("30") ? "30" : "14")
                        .option("seconds", "1"));
    }
}
