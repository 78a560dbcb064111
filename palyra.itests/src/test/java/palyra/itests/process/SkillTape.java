package palyra.itests.process;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What the tape of one run says: how it ended, and about each of its calls. */
final class SkillTape {
    private static final Set<String> TERMINAL = Set.of("SUCCEEDED", "FAILED", "CANCELLED");

    private final String runId;
    private final Map<String, Call> calls = new LinkedHashMap<>();
    private final List<String> ends = new ArrayList<>();
    private int answers;

    private SkillTape(String runId) {
        this.runId = runId;
    }

    /** One call; what it was told last where something came twice. */
    static final class Call {
        private String tool = "";
        private int started;
        private int outputs;
        private int attestations;
        private JsonNode output = CommandClient.JSON.missingNode();
        private JsonNode attestation = CommandClient.JSON.missingNode();

        String tool() {
            return tool;
        }

        boolean ended() {
            return outputs > 0;
        }

        boolean started() {
            return started > 0;
        }

        String outcome() {
            return output.path("outcome").asText();
        }

        String error() {
            return output.path("error").asText();
        }

        /** Returns what the tool put out. */
        JsonNode answer() throws IOException {
            return CommandClient.JSON.readTree(output.path("outputJson").asText("{}"));
        }

        String executor() {
            return attestation.path("executor").asText();
        }

        String enforcement() {
            return attestation.path("sandboxEnforcement").asText();
        }

        @Override
        public String toString() {
            return tool
                    + " (started "
                    + started
                    + " times, "
                    + outputs
                    + " outputs): "
                    + output
                    + " "
                    + attestation;
        }
    }

    static SkillTape read(CommandClient client, String runId) throws IOException {
        SkillTape tape = new SkillTape(runId);
        for (JsonNode record : client.run("tape", "show", runId, "--json").ok().lines()) {
            tape.take(record.path("type").asText(), record.path("content"));
        }
        return tape;
    }

    private void take(String type, JsonNode content) {
        switch (type) {
            case "message" -> answers += content.path("role").asText().equals("AGENT") ? 1 : 0;
            case "run_state" -> {
                if (TERMINAL.contains(content.path("state").asText())) {
                    ends.add(content.path("state").asText());
                }
            }
            case "tool_call_proposal" -> call(content).tool = content.path("tool").asText();
            case "tool_started" -> call(content).started++;
            case "tool_call_output" -> {
                call(content).outputs++;
                call(content).output = content;
            }
            case "tool_attestation" -> {
                call(content).attestations++;
                call(content).attestation = content;
            }
            default -> {
                // says nothing about calls
            }
        }
    }

    private Call call(JsonNode content) {
        return calls.computeIfAbsent(content.path("callId").asText(), any -> new Call());
    }

    /** Returns its calls in the order in which they were proposed. */
    List<Call> calls() {
        return List.copyOf(calls.values());
    }

    boolean ended() {
        return !ends.isEmpty();
    }

    /**
     * Returns what is not as it must be: one end, one answer, and for each call one start, one
     * outcome and one attestation.
     */
    List<String> breaches() {
        List<String> breaches = new ArrayList<>();
        if (!ends.equals(List.of("SUCCEEDED")) || answers != 1) {
            breaches.add(runId + " ended " + ends + " with " + answers + " answers");
        }
        calls.forEach(
                (id, call) -> {
                    if (call.started != 1 || call.outputs != 1 || call.attestations != 1) {
                        breaches.add(id + ": " + call);
                    }
                });
        return breaches;
    }
}
