package palyra.bench.sandbox;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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

    /** Reports a percentile of two series in milliseconds; nothing when one was left out. */
    void compare(
            String name,
            double percent,
            String ours,
            String theirs,
            String peer,
            Goal goal,
            Report report) {
        if (rounds.containsKey(ours) && rounds.containsKey(theirs)) {
            report.add(
                    new Figure(name, millis(percent, ours), peer, millis(percent, theirs), goal));
        }
    }

    private Measure millis(double percent, String series) {
        return new Measure(
                "ms", rounds.get(series).stream().map(round -> round.millis(percent)).toList());
    }
}
