package palyra.policy.internal.decide;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import palyra.api.core.access.AccessRequest;
import palyra.api.core.access.Spend;
import palyra.policy.internal.cedar.entity.Entity;
import palyra.policy.internal.cedar.json.JavaValues;
import palyra.policy.internal.cedar.value.BoolValue;
import palyra.policy.internal.cedar.value.EntityUid;

/** Turns a policy request about an action into the one that policies read. */
final class ActionRequestMapper {
    private static final String EXTENSION = "extension.";
    private static final String EXTENSION_ACTION = "extension.command";
    private static final String COMMAND = "command";

    /** Facts of requests that policies see, and under which name; every other one stays out. */
    static final Map<String, String> TEXTS =
            Map.ofEntries(
                    Map.entry(COMMAND, COMMAND),
                    Map.entry("bundle", "bundle"),
                    Map.entry("surface", "surface"),
                    Map.entry("agent", "agent"),
                    Map.entry("origin", "origin"),
                    Map.entry("scope", "scope"),
                    Map.entry("method", "method"),
                    Map.entry("purpose", "purpose"),
                    Map.entry("call", "call"),
                    Map.entry("run", "run"),
                    Map.entry("fromVersion", "from_version"),
                    Map.entry("toVersion", "to_version"),
                    Map.entry("toSha256", "to_sha256"));

    /** Name of a numeric fact; a value that is not a number is left out. */
    static final String PORT = "port";

    /** How many bytes may come back by a connection before it is cut. */
    static final String MAX_BYTES = "max_bytes";

    private ActionRequestMapper() {}

    static PolicyRequest map(AccessRequest request) {
        return map(request, EntityMapper.of(request.action(), request.resource()));
    }

    /** As it is asked, but about a thing that is given as an entity. */
    static PolicyRequest map(AccessRequest request, EntityUid resource) {
        EntityUid principal =
                PrincipalEntities.uid(request.principal().kind(), request.principal().id());
        List<Entity> slice = new ArrayList<>();
        slice.add(PrincipalEntities.entity(principal, request.principal().groups()));
        slice.add(EntityAttributes.thing(resource, request.owner(), request.facts()));
        Map<String, Object> context = new HashMap<>();
        context.put(
                "credential",
                Map.of(
                        "id", request.principal().credentialId(),
                        "scopes", request.principal().scopes()));
        facts(request, context, slice);
        return new PolicyRequest(
                principal, action(request.action()), resource, JavaValues.record(context), slice);
    }

    /** Returns the action that a name means: all commands of other bundles are one. */
    static EntityUid action(String name) {
        return EntityUid.of("Action", name.startsWith(EXTENSION) ? EXTENSION_ACTION : name);
    }

    private static void facts(
            AccessRequest request, Map<String, Object> context, List<Entity> slice) {
        Map<String, String> facts = request.facts();
        TEXTS.forEach(
                (fact, name) -> {
                    String value = facts.getOrDefault(fact, "");
                    if (!value.isEmpty()) {
                        context.put(name, value);
                    }
                });
        if (request.action().startsWith(EXTENSION)) {
            String rest = request.action().substring(EXTENSION.length());
            context.put("extension", rest);
            context.putIfAbsent(COMMAND, rest);
        }
        if (facts.getOrDefault(PORT, "").matches("[0-9]{1,5}")) {
            context.put(PORT, Long.parseLong(facts.get(PORT)));
        }
        if (facts.getOrDefault("maxBytes", "").matches("[0-9]{1,18}")) {
            context.put(MAX_BYTES, Long.parseLong(facts.get("maxBytes")));
        }
        spend(facts)
                .ifPresent(spend -> context.put(ToolCallMapper.SPEND, ToolCallMapper.spend(spend)));
        if (facts.containsKey("granted")) {
            context.put("granted", BoolValue.of(facts.get("granted").equals("true")));
        }
        ToolCallMapper.channel(facts.getOrDefault("channel", ""), context, slice);
        ToolCallMapper.device(facts.getOrDefault("device", ""), context, slice);
    }

    /** All four numbers, or nothing: a policy sees a whole picture or none. */
    private static Optional<Spend> spend(Map<String, String> facts) {
        List<String> given =
                Spend.FACTS.stream().map(fact -> facts.getOrDefault(fact, "")).toList();
        return given.stream().allMatch(text -> text.matches("[0-9]{1,18}"))
                ? Optional.of(
                        new Spend(
                                Long.parseLong(given.get(0)),
                                Long.parseLong(given.get(1)),
                                Long.parseLong(given.get(2)),
                                Long.parseLong(given.get(3))))
                : Optional.empty();
    }
}
