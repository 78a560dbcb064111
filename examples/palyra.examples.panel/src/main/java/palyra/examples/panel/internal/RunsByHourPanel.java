package palyra.examples.panel.internal;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import org.osgi.service.component.annotations.ReferencePolicyOption;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.console.Block;
import palyra.api.console.ConsolePanel;
import palyra.api.console.PanelPage;
import palyra.api.console.PanelRequest;
import palyra.api.console.PanelResult;
import palyra.api.console.PanelSpec;
import palyra.api.console.PanelSubmission;
import palyra.api.console.Value;
import palyra.api.run.AppendedEvent;
import palyra.api.run.RunView;
import palyra.api.run.Runs;

/**
 * Shows the reader's newest runs by hour, and takes a note on one of them, which becomes an event
 * of its tape. The console renders the blocks; this class writes no markup.
 */
@Component
public final class RunsByHourPanel implements ConsolePanel {
    private static final PanelSpec SPEC =
            new PanelSpec("runs-by-hour", "Runs by hour", PanelSpec.Section.WORK, 900, "run.list");
    private static final long HOUR_MILLIS = 3_600_000;
    private static final int NEWEST = 500;
    private static final int SHOWN = 20;

    @Reference(
            cardinality = ReferenceCardinality.OPTIONAL,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    private volatile Runs runs; // null while its bundle is away

    /** Called by the component runtime. */
    @Activate
    public RunsByHourPanel() {}

    RunsByHourPanel(Runs runs) {
        this.runs = runs;
    }

    private Runs runs() {
        Runs now = runs;
        if (now == null) {
            throw new PalyraException(
                    ErrorCode.GATEWAY_UNAVAILABLE,
                    "Runs cannot be read while their bundle is being replaced; try again.");
        }
        return now;
    }

    @Override
    public PanelSpec spec() {
        return SPEC;
    }

    @Override
    public PanelPage show(PanelRequest request) {
        List<RunView> newest = runs().runs(request.principal(), "", "", NEWEST);
        return new PanelPage(
                "Runs by hour",
                "Your newest " + newest.size() + " runs.",
                List.of(chart(newest), table(newest), note()),
                List.of("run"));
    }

    private static Block chart(List<RunView> newest) {
        Map<Long, Long> byHour =
                newest.stream()
                        .collect(
                                Collectors.groupingBy(
                                        run -> run.createdAtMillis() / HOUR_MILLIS,
                                        TreeMap::new,
                                        Collectors.counting()));
        List<Block.Point> points = new ArrayList<>();
        byHour.forEach((hour, count) -> points.add(new Block.Point(hour * HOUR_MILLIS, count)));
        return new Block.Chart("Runs", "per hour", List.of(new Block.Series("runs", points)));
    }

    private static Block table(List<RunView> newest) {
        List<Block.Row> rows = new ArrayList<>();
        for (RunView run : newest.subList(0, Math.min(SHOWN, newest.size()))) {
            rows.add(
                    Block.Row.of(
                            new Value.Link(run.runId(), "/console/runs/" + run.runId()),
                            Value.text(run.state().name()),
                            new Value.Time(run.createdAtMillis())));
        }
        return new Block.Table(
                List.of("Run", "State", "Begun"), rows, "You have no run yet; write to an agent.");
    }

    private static Block note() {
        return new Block.Form(
                "note",
                "Add the note",
                "event.append",
                "",
                "",
                false,
                List.of(
                        Block.Field.line("run", "Id of the run"),
                        Block.Field.line("text", "Note")));
    }

    @Override
    public PanelResult submit(PanelSubmission submission) {
        AppendedEvent event =
                runs().appendEvent(
                                submission.principal(),
                                submission.field("run").strip(),
                                "",
                                "note",
                                quoted(submission.field("text")));
        return PanelResult.done(
                event.onTape()
                        ? "The note is record " + event.seq() + " of the run."
                        : "The run has ended; the note is an event of the journal.",
                "");
    }

    /** Returns a text as a JSON string. */
    private static String quoted(String text) {
        StringBuilder json = new StringBuilder("\"");
        for (char c : text.toCharArray()) {
            if (c == '"' || c == '\\' || c < ' ' || Character.isSurrogate(c)) {
                json.append(String.format("\\u%04x", (int) c));
            } else {
                json.append(c);
            }
        }
        return json.append('"').toString();
    }
}
