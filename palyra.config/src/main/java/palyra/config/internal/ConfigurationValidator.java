package palyra.config.internal;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import palyra.api.PalyraException;
import palyra.shared.json.StrictJson;
import palyra.shared.text.Nearest;

/** Validates one source against the schema of its PID. Pure; one instance per source. */
final class ConfigurationValidator {
    private static final String VAULT = "vault:";
    private static final int LONGEST_SHOWN = 80;
    private static final int MOST_KEYS_SHOWN = 12;

    private final Source source;
    private final Schema schema;
    private final List<Problem> problems = new ArrayList<>();
    private final Map<String, Object> values = new TreeMap<>();

    /**
     * Result.
     *
     * @param values settings as Java values; meaningless when there are problems
     * @param problems every problem; empty when the source is valid
     */
    record Validation(Map<String, Object> values, List<Problem> problems) {
        Validation {
            values = Map.copyOf(values);
            problems = List.copyOf(problems);
        }

        boolean good() {
            return problems.isEmpty();
        }
    }

    private ConfigurationValidator(Source source, Schema schema) {
        this.source = source;
        this.schema = schema;
    }

    static Validation check(Source source, Schema schema) {
        ConfigurationValidator checker = new ConfigurationValidator(source, schema);
        checker.run();
        return new Validation(checker.values, checker.problems);
    }

    private void run() {
        Target target = source.target();
        if (schema.factory() != target.isInstance()) {
            refuse(
                    schema.factory()
                            ? target.pid()
                                    + " has named instances, and this file has no instance name"
                            : target.pid()
                                    + " has no instances, and this file has an instance name",
                    schema.factory()
                            ? "Name the file " + target.pid() + "~NAME.json."
                            : "Name the file " + target.pid() + ".json.");
            return;
        }
        switch (source.content()) {
            case Source.Broken broken -> refuse(broken.reason(), broken.remedy());
            case Source.Json json -> json.object().properties().forEach(this::member);
            case Source.Texts texts -> texts.settings().forEach(this::text);
        }
    }

    private void member(Map.Entry<String, JsonNode> member) {
        attribute(member.getKey()).ifPresent(known -> take(known, member.getValue()));
    }

    private void text(String key, String text) {
        attribute(key).ifPresent(known -> take(known, node(known, text)));
    }

    private Optional<Attribute> attribute(String key) {
        Attribute known = schema.attributes().get(key);
        if (known == null) {
            refuse("key '" + shorten(key) + "' is not known to " + schema.pid(), suggestion(key));
        }
        return Optional.ofNullable(known);
    }

    private String suggestion(String key) {
        Optional<String> near = Nearest.to(key, schema.attributes().keySet());
        if (near.isPresent()) {
            return "Did you mean '" + near.get() + "'?";
        }
        if (schema.attributes().isEmpty()) {
            return "It takes no keys.";
        }
        List<String> known = List.copyOf(schema.attributes().keySet());
        boolean all = known.size() <= MOST_KEYS_SHOWN;
        return "It takes "
                + String.join(", ", all ? known : known.subList(0, MOST_KEYS_SHOWN))
                + (all ? "." : ", …");
    }

    private void take(Attribute attribute, JsonNode node) {
        Optional<Object> value = attribute.isList() ? list(attribute, node) : one(attribute, node);
        value.ifPresent(v -> values.put(attribute.id(), v));
    }

    private Optional<Object> list(Attribute attribute, JsonNode node) {
        if (!(node instanceof ArrayNode array) || array.size() > attribute.limit()) {
            return unacceptable(attribute, node);
        }
        List<Object> items = new ArrayList<>(array.size());
        for (JsonNode item : array) {
            Optional<Object> value = one(attribute, item);
            if (value.isEmpty()) {
                return value;
            }
            items.add(value.get());
        }
        return Optional.of(new ListValue(attribute.type(), items));
    }

    private Optional<Object> one(Attribute attribute, JsonNode node) {
        Optional<Object> value = attribute.type().read(node);
        if (value.isEmpty()) {
            return unacceptable(attribute, node);
        }
        String text = value.get().toString();
        if (attribute.isSecret() && !text.isEmpty() && !isReference(text)) {
            refuse(
                    "'"
                            + attribute.id()
                            + "' contains a secret; only vault: references are allowed",
                    "Put the secret into the vault and write vault:NAME here.");
            return Optional.empty();
        }
        return acceptable(attribute, value.get(), text) ? value : unacceptable(attribute, node);
    }

