package palyra.console.internal.panel.shipped;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import palyra.api.console.Block;
import palyra.api.console.Level;
import palyra.api.console.PanelPage;
import palyra.api.console.PanelRequest;
import palyra.api.console.PanelResult;
import palyra.api.console.PanelSpec;
import palyra.api.console.PanelSubmission;
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
        return request.path().isEmpty() ? page(request) : record(request);
    }

    private PanelPage page(PanelRequest request) {
        String text = request.parameter("text").toLowerCase(Locale.ROOT);
        String type = request.parameter("type");
        JsonNode status = ask(request.principal(), CommandWords.of("status"));
        long to = number(request.parameter("to"), status.path("journal").path("events").asLong());
        long from = Math.max(1, to - PAGE + 1);
        List<JsonNode> found =
                records(request, from, to).reversed().stream()
                        .filter(one -> type.isEmpty() || one.path("type").asText().equals(type))
                        .filter(one -> one.toString().toLowerCase(Locale.ROOT).contains(text))
                        .toList();
        List<Block> blocks = new ArrayList<>();
        blocks.add(search(text, type));
        blocks.add(table(found));
        if (from > 1) {
            String address = HOME + query(text, type) + "&to=" + (from - 1);
            blocks.add(
                    new Block.Facts(
                            List.of(
                                    new Block.Fact(
                                            "Older",
                                            new Value.Link("records before " + from, address)))));
        }
        return PanelPage.of(
                "Audit",
                "What the gateway recorded of itself, newest first: records "
                        + from
                        + " to "
                        + to
                        + ".",
                blocks);
    }

    private List<JsonNode> records(PanelRequest request, long from, long to) {
        return lines(
                request.principal(),
                CommandWords.of("tape show")
                        .option("from", Long.toString(from))
                        .option("to", Long.toString(Math.max(from, to)))
                        .argument("journal"));
    }

    private PanelPage record(PanelRequest request) {
        long seq = number(request.path(), 0);
        return PanelPage.of(
                "Record " + seq + " of the journal",
                "",
                records(request, Math.max(1, seq), seq).stream()
                        .flatMap(one -> Documents.blocks(one).stream())
                        .toList());
    }

    private static Block.Form search(String text, String type) {
        return button(
                "search",
                "Search these records",
                "tape.read",
                "",
                new Block.Field("text", "Text", Block.FieldKind.LINE, text, List.of(), "", false),
                new Block.Field(
                        "type",
                        "Type",
                        Block.FieldKind.LINE,
                        type,
                        List.of(),
                        "Such as access_decision; empty for every type.",
                        false));
    }

    /** The search is kept in the address, so that it can be sent to others. */
    @Override
    public PanelResult submit(PanelSubmission given) {
        return new PanelResult(
                Level.NEUTRAL,
                "Searched among the records of this page; older ones are behind the link below.",
                query(given.field("text"), given.field("type")));
    }

    private static String query(String text, String type) {
        return "?text=" + Documents.segment(text) + "&type=" + Documents.segment(type);
    }

    private static Block.Table table(List<JsonNode> records) {
        List<Block.Row> rows = new ArrayList<>();
        for (JsonNode one : records) {
            JsonNode content = one.path("content");
            String seq = one.path("seq").asText();
            rows.add(
                    Block.Row.of(
                            new Value.Link(seq, HOME + seq),
                            new Value.Time(one.path("timeMillis").asLong()),
                            Value.text(one.path("type").asText()),
                            Value.text(Documents.plain(content.path("principal"))),
                            Value.text(Documents.plain(content.path("action")))));
        }
        return new Block.Table(
                List.of("Record", "Time", "Type", "Principal", "Action"),
                rows,
                "No record of these matches. Search older ones, or for less.");
    }

    private static long number(String text, long otherwise) {
        return text.matches("[0-9]{1,15}") ? Long.parseLong(text) : otherwise;
    }
}
