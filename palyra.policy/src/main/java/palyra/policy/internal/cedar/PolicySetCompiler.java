package palyra.policy.internal.cedar;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import palyra.policy.internal.cedar.json.Json;
import palyra.policy.internal.cedar.value.CedarFormatException;
import palyra.policy.internal.cedar.value.EntityUid;

/**
 * Compiles a policy set from Cedar's JSON form: static policies, templates and links. All or
 * nothing: what is not understood in any policy refuses the set.
 */
public final class PolicySetCompiler {
    private static final String PLACE = "the policy set";

    private final Limits limits;

    public PolicySetCompiler(Limits limits) {
        this.limits = Objects.requireNonNull(limits, "limits");
    }

    /**
     * @throws CedarFormatException if the text is not such a policy set; names the policy
     */
    public PolicySet compile(String json) {
        return compile(Json.parse(json, "The policy set"));
    }

    /**
     * @throws CedarFormatException if the JSON is not such a policy set; names the policy
     */
    public PolicySet compile(JsonNode set) {
        Json.keys(set, Set.of("staticPolicies", "templates", "templateLinks"), PLACE);
        JsonNode statics = set.path("staticPolicies");
        JsonNode templates = set.path("templates");
        JsonNode links = set.path("templateLinks");
        checkSize(statics.size() + templates.size() + links.size());
        PolicyReader reader = new PolicyReader(limits);
        List<Policy> policies = new ArrayList<>();
        for (Map.Entry<String, JsonNode> entry : fields(statics, "staticPolicies")) {
            PolicyReader.Template body = reader.read(entry.getValue(), "policy " + entry.getKey());
            policies.add(body.link(policies.size(), entry.getKey(), null, Map.of()));
        }
        Map<String, PolicyReader.Template> bodies = new LinkedHashMap<>();
        for (Map.Entry<String, JsonNode> entry : fields(templates, "templates")) {
            String place = "template " + entry.getKey();
            bodies.put(entry.getKey(), reader.read(entry.getValue(), place));
        }
        if (!links.isMissingNode()) {
            Json.array(links, PLACE + ".templateLinks")
                    .forEach(link -> policies.add(link(policies.size(), link, bodies)));
        }
        checkIds(policies, bodies.keySet());
        return new PolicySet(policies);
    }

    private static Policy link(
            int order, JsonNode link, Map<String, PolicyReader.Template> templates) {
        String place = PLACE + ".templateLinks";
        Json.keys(link, Set.of("templateId", "newId", "values"), place);
        String id = Json.text(link, "newId", place);
        String templateId = Json.text(link, "templateId", place);
        PolicyReader.Template template = templates.get(templateId);
        if (template == null) {
            throw new CedarFormatException(
                    "link " + id + ": there is no template " + templateId + ".");
        }
        Map<String, EntityUid> slots = new HashMap<>();
        for (Map.Entry<String, JsonNode> slot :
                Json.object(Json.required(link, "values", place), "link " + id)) {
            slots.put(slot.getKey(), Json.uid(slot.getValue(), "link " + id));
        }
        return template.link(order, id, templateId, slots);
    }

    private void checkSize(int count) {
        if (count > limits.policies()) {
            throw new CedarFormatException(
                    "The policy set has %d policies, templates and links; at most %d are accepted."
                            .formatted(count, limits.policies()));
        }
    }

    private static void checkIds(List<Policy> policies, Set<String> templates) {
        Set<String> ids = new HashSet<>(templates);
        for (Policy policy : policies) {
            if (!ids.add(policy.id())) {
                throw new CedarFormatException(
                        "Two policies have the id " + policy.id() + "; give each its own.");
            }
        }
    }

    private static Iterable<Map.Entry<String, JsonNode>> fields(JsonNode node, String key) {
        return node.isMissingNode() ? List.of() : Json.object(node, PLACE + "." + key);
    }
}
