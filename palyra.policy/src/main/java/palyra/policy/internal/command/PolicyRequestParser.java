package palyra.policy.internal.command;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import palyra.api.Require;
import palyra.api.access.Principal;
import palyra.api.access.PrincipalKind;
import palyra.api.command.CommandArguments;
import palyra.api.command.CommandContext;
import palyra.api.command.OptionSpec;
import palyra.api.core.access.AccessRequest;
import palyra.api.core.access.CallContext;
import palyra.api.core.access.CallFacts;
import palyra.api.core.access.ToolPolicyRequest;
import palyra.api.tool.Capability;
import palyra.api.tool.ToolDescriptor;
import palyra.policy.internal.decide.PolicyRequest;
import palyra.shared.json.Jcs;
import palyra.shared.json.StrictJson;

/** Makes the policy request that a person asks on the command line. */
final class PolicyRequestParser {
    static final String TOOL_ACTION = "tool.execute";

    static final List<OptionSpec> OPTIONS =
            List.of(
                    OptionSpec.value("principal", "ID", "The principal, such as user:alice"),
                    OptionSpec.value(
                            "action", "NAME", "The action, such as run.start; tool.execute"),
                    OptionSpec.value(
                            "resource", "ID", "What it is about, such as session:01J…; tool:NAME"),
                    new OptionSpec(
                            "group", "NAME", "A group that the principal is in", List.of(), true),
                    OptionSpec.value("owner", "ID", "Principal that the resource belongs to"),
                    OptionSpec.value("agent", "ID", "Agent of the call; default unless given"),
                    OptionSpec.value("profile", "NAME", "Policy profile of that agent"),
                    new OptionSpec(
                            "capability",
                            "NAME",
                            "What the tool can reach",
                            List.of(
                                    "process_exec",
                                    "network",
                                    "secrets_read",
                                    "filesystem_read",
                                    "filesystem_write",
                                    "artifacts_read"),
                            true),
                    OptionSpec.value(
                            "context",
                            "JSON",
                            "Facts, a JSON object; they replace the facts of the same names"),
                    OptionSpec.value(
                            "evidence",
                            "FILE",
                            "A recorded policy request instead of these options; - for standard input"));

    private static final int CALLS = 16;
    private static final long TIMEOUT_MILLIS = 1_000;

    private PolicyRequestParser() {}

    static PolicyRequest parse(CommandContext context) throws IOException {
        CommandArguments given = context.arguments();
        Optional<String> evidence = given.option("evidence");
        if (evidence.isPresent()) {
            Require.that(
                    given.options().keySet().stream()
                            .noneMatch(
                                    name ->
                                            !name.equals("evidence")
                                                    && OPTIONS.stream()
                                                            .anyMatch(o -> o.name().equals(name))),
                    "--evidence describes the whole policy request: leave out the other options");
            return PolicyRequest.parse(unwrapped(PathArguments.text(context, evidence.get())));
        }
        String principal = required(given, "principal");
        String action = required(given, "action");
        String resource = given.option("resource").orElse("");
        Set<String> groups = new HashSet<>(given.options().getOrDefault("group", List.of()));
        PolicyRequest request =
                action.equals(TOOL_ACTION)
                        ? ofCall(given, principal, groups, resource)
                        : PolicyRequest.of(
                                new AccessRequest(
                                        principal(principal, groups),
                                        action,
                                        resource,
                                        given.option("owner").orElse(""),
                                        Map.of()));
        return given.option("context").map(text -> over(request, text)).orElse(request);
    }

    private static String required(CommandArguments given, String name) {
        String value = given.option(name).orElse("");
        Require.that(
                !value.isBlank(),
                "--"
                        + name
                        + " is missing: say --principal, --action and --resource, or"
                        + " --evidence FILE");
        return value;
    }

    /** A whole record may be given in place of the evidence that it holds. */
    private static String unwrapped(String text) {
        JsonNode node = StrictJson.parse(text, "the evidence");
        JsonNode payload = node.path("payload").isObject() ? node.path("payload") : node;
        if (payload.path("evidenceJson").isTextual()) {
            return payload.path("evidenceJson").textValue();
        }
        return payload.path("evidence").isObject() ? Jcs.text(payload.path("evidence")) : text;
    }

    private static Principal principal(String id, Set<String> groups) {
        return new Principal(id, kind(id), groups, Set.of(), "");
    }

    private static PrincipalKind kind(String id) {
        if (id.startsWith("user:")) {
            return PrincipalKind.USER;
        }
        if (id.startsWith("device:")) {
            return PrincipalKind.DEVICE;
        }
        return id.equals("system") || id.startsWith("system:")
                ? PrincipalKind.SYSTEM
                : PrincipalKind.SERVICE;
    }

    private static PolicyRequest ofCall(
            CommandArguments given, String principal, Set<String> groups, String resource) {
        String tool = resource.startsWith("tool:") ? resource.substring(5) : resource;
        Require.that(!tool.isBlank(), "--resource names the tool, such as tool:palyra.echo");
        Set<Capability> capabilities = new HashSet<>();
        given.options()
                .getOrDefault("capability", List.of())
                .forEach(name -> capabilities.add(Capability.valueOf(upper(name))));
        ToolDescriptor descriptor =
                new ToolDescriptor(
                        tool, "asked about", "{}", capabilities, false, false, TIMEOUT_MILLIS, 2);
        return PolicyRequest.of(
                new ToolPolicyRequest(
                        principal,
                        given.option("agent").orElse("default"),
                        false,
                        "",
                        "",
                        "explained",
                        tool,
                        descriptor,
                        "{}",
                        Set.of(tool),
                        CALLS,
                        CALLS,
                        new CallContext("", "", groups, false, false, Set.of(), CallFacts.none()),
                        List.of(),
                        given.option("profile").orElse("")));
    }

    private static String upper(String name) {
        String upper = name.toUpperCase(Locale.ROOT);
        Require.that(
                List.of(Capability.values()).stream().anyMatch(c -> c.name().equals(upper)),
                "'" + name + "' is no capability");
        return upper;
    }

    private static PolicyRequest over(PolicyRequest request, String text) {
        JsonNode facts = StrictJson.parse(text, "--context");
        Require.that(facts.isObject(), "--context is a JSON object of facts");
        ObjectNode evidence =
                (ObjectNode) StrictJson.parse(request.evidenceJson(), "the policy request");
        merge((ObjectNode) evidence.get("context"), facts);
        return PolicyRequest.parse(Jcs.text(evidence));
    }

    private static void merge(ObjectNode into, JsonNode from) {
        from.properties()
                .forEach(
                        field -> {
                            JsonNode there = into.get(field.getKey());
                            boolean both =
                                    there instanceof ObjectNode
                                            && !there.has("__entity")
                                            && field.getValue().isObject();
                            if (both) {
                                merge((ObjectNode) there, field.getValue());
                            } else {
                                into.set(field.getKey(), field.getValue());
                            }
                        });
    }
}
