package palyra.policy.internal.cedar;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import palyra.lib.cedar.PolicySetLimits;
import palyra.policy.internal.cedar.json.Json;
import palyra.policy.internal.cedar.value.CedarFormatException;
import palyra.policy.internal.cedar.value.EntityUid;

/**
 * Compiles a policy set from Cedar's JSON form: static policies, templates and links. All or
 * nothing: an element that it does not know in any policy refuses the set.
 */
public final class PolicySetCompiler {
    private static final String PLACE = "the policy set";

    private final PolicySetLimits limits;

    public PolicySetCompiler(PolicySetLimits limits) {
        this.limits = Objects.requireNonNull(limits, "limits");
    }

    /**
     * Reads one policy after the other: a tree of a whole set would take ten times its room.
     *
     * @throws CedarFormatException if the text is not such a policy set; names the policy
     */
    public PolicySet compile(String json) {
        Draft draft = new Draft();
        Json.members(
                json,
                "The policy set",
                Set.of("staticPolicies", "templates"),
                Set.of("templateLinks"),
                draft::take);
        return draft.finish();
    }

    /** A set while it is read. */
    private final class Draft {
        private final PolicyReader reader = new PolicyReader(limits);
        private final List<Policy> policies = new ArrayList<>();
        private final Map<String, PolicyReader.Template> bodies = new LinkedHashMap<>();
        private JsonNode links = MissingNode.getInstance();

        void take(String section, String id, JsonNode value) {
            switch (section) {
                case "staticPolicies" -> {
                    PolicyReader.Template body = reader.read(value, "policy " + id);
                    policies.add(body.link(policies.size(), id, null, Map.of()));
                }
                case "templates" -> bodies.put(id, reader.read(value, "template " + id));
                default -> links = value;
            }
            checkSize(policies.size() + bodies.size() + links.size());
        }

        PolicySet finish() {
            if (!links.isMissingNode()) {
                Json.array(links, PLACE + ".templateLinks")
                        .forEach(link -> policies.add(link(policies.size(), link, bodies)));
            }
            checkIds(policies, bodies.keySet());
            return new PolicySet(policies);
        }
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
                    "The policy set has %d policies, templates and links or more; at most %d are accepted."
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
}
