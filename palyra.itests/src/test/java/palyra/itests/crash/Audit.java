package palyra.itests.crash;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import palyra.itests.process.CommandClient;

/** Reads tapes and compares them with what was acknowledged and what took effect. */
public final class Audit {
    private static final Set<String> TERMINAL = Set.of("SUCCEEDED", "FAILED", "CANCELLED");

    private final CommandClient client;
    private final List<String> breaches = new ArrayList<>();
    private final Map<String, List<String>> runsOfMessage = new HashMap<>();
    private final Map<String, Integer> seen = new TreeMap<>();
    private final Set<String> startedLines = new HashSet<>();
    private final Set<String> succeededLines = new HashSet<>();

    /** What the gateway acknowledged for a message; the run is empty while it was not routed. */
    public record Accepted(String messageId, String runId) {}

    public Audit(CommandClient client) {
        this.client = client;
    }

    /**
     * Returns how often each thing was found: states of runs, outcomes of calls, restarted turns.
     */
    public Map<String, Integer> seen() {
        return seen;
    }

    /** Returns what is wrong, one line each; empty when all is as it must be. */
    public String breaches() {
        return String.join("\n", breaches);
    }

    /** Returns every run there is, newest first. */
    public static List<JsonNode> runs(CommandClient client) throws IOException {
        List<JsonNode> all = new ArrayList<>();
        String before = "";
        while (true) {
            CommandClient.Result page =
                    before.isEmpty()
                            ? client.run("runs", "--json", "--limit", "500")
                            : client.run("runs", "--json", "--limit", "500", "--before", before);
            JsonNode rows = page.ok().json();
            rows.forEach(all::add);
            if (rows.size() < 500) {
                return all;
            }
            before = rows.get(rows.size() - 1).path("run").asText();
        }
    }

    /** Returns how many runs have not ended. */
    public static long open(CommandClient client) throws IOException {
        return runs(client).stream()
                .filter(run -> !TERMINAL.contains(run.path("state").asText()))
                .count();
    }

    /** Reads the tapes of these runs, which must be those of these messages, one run each. */
    public void read(List<JsonNode> runs, Map<String, Accepted> accepted) throws IOException {
        for (JsonNode run : runs) {
            read(run.path("run").asText(), run.path("state").asText());
        }
        accepted.forEach(this::oneRunEach);
        if (runs.size() != accepted.size()) {
            breaches.add(runs.size() + " runs for " + accepted.size() + " messages");
        }
    }

    private void oneRunEach(String key, Accepted answer) {
        List<String> runs = runsOfMessage.getOrDefault(answer.messageId(), List.of());
        boolean same = answer.runId().isEmpty() || runs.equals(List.of(answer.runId()));
        if (runs.size() != 1 || !same) {
            breaches.add(key + " was acknowledged as " + answer + " and has the runs " + runs);
        }
    }

    private void read(String runId, String state) throws IOException {
        int ends = 0;
        int answers = 0;
        Map<String, String> lineOfCall = new HashMap<>();
        Map<String, Integer> outputs = new HashMap<>();
        for (JsonNode record : client.run("tape", "show", runId, "--json").ok().lines()) {
            JsonNode content = record.path("content");
            String call = content.path("callId").asText();
            switch (record.path("type").asText()) {
                case "message" -> {
                    boolean agent = content.path("role").asText().equals("AGENT");
                    answers += agent ? 1 : 0;
                    if (!agent) {
                        String id = content.path("messageId").asText();
                        runsOfMessage.computeIfAbsent(id, any -> new ArrayList<>()).add(runId);
                    }
                }
                case "run_state" ->
                        ends += TERMINAL.contains(content.path("state").asText()) ? 1 : 0;
                case "turn_restarted" -> seen.merge("turn_restarted", 1, Integer::sum);
                case "tool_call_proposal" -> proposal(content, lineOfCall);
                case "tool_started" -> started(lineOfCall.get(call));
                case "tool_call_output" -> {
                    outputs.merge(call, 1, Integer::sum);
                    output(content, lineOfCall.get(call));
                }
                default -> {}
            }
        }
        seen.merge("run " + state, 1, Integer::sum);
        outputs.forEach(
                (call, times) -> {
                    if (times != 1) {
                        breaches.add(call + " has " + times + " outputs");
                    }
                });
        if (ends != 1) {
            breaches.add(runId + " is " + state + " and has " + ends + " terminal records");
        }
        if (answers != (state.equals("SUCCEEDED") ? 1 : 0)) {
            breaches.add(runId + " is " + state + " and has " + answers + " answers");
        }
    }

    private static void proposal(JsonNode content, Map<String, String> lineOfCall)
            throws IOException {
        if (content.path("tool").asText().equals(Message.TOOL)) {
            JsonNode input = CommandClient.JSON.readTree(content.path("inputJson").asText());
            lineOfCall.put(content.path("callId").asText(), input.path("line").asText());
        }
    }

    private void started(String line) {
        if (line != null) {
            startedLines.add(line);
        }
    }

    private void output(JsonNode content, String line) {
        String outcome = content.path("outcome").asText();
        seen.merge("call " + outcome, 1, Integer::sum);
        if (line != null && outcome.equals("SUCCEEDED")) {
            succeededLines.add(line);
        }
    }

    /** Compares what calls on the tapes that were read did with the lines that there are. */
    void effects(List<String> lines) {
        Set<String> unique = new HashSet<>();
        for (String line : lines) {
            if (!unique.add(line)) {
                breaches.add("the line " + line + " was appended twice");
            }
            if (!startedLines.contains(line)) {
                breaches.add("the line " + line + " was appended by no call on a tape");
            }
        }
        for (String line : succeededLines) {
            if (!unique.contains(line)) {
                breaches.add("the call for " + line + " is recorded as done and had no effect");
            }
        }
    }
}
