package palyra.console.internal.panel.shipped;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import palyra.api.console.Block;
import palyra.api.console.PanelPage;
import palyra.api.console.PanelRequest;
import palyra.api.console.PanelSpec;
import palyra.api.console.Value;
import palyra.console.internal.command.CommandWords;
import palyra.console.internal.command.Commands;

/** The journal's own events: decisions, changes, sign-ins. */
final class AuditPanel extends CommandPanel {
    private static final String HOME = "/console/panel/audit/";

    AuditPanel(Commands commands) {
        super(
                new PanelSpec("audit", "Audit", PanelSpec.Section.CONTROL, 90, "tape.read"),
                commands);
    }

    private static final int PAGE = 200;

    @Override
    public PanelPage show(PanelRequest request) {
        String text = request.parameter("text").toLowerCase(Locale.ROOT);
        String type = request.parameter("type");
        JsonNode status = ask(request.principal(), CommandWords.of("status"));
        long newest = status.path("journal").path("records").asLong();
        long to = number(request.parameter("to"), newest);
        long from = Math.max(1, to - PAGE + 1);
        List<JsonNode> records =
                lines(
                        request.principal(),
                        CommandWords.of("tape show")
                                .option("from", Long.toString(from))
                                .option("to", Long.toString(Math.max(from, to)))
                                .argument("journal"));
        List<JsonNode> found =
                records.reversed().stream()
                        .filter(one -> type.isEmpty() || one.path("type").asText().equals(type))
                        .filter(
                                one ->
                                        text.isEmpty()
                                                || one.toString()
                                                        .toLowerCase(Locale.ROOT)
                                                        .contains(text))
                        .toList();
        List<Block> blocks = new ArrayList<>();
        blocks.add(table(found));
        if (from > 1) {
            blocks.add(
                    new Block.Facts(
                            List.of(
                                    new Block.Fact(
                                            "Older",
                                            new Value.Link(
                                                    "records before " + from,
                                                    HOME + "?to=" + (from - 1))))));
        }
        for (JsonNode one : found) {
            blocks.add(
                    new Block.Details(
                            one.path("seq").asText() + " " + one.path("type").asText(),
                            Documents.blocks(one)));
        }
        return PanelPage.of(
                "Audit",
                "What the gateway recorded of itself, newest first: records "
                        + from
                        + " to "
                        + to
                        + ". Add ?text=… or ?type=… to the address to search.",
                blocks);
    }

    private static Block.Table table(List<JsonNode> records) {
        List<Block.Row> rows = new ArrayList<>();
        for (JsonNode one : records) {
            JsonNode content = one.path("content");
            rows.add(
                    Block.Row.of(
                            Value.code(one.path("seq").asText()),
                            new Value.Time(one.path("timeMillis").asLong()),
                            Value.text(one.path("type").asText()),
                            Value.text(Documents.plain(content.path("principal"))),
                            Value.text(Documents.plain(content.path("action")))));
        }
        return new Block.Table(
                List.of("Record", "Time", "Type", "Principal", "Action"),
                rows,
                "No record of these matches. Search further back, or for less.");
    }

    private static long number(String text, long otherwise) {
        return text.matches("[0-9]{1,15}") ? Long.parseLong(text) : otherwise;
    }
}
