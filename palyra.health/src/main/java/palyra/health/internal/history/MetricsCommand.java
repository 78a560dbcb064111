package palyra.health.internal.history;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import palyra.api.Require;
import palyra.api.command.Command;
import palyra.api.command.CommandContext;
import palyra.api.command.CommandSpec;
import palyra.api.command.ExitCodes;
import palyra.api.command.OptionSpec;
import palyra.health.internal.history.MetricHistory.Window;

/** {@code metrics}: how a few metrics went of late. */
public final class MetricsCommand implements Command {
    private static final int USUAL_POINTS = 180;
    private static final double ROUNDING = 1_000;
    private static final CommandSpec SPEC =
            new CommandSpec(
                    "metrics",
                    "Shows how a few metrics went in the last half hour or day",
                    """
                    A value each ten seconds for half an hour and one a minute for a day are kept in
                    memory; they begin with the start of the gateway or of palyra.health. All
                    metrics as they are now: GET /metrics. With --json every point is there.""",
                    List.of(
                            OptionSpec.value("window", "WINDOW", "half-hour or day (half-hour)"),
                            OptionSpec.value(
                                    "points", "N", "Most points of a line, 2 to 1440 (180)")),
                    List.of(),
                    "metrics.read",
                    false);

    private final MetricHistory history;

    /** Creates the command. */
    public MetricsCommand(MetricHistory history) {
        this.history = history;
    }

    @Override
    public CommandSpec spec() {
        return SPEC;
    }

    @Override
    public int run(CommandContext context) {
        String name = context.arguments().option("window").orElse("half-hour");
        Require.that(
                name.equals("half-hour") || name.equals("day"),
                "--window is '" + name + "': give half-hour or day");
        int points = context.arguments().number("points", USUAL_POINTS, 2, 1_440);
        Window window = history.window(name.equals("day"), points);
        if (context.json()) {
            context.output().fields(document(name, window));
        } else {
            write(context, window);
        }
        return ExitCodes.OK;
    }

    private static Map<String, Object> document(String name, Window window) {
        List<Map<String, Object>> charts = new ArrayList<>();
        int line = 0;
        for (RecordedChart chart : RecordedChart.ALL) {
            List<Map<String, Object>> lines = new ArrayList<>();
            for (RecordedSeries series : chart.series()) {
                lines.add(Map.of("name", series.name(), "values", numbers(window.column(line))));
                line++;
            }
            charts.add(Map.of("title", chart.title(), "unit", chart.unit(), "series", lines));
        }
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("window", name);
        document.put("sinceMillis", window.sinceMillis());
        document.put("everyMillis", window.everyMillis());
        document.put("times", window.times());
        document.put("charts", charts);
        return document;
    }

    /** JSON has no word for what is not a number. */
    private static List<Double> numbers(List<Double> values) {
        List<Double> numbers = new ArrayList<>();
        for (double value : values) {
            numbers.add(Double.isFinite(value) ? Math.round(value * ROUNDING) / ROUNDING : null);
        }
        return numbers;
    }

    private static void write(CommandContext context, Window window) {
        List<List<String>> rows = new ArrayList<>();
        int line = 0;
        for (RecordedChart chart : RecordedChart.ALL) {
            for (RecordedSeries series : chart.series()) {
                List<Double> values =
                        window.column(line).stream().filter(Double::isFinite).toList();
                rows.add(
                        List.of(
                                chart.title(),
                                series.name(),
                                values.isEmpty() ? "" : text(values.get(values.size() - 1)),
                                text(values, true),
                                text(values, false),
                                chart.unit()));
                line++;
            }
        }
        context.output().table(List.of("Chart", "Line", "Last", "Least", "Most", "Unit"), rows);
        context.output()
                .note(
                        "Recorded since "
                                + Instant.ofEpochMilli(window.sinceMillis())
                                        .truncatedTo(ChronoUnit.SECONDS)
                                + ", a value each "
                                + window.everyMillis() / 1_000
                                + " seconds.");
    }

    private static String text(List<Double> values, boolean least) {
        return values.stream()
                .reduce(least ? Math::min : Math::max)
                .map(MetricsCommand::text)
                .orElse("");
    }

    private static String text(double value) {
        boolean whole = value == Math.rint(value) && Math.abs(value) < 1e15;
        return whole ? Long.toString((long) value) : String.format(Locale.ROOT, "%.3f", value);
    }
}
