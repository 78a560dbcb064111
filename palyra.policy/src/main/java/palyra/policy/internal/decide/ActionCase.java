package palyra.policy.internal.decide;

import java.util.HashMap;
import java.util.Map;
import palyra.api.core.access.AccessRequest;
import palyra.policy.internal.cedar.value.EntityUid;

/** Reads the policy request of a case about an action other than a tool call. */
final class ActionCase {
    private ActionCase() {}

    static PolicyRequest read(CaseFields fields, PolicyCase.Asker asker, String action) {
        Map<String, String> facts = new HashMap<>();
        CaseFields context =
                new CaseFields(
                        fields.get("context"),
                        fields.place("context"),
                        "credential",
                        "command",
                        "bundle",
                        "surface",
                        "channel",
                        "device",
                        "agent",
                        "origin",
                        "granted",
                        "scope",
                        "method",
                        "purpose",
                        "call",
                        "run",
                        ActionRequestMapper.PORT,
                        ActionRequestMapper.MAX_BYTES,
                        ToolCallMapper.SPEND,
                        "from_version",
                        "to_version",
                        "to_sha256");
        ActionRequestMapper.TEXTS.forEach(
                (fact, name) -> context.optional(name).ifPresent(text -> facts.put(fact, text)));
        context.optional("channel").ifPresent(channel -> facts.put("channel", channel));
        context.optional("device").ifPresent(device -> facts.put("device", device));
        if (context.has(ActionRequestMapper.PORT)) {
            facts.put(
                    ActionRequestMapper.PORT,
                    Integer.toString(context.number(ActionRequestMapper.PORT, 0)));
        }
        if (context.has(ActionRequestMapper.MAX_BYTES)) {
            facts.put(
                    "maxBytes", Integer.toString(context.number(ActionRequestMapper.MAX_BYTES, 0)));
        }
        if (context.has(ToolCallMapper.SPEND)) {
            facts.putAll(
                    ToolCase.spend(
                                    context.get(ToolCallMapper.SPEND),
                                    context.place(ToolCallMapper.SPEND))
                            .facts());
        }
        if (context.has("granted")) {
            facts.put("granted", Boolean.toString(context.bool("granted", false)));
        }
        CaseFields credential =
                new CaseFields(
                        context.get("credential"), context.place("credential"), "id", "scopes");
        Thing thing = thing(fields, action, facts);
        AccessRequest request =
                new AccessRequest(
                        asker.principal(credential.text("id", "case"), credential.texts("scopes")),
                        action,
                        thing.uid.id(),
                        thing.owner,
                        facts);
        return ActionRequestMapper.map(request, thing.uid);
    }

    private record Thing(EntityUid uid, String owner) {}

    private static Thing thing(CaseFields fields, String action, Map<String, String> facts) {
        if (!fields.get("resource").isObject()) {
            return new Thing(EntityMapper.of(action, fields.text("resource", "")), "");
        }
        CaseFields resource =
                new CaseFields(
                        fields.get("resource"),
                        fields.place("resource"),
                        "type",
                        "id",
                        "owner",
                        "publisher",
                        "trusted",
                        "trust");
        resource.optional("publisher").ifPresent(text -> facts.put("publisher", text));
        resource.optional("trust").ifPresent(text -> facts.put("trust", text));
        if (resource.has("trusted")) {
            facts.put("trusted", Boolean.toString(resource.bool("trusted", false)));
        }
        String id = resource.text("id", "");
        String owner = resource.text("owner", "");
        if (!resource.has("type")) {
            return new Thing(EntityMapper.of(action, id), owner);
        }
        String type = resource.required("type");
        if (!EntityMapper.allowed(action).contains(type)) {
            throw resource.refused(
                    action
                            + " is never about a "
                            + type
                            + ", but about: "
                            + String.join(", ", EntityMapper.allowed(action)));
        }
        return new Thing(EntityUid.of(type, id), owner);
    }
}
