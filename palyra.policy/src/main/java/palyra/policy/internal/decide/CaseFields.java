package palyra.policy.internal.decide;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import palyra.shared.text.Nearest;

/** Strict and friendly access to the fields of a case: each message says where and what instead. */
final class CaseFields {
    private final JsonNode node;
    private final String place;

    /** A missing node is an empty object. */
    CaseFields(JsonNode node, String place, String... keys) {
        this.node = node;
        this.place = place;
        if (!node.isMissingNode() && !node.isObject()) {
            throw refused("an object, in braces, is expected here");
        }
        Set<String> known = new LinkedHashSet<>(Arrays.asList(keys));
        node.fieldNames().forEachRemaining(key -> known(key, known));
    }

    private void known(String key, Set<String> known) {
        if (!known.contains(key)) {
            throw refused("the key \"" + key + "\" is not known here; " + instead(key, known));
        }
    }

    private static String instead(String key, Set<String> known) {
        return Nearest.to(key, known)
                .map(each -> "did you mean \"" + each + "\"?")
                .orElse("there may be " + String.join(", ", known));
    }

    IllegalArgumentException refused(String what) {
        return new IllegalArgumentException(place + ": " + what);
    }

    boolean has(String key) {
        return node.has(key);
    }

    JsonNode get(String key) {
        return node.path(key);
    }

    String place(String key) {
        return place + ", " + key;
    }

    String text(String key, String otherwise) {
        return optional(key).orElse(otherwise);
    }

    Optional<String> optional(String key) {
        JsonNode value = node.path(key);
        if (value.isMissingNode()) {
            return Optional.empty();
        }
        if (!value.isTextual()) {
            throw refused("\"" + key + "\" is not a text in quotes");
        }
        return Optional.of(value.textValue());
    }

    String required(String key) {
        return optional(key).orElseThrow(() -> refused("\"" + key + "\" is missing"));
    }

    boolean bool(String key, boolean otherwise) {
        JsonNode value = node.path(key);
        if (value.isMissingNode()) {
            return otherwise;
        }
        if (!value.isBoolean()) {
            throw refused("\"" + key + "\" is neither true nor false");
        }
        return value.booleanValue();
    }

    int number(String key, int otherwise) {
        JsonNode value = node.path(key);
        if (value.isMissingNode()) {
            return otherwise;
        }
        if (!value.isIntegralNumber() || !value.canConvertToInt()) {
            throw refused("\"" + key + "\" is not a whole number");
        }
        return value.intValue();
    }

    Set<String> texts(String key) {
        Set<String> texts = new TreeSet<>();
        for (JsonNode each : list(key)) {
            if (!each.isTextual()) {
                throw refused("\"" + key + "\" is not a list of texts");
            }
            texts.add(each.textValue());
        }
        return texts;
    }

    Set<Integer> numbers(String key) {
        Set<Integer> numbers = new TreeSet<>();
        for (JsonNode each : list(key)) {
            if (!each.isInt()) {
                throw refused("\"" + key + "\" is not a list of whole numbers");
            }
            numbers.add(each.intValue());
        }
        return numbers;
    }

    private JsonNode list(String key) {
        JsonNode value = node.path(key);
        if (!value.isMissingNode() && !value.isArray()) {
            throw refused("\"" + key + "\" is not a list, in brackets");
        }
        return value;
    }

    /** Returns a name, given as a text or as {@code id} of an object. */
    String nameOf(String key, String otherwise) {
        JsonNode value = node.path(key);
        return value.isObject() ? value.path("id").asText(otherwise) : text(key, otherwise);
    }
}
