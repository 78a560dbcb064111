package palyra.policy.internal.cedar;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Random;
import palyra.policy.internal.cedar.value.EntityUid;

/** Entities with a hierarchy, attributes and tags, and requests about them. */
final class WorldGenerator {
    static final String[] TYPES = {"User", "Group", "NS::User", "Doc"};
    static final String[] IDS = {"a", "b", "c", "d*"};
    static final String[] ACTIONS = {"read", "write", "any"};
    static final String[] STRINGS = {"", "a", "ab", "aab", "a*b", "abab", "b", "é😀"};
    static final String[] LONGS = {
        "-9223372036854775808", "-2", "-1", "0", "1", "2", "3", "9223372036854775807"
    };
    static final String[] DECIMALS = {
        "0.0", "-0.5", "0.5", "1.25", "1.2500", "-922337203685477.5808"
    };
    static final String[] IPS = {
        "127.0.0.1",
        "127.0.0.0/7",
        "127.1.0.0/16",
        "10.0.0.1",
        "10.0.0.0/8",
        "0.0.0.0/0",
        "::1",
        "::/127",
        "ff02::1",
        "ff00::/7",
        "224.0.0.5",
        "::ffff:7f00:1",
        "2001:db8::/65"
    };
    static final String[] INSTANTS = {
        "1970-01-01",
        "1969-12-31T23:59:59.999Z",
        "2024-02-29",
        "2024-02-29T12:30:00+0130",
        "2024-02-28T23:00:00-0100",
        "0001-01-01"
    };
    static final String[] DURATIONS = {
        "0ms", "1d", "-1d", "90s", "-90s", "1h30m", "36h", "9223372036854775807ms", "1500ms", "1m"
    };

    private final Random random;

    WorldGenerator(Random random) {
        this.random = random;
    }

    String type() {
        return pick(TYPES);
    }

    /** Of some type; often there is no such entity. */
    EntityUid uid() {
        return EntityUid.of(type(), pick(IDS));
    }

    EntityUid action() {
        return EntityUid.of("Action", pick(ACTIONS));
    }

    static String text(EntityUid uid) {
        return uid.toString();
    }

    ObjectNode reference(EntityUid uid) {
        return Oracle.MAPPER.createObjectNode().put("type", uid.type()).put("id", uid.id());
    }

    /** Parents only of a later id, so that nothing is its own ancestor. */
    ArrayNode entities() {
        ArrayNode entities = Oracle.MAPPER.createArrayNode();
        for (String type : TYPES) {
            for (int id = 0; id < IDS.length; id++) {
                if (random.nextInt(5) > 0) {
                    entities.add(entity(type, id));
                }
            }
        }
        for (int id = 0; id < ACTIONS.length; id++) {
            ObjectNode action = Oracle.MAPPER.createObjectNode();
            action.set("uid", reference(EntityUid.of("Action", ACTIONS[id])));
            action.putObject("attrs");
            ArrayNode parents = action.putArray("parents");
            for (int above = id + 1; above < ACTIONS.length; above++) {
                if (random.nextBoolean()) {
                    parents.add(reference(EntityUid.of("Action", ACTIONS[above])));
                }
            }
            entities.add(action);
        }
        return entities;
    }

    private ObjectNode entity(String type, int id) {
        ObjectNode entity = Oracle.MAPPER.createObjectNode();
        entity.set("uid", reference(EntityUid.of(type, IDS[id])));
        entity.set("attrs", attributes());
        ArrayNode parents = entity.putArray("parents");
        for (int above = id + 1; above < IDS.length; above++) {
            if (random.nextInt(3) == 0) {
                parents.add(reference(EntityUid.of(pick(TYPES), IDS[above])));
            }
        }
        if (random.nextBoolean()) {
            ObjectNode tags = entity.putObject("tags");
            tags.put("a", Long.parseLong(pick(LONGS)));
            if (random.nextBoolean()) {
                tags.put("ab", pick(STRINGS));
            }
        }
        return entity;
    }

    ObjectNode request() {
        ObjectNode request = Oracle.MAPPER.createObjectNode();
        request.set("principal", reference(uid()));
        request.set("action", reference(action()));
        request.set("resource", reference(uid()));
        request.set("context", attributes());
        return request;
    }

    /** What {@link ExpressionGenerator} asks for, each mostly there and mostly of its type. */
    private ObjectNode attributes() {
        ObjectNode all = Oracle.MAPPER.createObjectNode();
        all.put("n", Long.parseLong(pick(LONGS)));
        all.put("s", pick(STRINGS));
        all.put("b", random.nextBoolean());
        all.set("e", escaped(uid()));
        all.set("dec", extension("decimal", pick(DECIMALS)));
        all.set("ip", extension("ip", pick(IPS)));
        all.set("dt", extension("datetime", pick(INSTANTS)));
        all.set("dur", extension("duration", pick(DURATIONS)));
        ArrayNode numbers = all.putArray("ns");
        ArrayNode entities = all.putArray("es");
        for (int i = random.nextInt(7); i > 0; i--) {
            numbers.add(Long.parseLong(pick(LONGS)));
            entities.add(escaped(uid()));
        }
        ObjectNode nested = all.putObject("r");
        nested.put("n", Long.parseLong(pick(LONGS)));
        if (random.nextBoolean()) {
            nested.put("s", pick(STRINGS));
        }
        ObjectNode some = Oracle.MAPPER.createObjectNode();
        all.properties()
                .forEach(
                        field -> {
                            if (random.nextInt(8) > 0) {
                                some.set(field.getKey(), field.getValue());
                            }
                        });
        if (random.nextInt(20) == 0) {
            some.put("n", "not a number");
        }
        return some;
    }

    private ObjectNode escaped(EntityUid uid) {
        ObjectNode escape = Oracle.MAPPER.createObjectNode();
        escape.set("__entity", reference(uid));
        return escape;
    }

    private static ObjectNode extension(String function, String argument) {
        ObjectNode escape = Oracle.MAPPER.createObjectNode();
        escape.putObject("__extn").put("fn", function).put("arg", argument);
        return escape;
    }

    private String pick(String[] choices) {
        return choices[random.nextInt(choices.length)];
    }
}
