package palyra.policy.internal.cedar;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * Makes policy sets, entities and requests from a seed. Policies mostly have sensible types, so
 * that evaluation goes deep; now and then they have not. Everything draws from small pools, so that
 * things are equal, contained and above each other often.
 */
final class Generator {
    private static final int REQUESTS = 10;

    private final Random random;
    private final ExpressionGenerator expressions;
    private final WorldGenerator worlds;

    Generator(long seed) {
        this.random = new Random(seed);
        this.expressions = new ExpressionGenerator(random);
        this.worlds = new WorldGenerator(random);
    }

    /** Policies and templates as text. */
    record PolicyText(String statics, Map<String, String> templates) {
        String all() {
            return statics + "\n" + String.join("\n", templates.values());
        }
    }

    PolicyText policies() {
        List<String> statics = new ArrayList<>();
        int count = 4 + random.nextInt(12);
        for (int i = 0; i < count; i++) {
            statics.add(policy(false));
        }
        Map<String, String> templates =
                random.nextBoolean() ? Map.of("template", policy(true)) : Map.of();
        return new PolicyText(String.join("\n", statics), templates);
    }

    /** The JSON form of the text with links for its templates. */
    String linked(String est) throws Exception {
        ObjectNode set = (ObjectNode) Oracle.MAPPER.readTree(est);
        ArrayNode links = set.putArray("templateLinks");
        set.path("templates")
                .properties()
                .forEach(
                        template -> {
                            for (int i = 0; i < 3; i++) {
                                links.add(link(template.getKey(), template.getValue(), i));
                            }
                        });
        return set.toString();
    }

    /** Entities and requests in the form of {@link Recorded}. */
    JsonNode world() {
        ObjectNode world = Oracle.MAPPER.createObjectNode();
        world.set("entities", worlds.entities());
        ArrayNode requests = world.putArray("requests");
        for (int i = 0; i < REQUESTS; i++) {
            requests.add(worlds.request());
        }
        return world;
    }

    private ObjectNode link(String template, JsonNode body, int number) {
        ObjectNode link = Oracle.MAPPER.createObjectNode();
        link.put("templateId", template).put("newId", template + "-link" + number);
        ObjectNode values = link.putObject("values");
        for (String part : List.of("principal", "resource")) {
            if (body.get(part).has("slot") || body.get(part).at("/in").has("slot")) {
                values.set("?" + part, worlds.reference(worlds.uid()));
            }
        }
        return link;
    }

    private String policy(boolean template) {
        String effect = random.nextInt(4) > 0 ? "permit" : "forbid";
        String slot = template ? pick("principal", "resource", "both", "both") : "";
        StringBuilder text = new StringBuilder(effect).append("(\n  ");
        text.append(scope("principal", slot.equals("principal") || slot.equals("both")));
        text.append(",\n  ").append(action()).append(",\n  ");
        text.append(scope("resource", slot.equals("resource") || slot.equals("both")));
        text.append("\n)");
        int conditions = random.nextInt(3);
        for (int i = 0; i < conditions; i++) {
            String kind = random.nextInt(3) == 0 ? "unless" : "when";
            text.append('\n').append(kind).append(" { ").append(expressions.condition());
            text.append(" }");
        }
        return text.append(";").toString();
    }

    private String scope(String variable, boolean slot) {
        String target = slot ? "?" + variable : WorldGenerator.text(worlds.uid());
        return switch (random.nextInt(slot ? 3 : 8)) {
            case 0 -> variable + " == " + target;
            case 1 -> variable + " in " + target;
            case 2 -> variable + " is " + worlds.type() + " in " + target;
            case 3 -> variable + " is " + worlds.type();
            default -> variable;
        };
    }

    private String action() {
        return switch (random.nextInt(5)) {
            case 0 -> "action == " + WorldGenerator.text(worlds.action());
            case 1 -> "action in " + WorldGenerator.text(worlds.action());
            case 2 ->
                    "action in ["
                            + WorldGenerator.text(worlds.action())
                            + ", "
                            + WorldGenerator.text(worlds.action())
                            + "]";
            default -> "action";
        };
    }

    private String pick(String... choices) {
        return choices[random.nextInt(choices.length)];
    }
}
