package palyra.console.internal.panel.shipped;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import palyra.api.console.Block;
import palyra.api.console.Level;
import palyra.api.console.PanelPage;
import palyra.api.console.PanelRequest;
import palyra.api.console.PanelSpec;
import palyra.console.internal.command.CommandWords;
import palyra.console.internal.command.Commands;

/** What is wrong, and what works. */
final class HealthPanel extends CommandPanel {
    HealthPanel(Commands commands) {
        super(
                new PanelSpec("health", "Health", PanelSpec.Section.SYSTEM, 0, "system.doctor"),
                commands);
    }

    @Override
    public PanelPage show(PanelRequest request) {
        List<Block> blocks = new ArrayList<>();
        JsonNode findings = ask(request.principal(), CommandWords.of("doctor"));
        for (JsonNode one : findings) {
            blocks.add(
                    new Block.Notice(
                            level(one.path("severity").asText()),
                            one.path("area").asText() + ": " + one.path("message").asText(),
                            one.path("remedy").asText()));
        }
        if (findings.isEmpty()) {
            blocks.add(new Block.Notice(Level.GOOD, "The doctor has nothing to say.", ""));
        }
        blocks.add(new Block.Heading("Metrics"));
        blocks.addAll(orNotice(() -> MetricCharts.of(metrics(request))));
        blocks.add(new Block.Heading("Status"));
        blocks.addAll(Documents.blocks(ask(request.principal(), CommandWords.of("status"))));
        blocks.add(
                new Block.Details(
                        "Log",
                        orNotice(
                                () ->
                                        Documents.blocks(
                                                ask(
                                                        request.principal(),
                                                        CommandWords.of("logs")
                                                                .option("lines", "200"))))));
        return new PanelPage(
                "Health", "What the doctor finds, and what works.", blocks, List.of(TIME));
    }

    private JsonNode metrics(PanelRequest request) {
        String window = request.parameter("window").equals("day") ? "day" : "half-hour";
        return ask(
                request.principal(),
                CommandWords.of("metrics").option("window", window).option("points", "180"));
    }

    private static Level level(String severity) {
        return switch (severity) {
            case "ERROR" -> Level.BAD;
            case "WARNING" -> Level.WARNING;
            default -> Level.NEUTRAL;
        };
    }
}
