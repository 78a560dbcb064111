package palyra.console.internal.panel.shipped;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import palyra.api.console.Block;
import palyra.api.console.Value;

/** What {@code palyra metrics} says, as charts. */
final class MetricCharts {
    private static final String HOME = "/console/panel/health/";

    private MetricCharts() {}

    static List<Block> of(JsonNode history) {
        boolean day = history.path("window").asText().equals("day");
        List<Block> blocks = new ArrayList<>();
        blocks.add(
                new Block.Facts(
                        List.of(
                                new Block.Fact(
                                        "Recorded since",
                                        new Value.Time(history.path("sinceMillis").asLong())),
                                new Block.Fact(
                                        "Shown",
                                        Value.text(day ? "the last day" : "the last half hour")),
                                new Block.Fact(
                                        "Show instead",
                                        day
                                                ? new Value.Link("the last half hour", HOME)
                                                : new Value.Link(
                                                        "the last day", HOME + "?window=day")))));
        List<Long> times = new ArrayList<>();
        history.path("times").forEach(time -> times.add(time.asLong()));
        history.path("charts").forEach(chart -> blocks.add(chart(chart, times)));
        return blocks;
    }

    private static Block.Chart chart(JsonNode chart, List<Long> times) {
        List<Block.Series> series = new ArrayList<>();
        for (JsonNode line : chart.path("series")) {
            JsonNode values = line.path("values");
            List<Block.Point> points = new ArrayList<>();
            for (int i = 0; i < Math.min(times.size(), values.size()); i++) {
                points.add(new Block.Point(times.get(i), values.get(i).asDouble(Double.NaN)));
            }
            series.add(new Block.Series(line.path("name").asText(), points));
        }
        return new Block.Chart(chart.path("title").asText(), chart.path("unit").asText(), series);
    }
}
