package palyra.policy.internal.cedar;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;

/**
 * A policy set, entities and requests with the native engine's answers.
 *
 * @param name where it comes from
 * @param text the policies, for people
 * @param est the policies in JSON
 * @param world entities and requests: {@code {entities, requests: [{principal, action, resource,
 *     context}]}}
 * @param answers one a request, in the words of {@link Replay#words}
 */
record Recorded(String name, String text, String est, String world, List<String> answers) {

    /** Asks the native engine; only on its thread. */
    static Recorded of(String name, String text, String est, JsonNode world) throws Exception {
        List<String> answers = new ArrayList<>();
        Oracle.prepareHere(name, est);
        try {
            for (JsonNode request : world.get("requests")) {
                answers.add(ask(name, world.get("entities"), request));
            }
        } finally {
            Oracle.forgetHere(name);
        }
        return new Recorded(name, text, est, world.toString(), answers);
    }

    private static String ask(String prepared, JsonNode entities, JsonNode request)
            throws Exception {
        ObjectNode call = request.deepCopy();
        call.set("entities", entities);
        call.put("preparsedPolicySetId", prepared);
        call.put("validateRequest", false);
        JsonNode response = Oracle.authorizeHere("StatefulAuthorizationOperation", call.toString());
        List<String> reasons = new ArrayList<>();
        List<String> errors = new ArrayList<>();
        response.at("/diagnostics/reason").forEach(r -> reasons.add(r.asText()));
        response.at("/diagnostics/errors").forEach(e -> errors.add(e.get("policyId").asText()));
        reasons.sort(null);
        errors.sort(null);
        return response.get("decision").asText() + " " + reasons + " " + errors;
    }

    /** What is different from the native answers, as text; empty if nothing is. */
    String difference() throws Exception {
        List<String> ours = Replay.decide(est, world);
        for (int i = 0; i < answers.size(); i++) {
            if (!ours.get(i).equals(answers.get(i))) {
                return "%s: native %s, ours %s%nrequest %s%n%s"
                        .formatted(
                                name,
                                answers.get(i),
                                ours.get(i),
                                Oracle.MAPPER.readTree(world).get("requests").get(i),
                                text);
            }
        }
        return "";
    }
}