    /** Accepts a default outside the bounds, which means "automatic". */
    private static boolean acceptable(Attribute attribute, Object value, String text) {
        boolean listed = attribute.options().isEmpty() || attribute.options().contains(text);
        return attribute.isSpecial(value)
                || (listed && within(attribute, value) && needsCheck(attribute, text));
    }

    private static boolean isReference(String text) {
        return text.startsWith(VAULT)
                && text.length() > VAULT.length()
                && text.chars().noneMatch(c -> c <= ' ' || c == 0x7F);
    }

    private static boolean within(Attribute attribute, Object value) {
        return switch (attribute.type()) {
            case BOOLEAN, CHARACTER, PASSWORD -> true;
            case STRING -> attribute.bounds().hold(BigDecimal.valueOf(((String) value).length()));
            case INTEGER, LONG, SHORT, BYTE, DOUBLE, FLOAT ->
                    attribute.bounds().hold(new BigDecimal(value.toString()));
        };
    }

    /** An empty text means "not set" and is not passed to the declaring bundle's check. */
    private static boolean needsCheck(Attribute attribute, String text) {
        if (text.isEmpty()) {
            return true;
        }
        String verdict = attribute.judge().apply(text);
        return verdict == null || verdict.isEmpty();
    }

    private Optional<Object> unacceptable(Attribute attribute, JsonNode found) {
        String shown = attribute.isSecret() ? "(not shown)" : shorten(asWritten(found));
        refuse(
                "'" + attribute.id() + "' is " + shown + ", but it takes " + attribute.allowed(),
                "Correct the value of '" + attribute.id() + "'.");
        return Optional.empty();
    }

    /** Writes a number without an exponent, unless that would be very long. */
    private static String asWritten(JsonNode found) {
        boolean plain = found.isBigDecimal() && Math.abs(found.decimalValue().scale()) < 30;
        return plain ? found.decimalValue().toPlainString() : found.toString();
    }

    /** Converts plain text to the JSON value of its type; text that does not fit stays text. */
    private static JsonNode node(Attribute attribute, String text) {
        if (!attribute.isList()) {
            return scalar(attribute, text);
        }
        if (text.startsWith("[")) {
            return json(text).orElseGet(() -> JsonNodeFactory.instance.textNode(text));
        }
        ArrayNode array = JsonNodeFactory.instance.arrayNode();
        for (String item : text.isEmpty() ? new String[0] : text.split(",", -1)) {
            array.add(scalar(attribute, item.strip()));
        }
        return array;
    }

    private static JsonNode scalar(Attribute attribute, String text) {
        JsonNode plain = JsonNodeFactory.instance.textNode(text);
        return attribute.type().isText() ? plain : json(text).orElse(plain);
    }

    private static Optional<JsonNode> json(String text) {
        try {
            return Optional.of(StrictJson.parse(text, "value"));
        } catch (PalyraException e) {
            return Optional.empty();
        }
    }

    private void refuse(String what, String remedy) {
        problems.add(
                Problem.error(source.target().toString(), source.id() + ": " + what + ".", remedy));
    }

    private static String shorten(String text) {
        String plain = text.replaceAll("\\p{Cntrl}", "?");
        return plain.length() > LONGEST_SHOWN ? plain.substring(0, LONGEST_SHOWN) + "…" : plain;
    }

    /** Parses the JSON object of a file, or returns why it is not usable. */
    static Source.Content read(byte[] bytes) {
        try {
            JsonNode node = StrictJson.parse(bytes, "it");
            return node instanceof ObjectNode object
                    ? new Source.Json(object)
                    : new Source.Broken(
                            "it holds a JSON value that is not an object",
                            "Write one object: { \"key\": value }.");
        } catch (PalyraException e) {
            return new Source.Broken(parseError(e), "Correct the JSON of the file.");
        }
    }

    /** Removes quoted input from the parser's message, because it may be a secret. */
    private static String parseError(PalyraException refusal) {
        String message = refusal.getMessage().replaceAll("[.;]$", "");
        String masked = message.replaceAll("(?i)(token|value|character) \\(?'[^']*'", "$1 '…'");
        return refusal.getCause() instanceof JsonProcessingException parsing
                        && parsing.getLocation() != null
                ? masked + " (line " + parsing.getLocation().getLineNr() + ")"
                : masked;
    }
}
