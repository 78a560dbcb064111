package palyra.policy.internal.decide;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import palyra.api.core.access.CallContext;
import palyra.api.core.access.CallFacts;
import palyra.api.core.access.Spend;
import palyra.api.core.access.ToolPolicyRequest;
import palyra.api.tool.Capability;
import palyra.api.tool.ToolDescriptor;

/** Reads the policy request of a case about a tool call. */
final class ToolCase {
    private static final int TIMEOUT_MILLIS = 1_000;
    private static final int INPUT_BYTES = 1_024;

    private ToolCase() {}

    static PolicyRequest read(CaseFields fields, PolicyCase.Asker asker) {
        if (!PrincipalEntities.uid(asker.kind(), asker.id())
                .equals(PrincipalEntities.uid(asker.id()))) {
            throw fields.refused(
                    "who calls a tool is known by name only, and "
                            + asker.id()
                            + " is a "
                            + PrincipalEntities.uid(asker.id()).type());
        }
        ToolDescriptor tool = tool(fields);
        CaseFields context =
                new CaseFields(
                        fields.get("context"),
                        fields.place("context"),
                        "agent",
                        "session",
                        "run",
                        "channel",
                        "device",
                        "allow_sensitive_tools",
                        "approval",
                        "budget",
                        "facts",
                        ToolCallMapper.SPEND);
        CaseFields budget =
                new CaseFields(context.get("budget"), context.place("budget"), "left", "max");
        int most = budget.number("max", 16);
        ToolPolicyRequest call =
                new ToolPolicyRequest(
                        asker.id(),
                        context.nameOf("agent", "main"),
                        agent(context).bool("test", false),
                        context.text("run", "run"),
                        context.text("session", "session"),
                        "call",
                        tool.name(),
                        tool,
                        "{}",
                        Set.of(tool.name()),
                        budget.number("left", most),
                        most,
                        situation(context, asker),
                        List.of(),
                        agent(context).text("profile", ""));
        return trusted(context, ToolCallMapper.map(call));
    }

    private static CaseFields agent(CaseFields context) {
        JsonNode agent = context.get("agent");
        return new CaseFields(
                agent.isObject() ? agent : MissingNode.getInstance(),
                context.place("agent"),
                "id",
                "test",
                "profile");
    }

    private static PolicyRequest trusted(CaseFields context, PolicyRequest request) {
        if (!context.get("channel").isObject()) {
            return request;
        }
        CaseFields channel =
                new CaseFields(context.get("channel"), context.place("channel"), "id", "trust");
        String id = channel.required("id");
        return channel.optional("trust")
                .map(trust -> request.with(EntityAttributes.trustedChannel(id, trust)))
                .orElse(request);
    }

    private static CallContext situation(CaseFields context, PolicyCase.Asker asker) {
        CaseFields approval =
                new CaseFields(context.get("approval"), context.place("approval"), "granted", "by");
        return new CallContext(
                context.nameOf("channel", ""),
                context.text("device", ""),
                asker.groups(),
                context.bool("allow_sensitive_tools", false),
                approval.bool("granted", false),
                approval.texts("by"),
                facts(context.get("facts"), context.place("facts")),
                spend(context.get(ToolCallMapper.SPEND), context.place(ToolCallMapper.SPEND)));
    }

    static Spend spend(JsonNode node, String place) {
        CaseFields spend = new CaseFields(node, place, "tokens", "cost_micros", "calls", "percent");
        return new Spend(
                spend.number("tokens", 0),
                spend.number("cost_micros", 0),
                spend.number("calls", 0),
                spend.number("percent", 0));
    }

    private static CallFacts facts(JsonNode node, String place) {
        CaseFields facts =
                new CaseFields(
                        node,
                        place,
                        "executable",
                        "executable_sha256",
                        "working_folder",
                        "subcommand",
                        "flags",
                        "argument_count",
                        "hosts",
                        "ports",
                        "methods",
                        "read_paths",
                        "write_paths",
                        "secrets");
        return new CallFacts(
                facts.text("executable", ""),
                facts.text("executable_sha256", ""),
                facts.text("working_folder", ""),
                facts.text("subcommand", ""),
                facts.texts("flags"),
                facts.number("argument_count", 0),
                facts.texts("hosts"),
                facts.numbers("ports"),
                facts.texts("methods"),
                facts.texts("read_paths"),
                facts.texts("write_paths"),
                facts.texts("secrets"));
    }

    private static ToolDescriptor tool(CaseFields fields) {
        if (fields.get("resource").isTextual()) {
            return tool(fields.required("resource"), Set.of(), false, false);
        }
        CaseFields tool =
                new CaseFields(
                        fields.get("resource"),
                        fields.place("resource"),
                        "type",
                        "id",
                        "capabilities",
                        "readOnly",
                        "idempotent");
        if (!tool.text("type", "Tool").equals("Tool")) {
            throw tool.refused("tool.execute is about a Tool and nothing else");
        }
        Set<Capability> capabilities = EnumSet.noneOf(Capability.class);
        for (String word : tool.texts("capabilities")) {
            capabilities.add(capability(tool, word));
        }
        return tool(
                tool.required("id"),
                capabilities,
                tool.bool("readOnly", false),
                tool.bool("idempotent", false));
    }

    private static Capability capability(CaseFields tool, String word) {
        for (Capability capability : Capability.values()) {
            if (EntityAttributes.word(capability).equals(word)) {
                return capability;
            }
        }
        throw tool.refused("there is no capability \"" + word + "\"");
    }

    private static ToolDescriptor tool(
            String name, Set<Capability> capabilities, boolean readOnly, boolean idempotent) {
        return new ToolDescriptor(
                name, name, "{}", capabilities, idempotent, readOnly, TIMEOUT_MILLIS, INPUT_BYTES);
    }
}
