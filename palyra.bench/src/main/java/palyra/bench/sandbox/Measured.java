package palyra.bench.sandbox;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;
import palyra.bench.report.Figure;
import palyra.bench.report.Goal;
import palyra.bench.report.Latencies;
import palyra.bench.report.Measure;
import palyra.bench.report.Report;

/**
 * What the measuring process has told.
 *
 * @param rounds the rounds of each contestant that there was
 * @param facts what explains them
 */
record Measured(Map<String, List<Latencies>> rounds, Map<String, String> facts) {
    private static final ObjectMapper JSON = new ObjectMapper();

    /** Reads lines as {@link Output} writes them; others are a mistake. */
    static Measured parse(List<String> lines) throws IOException {
        Map<String, List<Latencies>> rounds = new LinkedHashMap<>();
        Map<String, String> facts = new LinkedHashMap<>();
        for (String line : lines) {
            JsonNode node = JSON.readTree(line);
            if (node.has("fact")) {
                facts.put(node.path("fact").asText(), node.path("value").asText());
            } else if (node.has("series") && !node.path("nanos").isEmpty()) {
                Latencies round = new Latencies();
                node.path("nanos").forEach(each -> round.add(each.asLong()));
                rounds.computeIfAbsent(node.path("series").asText(), name -> new ArrayList<>())
                        .add(round);
            } else {
                throw new IOException("the measuring process told neither fact nor round: " + line);
            }
        }
        return new Measured(rounds, facts);
    }

    /** Reports the facts, below a name. */
    void explain(String name, Report report) {
        facts.forEach(
                (fact, value) -> {
                    report.fact(name + "." + fact, value);
                    if (value.startsWith("left out")) {
                        System.err.println("bench: " + name + ": " + fact + " is " + value);
                    }
                });
    }

    /** Reports a percentile of two contestants in milliseconds; nothing if one was left out. */
    void compare(
            String name,
            double percent,
            String ours,
            String theirs,
            String peer,
            Goal goal,
            Report report) {
        figure(name, "ms", round -> round.millis(percent), ours, theirs, peer, goal, report);
    }

    /** Reports how many megabytes (of a million bytes) went through in a second, by the median. */
    void throughput(
            String name, long bytes, String ours, String theirs, String peer, Report report) {
        double perNano = bytes / 1e6 * TimeUnit.SECONDS.toNanos(1);
        figure(
                name,
                "MB/s",
                round -> perNano / (round.micros(50) * 1_000),
                ours,
                theirs,
                peer,
                new Goal.None(),
                report);
    }

    private void figure(
            String name,
            String unit,
            ToDoubleFunction<Latencies> value,
            String ours,
            String theirs,
            String peer,
            Goal goal,
            Report report) {
        if (rounds.containsKey(ours) && rounds.containsKey(theirs)) {
            report.add(
                    new Figure(
                            name,
                            measure(unit, value, ours),
                            peer,
                            measure(unit, value, theirs),
                            goal));
        }
    }

    private Measure measure(String unit, ToDoubleFunction<Latencies> value, String series) {
        return new Measure(unit, rounds.get(series).stream().map(value::applyAsDouble).toList());
    }
}
