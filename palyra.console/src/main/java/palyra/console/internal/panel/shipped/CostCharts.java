package palyra.console.internal.panel.shipped;

import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import palyra.api.console.Block;
import palyra.api.console.Level;
import palyra.api.console.Value;

/** What {@code palyra costs} says, as charts and tables. */
final class CostCharts {
    private static final String HOME = "/console/panel/models/";
    private static final int MOST_LINES = 5;
    private static final long DAY_MILLIS = 86_400_000;
    private static final double MICROS = 1_000_000;
    private static final int MICRO_DIGITS = 6;
    private static final String OTHERS = "all others";

    private final JsonNode costs;
    private final List<Long> days = new ArrayList<>();

    private CostCharts(JsonNode costs) {
        this.costs = costs;
        boolean whole = costs.path("left").asText().isEmpty();
        long first = whole ? costs.path("fromMillis").asLong() : firstCounted();
        long last = costs.path("untilMillis").asLong();
        for (long day = first; day <= last; day += DAY_MILLIS) {
            days.add(day);
        }
    }

    /** Days of which not all is counted are not shown as days on which nothing was spent. */
    private long firstCounted() {
        long first = Long.MAX_VALUE;
        for (JsonNode row : costs.path("rows")) {
            first = Math.min(first, day(row));
        }
        return first;
    }

    static List<Block> of(JsonNode costs) {
        return new CostCharts(costs).blocks();
    }

    private static long day(JsonNode row) {
        return row.path("dayMillis").asLong();
    }

    private List<Block> blocks() {
        List<Block> blocks = new ArrayList<>();
        boolean month = costs.path("days").asInt() > 14;
        blocks.add(
                new Block.Facts(
                        List.of(
                                new Block.Fact(
                                        "Shown",
                                        Value.text(
                                                "turns of runs that began in the last "
                                                        + costs.path("days").asText()
                                                        + " days (UTC)")),
                                new Block.Fact(
                                        "Show instead",
                                        month
                                                ? new Value.Link("14 days", HOME)
                                                : new Value.Link("30 days", HOME + "?days=30")))));
        if (!costs.path("left").asText().isEmpty()) {
            blocks.add(new Block.Notice(Level.NOTICE, costs.path("left").asText(), ""));
        }
        if (costs.path("withheldTurns").asLong() > 0) {
            blocks.add(
                    new Block.Paragraph(
                            costs.path("withheldTurns").asText()
                                    + " more turns ended whose records were erased; what they used"
                                    + " is not known."));
        }
        if (costs.path("unreadableRecords").asLong() > 0) {
            blocks.add(
                    new Block.Notice(
                            Level.WARNING,
                            costs.path("unreadableRecords").asText()
                                    + " records of turns cannot be read; what is in them is not"
                                    + " counted, or not by agent and model.",
                            "palyra tape verify says which tapes are damaged."));
        }
        if (!costs.path("rows").isEmpty()) {
            blocks.addAll(charts());
        }
        blocks.add(totals("Model", row -> row.path("model").asText()));
        blocks.add(totals("Agent", row -> row.path("agent").asText()));
        return blocks;
    }

    private List<Block> charts() {
        List<Block> charts = new ArrayList<>();
        SortedSet<String> currencies = new TreeSet<>();
        costs.path("rows").forEach(row -> currencies.add(row.path("currency").asText()));
        currencies.remove("");
        for (String currency : currencies) {
            ToDoubleFunction<JsonNode> cost =
                    row ->
                            row.path("currency").asText().equals(currency)
                                    ? row.path("costMicros").asLong() / MICROS
                                    : 0;
            charts.add(chart("Cost by model", currency + " a day", "model", cost));
            charts.add(chart("Cost by agent", currency + " a day", "agent", cost));
        }
        charts.add(chart("Tokens by model", "a day", "model", CostCharts::tokens));
        charts.add(chart("Tokens by agent", "a day", "agent", CostCharts::tokens));
        charts.add(chart("Turns by model", "a day", "model", row -> row.path("turns").asDouble()));
        return charts;
    }

