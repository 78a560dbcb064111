package palyra.policy.internal.decide;

import java.util.List;
import java.util.Map;
import palyra.policy.internal.cedar.value.EntityUid;

/**
 * Which entity a policy request is about. The journal's {@code session:01J…} is {@code
 * Session::"01J…"}; the action says which types there may be. What names no such type is of the
 * action's first one, with the whole text as its id: an entity that is of another type than the
 * schema allows could make a policy fail.
 */
final class EntityMapper {
    private static final String COMMAND = "Command";

    /** The prefix before the colon, and the type. */
    private static final Map<String, String> TYPES =
            Map.ofEntries(
                    Map.entry("session", "Session"),
                    Map.entry("run", "Run"),
                    Map.entry("approval", "Approval"),
                    Map.entry("agent", "Agent"),
                    Map.entry("channel", "Channel"),
                    Map.entry("principal", "Account"),
                    Map.entry("token", "Token"),
                    Map.entry("key", "Key"),
                    Map.entry("bundle", "Bundle"),
                    Map.entry("pin", "Deployment"),
                    Map.entry("policy", "Policy"),
                    Map.entry("config", "Config"),
                    Map.entry("stream", "Journal"),
                    Map.entry("command", COMMAND),
                    Map.entry("skill", "Skill"),
                    Map.entry("vault", "Secret"),
                    Map.entry("host", "Host"));

    private static final List<String> GATEWAY = List.of("Gateway", COMMAND);

    /** Types by the beginning of the action's name; the longest that fits counts. */
    private static final Map<String, List<String>> ALLOWED =
            Map.ofEntries(
                    Map.entry("run.start", List.of("Session", COMMAND)),
                    Map.entry("run.", List.of("Run", COMMAND)),
                    Map.entry("event.", List.of("Run", COMMAND)),
                    Map.entry("session.resolve", List.of("Session", COMMAND)),
                    Map.entry("session.archive", List.of("Session", COMMAND)),
                    Map.entry("session.", List.of("Session", "Account", COMMAND)),
                    Map.entry("tape.", List.of("Run", "Journal", COMMAND)),
                    Map.entry("approval.", List.of("Approval", COMMAND)),
                    Map.entry("openai.", List.of("Agent", COMMAND)),
                    Map.entry("agent.", List.of("Agent", "Account", COMMAND)),
                    Map.entry("access.speak_for", List.of("Account", COMMAND)),
                    Map.entry("access.token.", List.of("Token", "Account", COMMAND)),
                    Map.entry("access.token.list", List.of("Token", COMMAND)),
                    Map.entry("access.account.", List.of("Account", COMMAND)),
                    Map.entry("access.factor.", List.of("Account", COMMAND)),
                    Map.entry("access.session.", List.of("Token", "Account", COMMAND)),
                    Map.entry("access.key.", List.of("Key", COMMAND)),
                    Map.entry("bundle.", List.of("Bundle", COMMAND)),
                    Map.entry("component.", List.of("Bundle", COMMAND)),
                    Map.entry("policy.", List.of("Policy", COMMAND)),
                    Map.entry("config.", List.of("Config", COMMAND)),
                    Map.entry("deploy.", List.of("Deployment", COMMAND)),
                    Map.entry("journal.", List.of("Journal", COMMAND)),
                    Map.entry("extension.", List.of(COMMAND)),
                    Map.entry("skill.", List.of("Skill", COMMAND)),
                    Map.entry("vault.", List.of("Secret", COMMAND)),
                    Map.entry("message.", List.of("Channel", COMMAND)),
                    Map.entry("channel.", List.of("Channel", COMMAND)),
                    Map.entry("network.", List.of("Host", COMMAND)));

    private EntityMapper() {}

    /** Returns the entity that a resource of an action is. */
    static EntityUid of(String action, String resource) {
        List<String> allowed = allowed(action);
        int colon = resource.indexOf(':');
        String type = colon < 0 ? null : TYPES.get(resource.substring(0, colon));
        return type != null && allowed.contains(type)
                ? EntityUid.of(type, resource.substring(colon + 1))
                : EntityUid.of(allowed.get(0), resource);
    }

    /** Returns the types a resource of the action may have, the usual one first. */
    static List<String> allowed(String action) {
        String best = "";
        for (String prefix : ALLOWED.keySet()) {
            if (action.startsWith(prefix) && prefix.length() > best.length()) {
                best = prefix;
            }
        }
        return best.isEmpty() ? GATEWAY : ALLOWED.get(best);
    }
}
