package palyra.policy.internal.cedar;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import palyra.lib.cedar.PolicySetLimits;
import palyra.policy.internal.cedar.entity.Entities;
import palyra.policy.internal.cedar.json.EntitiesReader;

/** Every operator at its bounds: our answer, the table's and the native engine's are the same. */
final class OperatorTest {
    private final List<OperatorTable.Row> rows;
    private final JsonNode world;
    private final String est;

    OperatorTest() throws Exception {
        rows = OperatorTable.rows();
        world = OperatorTable.world();
        est = Oracle.est(OperatorTable.policies(rows));
    }

    @Test
    void givesWhatTheTableSays() throws Exception {
        EntitiesReader reader = EntitiesReader.withoutSchema();
        Entities entities = Entities.of(reader.read(world.get("entities")));
        Decision decision =
                new Evaluator(new PolicySetCompiler(PolicySetLimits.STANDARD).compile(est))
                        .decide(Replay.request(world.get("requests").get(0), reader, entities));
        Set<String> satisfied = new HashSet<>();
        decision.permits().forEach(p -> satisfied.add(p.id()));
        Set<String> erring = new HashSet<>();
        decision.errors().forEach(e -> erring.add(e.policy().id()));
        assertEquals(List.of(), wrong(satisfied, erring));
    }

    @Test
    void theNativeEngineSaysTheSame() throws Exception {
        JsonNode response = nativeAnswer();
        Set<String> satisfied = new HashSet<>();
        response.at("/diagnostics/reason").forEach(r -> satisfied.add(r.asText()));
        Set<String> erring = new HashSet<>();
        response.at("/diagnostics/errors").forEach(e -> erring.add(e.get("policyId").asText()));
        assertEquals(List.of(), wrong(satisfied, erring));
    }

    /** Not a promise, but people compare them: the words are those of the native engine. */
    @Test
    void mostErrorsReadAsTheNativeOnes() throws Exception {
        Map<String, String> theirs = new HashMap<>();
        nativeAnswer()
                .at("/diagnostics/errors")
                .forEach(
                        e ->
                                theirs.put(
                                        e.get("policyId").asText(),
                                        e.at("/error/message").asText()));
        EntitiesReader reader = EntitiesReader.withoutSchema();
        Entities entities = Entities.of(reader.read(world.get("entities")));
        List<PolicyError> ours =
                new Evaluator(new PolicySetCompiler(PolicySetLimits.STANDARD).compile(est))
                        .decide(Replay.request(world.get("requests").get(0), reader, entities))
                        .errors();
        List<String> different = new ArrayList<>();
        for (PolicyError error : ours) {
            String theirOne = theirs.get(error.policy().id());
            if (!error.message().equals(theirOne)) {
                different.add(error.message() + " | " + theirOne);
            }
        }
        assertTrue(
                different.size() * 10 < ours.size(),
                () -> "of " + ours.size() + ": " + String.join("\n", different));
    }

    private JsonNode nativeAnswer() throws Exception {
        return Oracle.run(
                () -> {
                    com.fasterxml.jackson.databind.node.ObjectNode call =
                            world.get("requests").get(0).deepCopy();
                    call.set("entities", world.get("entities"));
                    call.set("policies", Oracle.MAPPER.readTree(est));
                    return Oracle.authorizeHere("AuthorizationOperation", call.toString());
                });
    }

    private List<String> wrong(Set<String> satisfied, Set<String> erring) {
        List<String> wrong = new ArrayList<>();
        for (int i = 0; i < rows.size(); i++) {
            String id = "policy" + i;
            String actual =
                    satisfied.contains(id) ? "true" : erring.contains(id) ? "error" : "false";
            if (!actual.equals(rows.get(i).expected())) {
                wrong.add(rows.get(i) + " but is " + actual);
            }
        }
        return wrong;
    }
}
