package palyra.console.internal.panel.shipped;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import palyra.api.console.Block;
import palyra.api.console.Value;

class ChartsTest {
    private static final long DAY = 86_400_000;

    private static JsonNode json(String text) throws Exception {
        return new ObjectMapper().readTree(text);
    }

    private static List<Block.Chart> charts(List<Block> blocks) {
        return blocks.stream()
                .filter(Block.Chart.class::isInstance)
                .map(Block.Chart.class::cast)
                .toList();
    }

    private static String row(long day, String agent, String model, long micros, String currency) {
        return String.format(
                "{\"dayMillis\":%d,\"agent\":\"%s\",\"model\":\"%s\",\"turns\":1,\"inputTokens\":10,"
                        + "\"outputTokens\":5,\"costMicros\":%d,\"currency\":\"%s\"}",
                day, agent, model, micros, currency);
    }

    private static List<Block> costs(String... rows) throws Exception {
        return CostCharts.of(
                json(
                        "{\"days\":14,\"fromMillis\":0,\"untilMillis\":172800000,\"left\":\"\","
                                + "\"withheldTurns\":0,\"rows\":["
                                + String.join(",", rows)
                                + "]}"));
    }

    @Test
    void metricsBecomeLinesWithGapsWhereNothingWasMeasured() throws Exception {
        List<Block> blocks =
                MetricCharts.of(
                        json(
                                """
                                {"window":"half-hour","sinceMillis":5,"everyMillis":10000,
                                 "times":[10,20],"charts":[{"title":"Denied","unit":"a minute",
                                 "series":[{"name":"actions","values":[null,2.5]}]}]}
                                """));
        Block.Chart chart = charts(blocks).get(0);
        assertEquals("Denied", chart.title());
        List<Block.Point> points = chart.series().get(0).points();
        assertTrue(Double.isNaN(points.get(0).value()));
        assertEquals(new Block.Point(20, 2.5), points.get(1));
        Block.Facts facts = (Block.Facts) blocks.get(0);
        assertEquals(new Value.Time(5), facts.facts().get(0).value());
        assertEquals(
                new Value.Link("the last day", "/console/panel/health/?window=day"),
                facts.facts().get(2).value());
    }

    @Test
    void aDayWithoutTurnsCostsNothingInTheChart() throws Exception {
        List<Block> blocks =
                costs(
                        row(2 * DAY, "a", "m", 2_500_000, "USD"),
                        row(0, "a", "m", 500_000, "USD"),
                        row(0, "b", "free", 0, ""));
        Block.Chart cost = charts(blocks).get(0);
        assertEquals("Cost by model", cost.title());
        assertEquals("USD a day", cost.unit());
        assertEquals(
                List.of(
                        new Block.Point(0, 0.5),
                        new Block.Point(DAY, 0),
                        new Block.Point(2 * DAY, 2.5)),
                cost.series().get(0).points());
        Block.Table agents = (Block.Table) blocks.get(blocks.size() - 1);
        assertEquals(
                List.of("a", "2", "20", "10", "3 USD"),
                agents.rows().get(0).values().stream()
                        .map(value -> ((Value.Text) value).text())
                        .toList());
        assertEquals(Value.text(""), agents.rows().get(1).values().get(4), "no price, no cost");
    }

    @Test
    void currenciesAreNeverAddedToEachOther() throws Exception {
        List<Block.Chart> charts =
                charts(
                        costs(
                                row(0, "a", "m", 1_000_000, "USD"),
                                row(0, "a", "m", 9_000_000, "EUR")));
        assertEquals("EUR a day", charts.get(0).unit());
        assertEquals(9, charts.get(0).series().get(0).points().get(0).value());
        assertEquals("USD a day", charts.get(2).unit());
        assertEquals(1, charts.get(2).series().get(0).points().get(0).value());
    }

    @Test
    void aChartHasFiveLinesAtMostAndLosesNothing() throws Exception {
        List<String> rows = new ArrayList<>();
        for (int i = 1; i <= 9; i++) {
            rows.add(row(0, "a", "m" + i, i * 1_000_000L, "USD"));
        }
        Block.Chart cost = charts(costs(rows.toArray(String[]::new))).get(0);
        assertEquals(
                List.of("m9", "m8", "m7", "m6", "all others"),
                cost.series().stream().map(Block.Series::name).toList());
        assertEquals(15, cost.series().get(4).points().get(0).value());
    }

    @Test
    void saysWhatIsNotCounted() throws Exception {
        List<Block> blocks =
                CostCharts.of(
                        json(
                                """
                                {"days":30,"left":"Not all is counted yet.","withheldTurns":4,
                                 "unreadableRecords":3,"rows":[]}
                                """));
        String text = blocks.toString();
        assertTrue(text.contains("Not all is counted yet.") && text.contains("4 more turns"), text);
        assertTrue(text.contains("3 records of turns cannot be read"), text);
        assertEquals(List.of(), charts(blocks));
        assertTrue(((Block.Table) blocks.get(blocks.size() - 1)).rows().isEmpty());
    }
}
