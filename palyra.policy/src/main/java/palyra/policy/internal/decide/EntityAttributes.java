package palyra.policy.internal.decide;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import palyra.api.tool.Capability;
import palyra.api.tool.ToolDescriptor;
import palyra.policy.internal.cedar.entity.Entity;
import palyra.policy.internal.cedar.value.BoolValue;
import palyra.policy.internal.cedar.value.EntityUid;
import palyra.policy.internal.cedar.value.SetValue;
import palyra.policy.internal.cedar.value.StringValue;
import palyra.policy.internal.cedar.value.Value;

/** Things as entities, with the attributes that the schema names. */
final class EntityAttributes {
    /** Attribute that tells whether a tool is sensitive. */
    static final String SENSITIVE = "sensitive";

    /** Attribute with what a tool can reach. */
    static final String CAPABILITIES = "capabilities";

    private static final String PROFILE = "profile";

    private EntityAttributes() {}

    /**
     * Returns a thing.
     *
     * @param owner principal it belongs to; empty for none
     * @param facts what a request tells beside; only what the schema has is taken
     */
    static Entity thing(EntityUid uid, String owner, Map<String, String> facts) {
        Map<String, Value> attributes = new HashMap<>();
        attributes.put("id", new StringValue(uid.id()));
        if (!owner.isEmpty()) {
            attributes.put("owner", new StringValue(owner));
        }
        if (uid.type().equals("Channel")) {
            attributes.put("kind", new StringValue(kind(uid.id())));
            take(facts, "trust", attributes);
        }
        if (uid.type().equals("Skill")) {
            take(facts, "publisher", attributes);
            if (facts.containsKey("trusted")) {
                attributes.put("trusted", BoolValue.of(facts.get("trusted").equals("true")));
            }
        }
        return Entity.of(uid, attributes, List.of());
    }

    private static void take(
            Map<String, String> facts, String name, Map<String, Value> attributes) {
        if (facts.containsKey(name)) {
            attributes.put(name, new StringValue(facts.get(name)));
        }
    }

    /** Returns what kind of channel it is, such as {@code discord}. */
    static String kind(String channel) {
        int colon = channel.indexOf(':');
        return colon < 0 ? channel : channel.substring(0, colon);
    }

    /**
     * Returns an agent.
     *
     * @param profile name of its policy profile; empty for none
     */
    static Entity agent(String id, boolean test, String profile) {
        Map<String, Value> attributes = new HashMap<>();
        attributes.put("id", new StringValue(id));
        attributes.put("test", BoolValue.of(test));
        Entity agent = Entity.of(EntityUid.of("Agent", id), attributes, List.of());
        return profile.isEmpty() ? agent : withProfile(agent, profile);
    }

    /** Returns an agent with another profile; an empty name for none. */
    static Entity withProfile(Entity agent, String profile) {
        Map<String, Value> attributes = new HashMap<>();
        agent.attributes().names().forEach(n -> attributes.put(n, agent.attributes().get(n)));
        attributes.remove(PROFILE);
        if (!profile.isEmpty()) {
            attributes.put(PROFILE, new StringValue(profile));
        }
        return Entity.of(agent.uid(), attributes, agent.parents());
    }

    static Entity tool(ToolDescriptor tool) {
        List<StringValue> capabilities =
                tool.capabilities().stream()
                        .map(EntityAttributes::word)
                        .map(StringValue::new)
                        .toList();
        return Entity.of(
                EntityUid.of("Tool", tool.name()),
                Map.of(
                        "name",
                        new StringValue(tool.name()),
                        CAPABILITIES,
                        SetValue.of(capabilities),
                        SENSITIVE,
                        BoolValue.of(tool.sensitive()),
                        "readOnly",
                        BoolValue.of(tool.readOnly()),
                        "idempotent",
                        BoolValue.of(tool.idempotent())),
                List.of());
    }

    /** Returns a channel of which it is known how far it is trusted. */
    static Entity trustedChannel(String id, String trust) {
        return thing(EntityUid.of("Channel", id), "", Map.of("trust", trust));
    }

    /** Returns how policies write a capability: {@code filesystem_read}. */
    static String word(Capability capability) {
        return capability.name().toLowerCase(Locale.ROOT);
    }
}