    private static double tokens(JsonNode row) {
        return row.path("inputTokens").asDouble() + row.path("outputTokens").asDouble();
    }

    /** The lines of the largest, and one for all others together. */
    private Block.Chart chart(
            String title, String unit, String field, ToDoubleFunction<JsonNode> amount) {
        Map<String, Double> sums = new LinkedHashMap<>();
        for (JsonNode row : costs.path("rows")) {
            sums.merge(named(row, field), amount.applyAsDouble(row), Double::sum);
        }
        List<String> largest =
                sums.entrySet().stream()
                        .sorted(
                                Map.Entry.<String, Double>comparingByValue(
                                        Comparator.reverseOrder()))
                        .limit(sums.size() > MOST_LINES ? MOST_LINES - 1 : MOST_LINES)
                        .map(Map.Entry::getKey)
                        .toList();
        List<Block.Series> series = new ArrayList<>();
        largest.forEach(
                name -> series.add(line(name, row -> named(row, field).equals(name), amount)));
        if (sums.size() > MOST_LINES) {
            series.add(line(OTHERS, row -> !largest.contains(named(row, field)), amount));
        }
        return new Block.Chart(title, unit, series);
    }

    private static String named(JsonNode row, String field) {
        String name = row.path(field).asText();
        return name.isEmpty() ? "without a name" : name;
    }

    private Block.Series line(
            String name, Function<JsonNode, Boolean> counts, ToDoubleFunction<JsonNode> amount) {
        Map<Long, Double> byDay = new LinkedHashMap<>();
        days.forEach(day -> byDay.put(day, 0.0));
        for (JsonNode row : costs.path("rows")) {
            if (counts.apply(row)) {
                byDay.merge(day(row), amount.applyAsDouble(row), Double::sum);
            }
        }
        return new Block.Series(
                name,
                byDay.entrySet().stream()
                        .map(one -> new Block.Point(one.getKey(), one.getValue()))
                        .toList());
    }

    /** A sum of rows of one name. */
    private static final class Total {
        private long turns;
        private long read;
        private long written;
        private final Map<String, Long> micros = new LinkedHashMap<>();

        void add(JsonNode row) {
            turns += row.path("turns").asLong();
            read += row.path("inputTokens").asLong();
            written += row.path("outputTokens").asLong();
            if (!row.path("currency").asText().isEmpty()) {
                micros.merge(
                        row.path("currency").asText(), row.path("costMicros").asLong(), Long::sum);
            }
        }

        String cost() {
            return String.join(
                    ", ",
                    micros.entrySet().stream()
                            .map(
                                    one ->
                                            BigDecimal.valueOf(one.getValue(), MICRO_DIGITS)
                                                            .stripTrailingZeros()
                                                            .toPlainString()
                                                    + " "
                                                    + one.getKey())
                            .toList());
        }
    }

    private Block.Table totals(String title, Function<JsonNode, String> name) {
        Map<String, Total> totals = new LinkedHashMap<>();
        for (JsonNode row : costs.path("rows")) {
            totals.computeIfAbsent(name.apply(row), each -> new Total()).add(row);
        }
        List<Block.Row> rows = new ArrayList<>();
        totals.forEach(
                (key, total) ->
                        rows.add(
                                Block.Row.of(
                                        Value.text(key),
                                        Value.text(Long.toString(total.turns)),
                                        Value.text(Long.toString(total.read)),
                                        Value.text(Long.toString(total.written)),
                                        Value.text(total.cost()))));
        return new Block.Table(
                List.of(title, "Turns", "Tokens read", "Tokens written", "Cost"),
                rows,
                "No turn of a model ended in these days. What agents ask of models is counted here"
                        + " when they have answered.");
    }
}
