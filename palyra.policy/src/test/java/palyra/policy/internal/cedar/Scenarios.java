package palyra.policy.internal.cedar;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;

/** Policies that work together: effects, conditions, templates, groups of actions. */
final class Scenarios {
    static final String STATICS =
            """
            permit(principal in Group::"staff", action in Action::"any", resource is Doc);
            forbid(principal, action, resource in Folder::"f") unless { context.mfa };
            permit(principal, action == Action::"write", resource)
            unless { context.n > 10 } unless { context.n < 0 } when { principal == resource.owner };
            permit(principal is NS::User, action in [Action::"write", Action::"read"], resource);
            forbid(principal, action, resource) when { context.n == 13 && context.nothing };
            forbid(principal is User in Org::"acme", action in [Action::"any", Action::"read"], resource)
            when { context.n == 99 };
            permit(principal, action, resource) when { principal.nothing == 1 };
            """;
    static final Map<String, String> TEMPLATES =
            Map.of(
                    "both",
                    "permit(principal == ?principal, action, resource == ?resource);",
                    "owner",
                    "forbid(principal in ?principal, action, resource) when { context.n == 7 };",
                    "typed",
                    "permit(principal, action, resource is Doc in ?resource);");

    private Scenarios() {}

    /** The policies with links, in JSON; only on the native thread. */
    static String estHere() throws Exception {
        ObjectNode set = (ObjectNode) Oracle.MAPPER.readTree(Oracle.estHere(STATICS, TEMPLATES));
        ArrayNode links = set.putArray("templateLinks");
        link(links, "both", "both1", Map.of("?principal", "User:bob", "?resource", "Doc:d1"));
        link(links, "both", "both2", Map.of("?principal", "User:ghost", "?resource", "Doc:d2"));
        link(links, "owner", "owner1", Map.of("?principal", "Group:staff"));
        link(links, "typed", "typed1", Map.of("?resource", "Folder:f"));
        return set.toString();
    }

    static Recorded recorded() {
        return Oracle.run(() -> Recorded.of("the scenarios", STATICS, estHere(), world()));
    }

    private static void link(
            ArrayNode links, String template, String id, Map<String, String> slots) {
        ObjectNode values =
                links.addObject().put("templateId", template).put("newId", id).putObject("values");
        slots.forEach((slot, uid) -> uid(values.putObject(slot), uid));
    }

    private static void uid(ObjectNode node, String uid) {
        int colon = uid.indexOf(':');
        node.put("type", uid.substring(0, colon)).put("id", uid.substring(colon + 1));
    }

    private static ObjectNode world() throws Exception {
        ObjectNode world = (ObjectNode) OperatorTable.world();
        ArrayNode requests = world.putArray("requests");
        for (String principal : List.of("User:alice", "User:bob", "User:ghost", "Group:staff")) {
            for (String action : List.of("read", "write", "delete")) {
                for (String resource : List.of("Doc:d1", "Doc:d2", "Folder:f")) {
                    for (long n : new long[] {5, 7, 11, 13, 99, -1}) {
                        ObjectNode request = requests.addObject();
                        uid(request.putObject("principal"), principal);
                        uid(request.putObject("action"), "Action:" + action);
                        uid(request.putObject("resource"), resource);
                        request.putObject("context").put("mfa", n != 11).put("n", n);
                    }
                }
            }
        }
        return world;
    }
}
