package palyra.policy.internal.cedar;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.List;
import palyra.lib.cedar.PolicySetLimits;
import palyra.policy.internal.cedar.entity.Entities;
import palyra.policy.internal.cedar.json.EntitiesReader;
import palyra.policy.internal.cedar.value.EntityUid;

/**
 * Our answers to recorded requests. Needs nothing of the native engine, so that it can also run in
 * a class loader of its own.
 */
public final class Replay {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private Replay() {}

    /** One answer a request, in the words of {@link #words}. */
    public static List<String> decide(String est, String worldJson) throws Exception {
        JsonNode world = MAPPER.readTree(worldJson);
        EntitiesReader reader = EntitiesReader.withoutSchema();
        Entities entities = Entities.of(reader.read(world.get("entities")));
        Evaluator evaluator =
                new Evaluator(new PolicySetCompiler(PolicySetLimits.STANDARD).compile(est));
        List<String> answers = new ArrayList<>();
        for (JsonNode node : world.get("requests")) {
            answers.add(words(evaluator.decide(request(node, reader, entities))));
        }
        return answers;
    }

    static Request request(JsonNode node, EntitiesReader reader, Entities entities) {
        EntityUid action = uid(node.get("action"));
        return new Request(
                uid(node.get("principal")),
                action,
                uid(node.get("resource")),
                reader.context(action, node.get("context")),
                entities);
    }

    /** Decision, determining policies and erring policies. */
    static String words(Decision decision) {
        List<String> reasons = new ArrayList<>();
        List<String> errors = new ArrayList<>();
        decision.determining().forEach(p -> reasons.add(p.id()));
        decision.errors().forEach(e -> errors.add(e.policy().id()));
        reasons.sort(null);
        errors.sort(null);
        String verdict = decision.allowed() ? "allow " : "deny ";
        return verdict + reasons + " " + errors + decision.failure();
    }

    static EntityUid uid(JsonNode node) {
        return EntityUid.of(node.get("type").asText(), node.get("id").asText());
    }
}
