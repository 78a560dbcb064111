package palyra.policy.internal.cedar;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Converts schemas to their JSON form. The native conversion fails on characters beyond the basic
 * plane and on NUL, so these go through it as private characters.
 */
final class SchemaText {
    private static final Pattern TROUBLE =
            Pattern.compile("[\\x{10000}-\\x{10FFFF}]|\\\\0|\\\\u\\{[0-9a-fA-F]+\\}");
    private static final char FIRST = '\uE000';

    private SchemaText() {}

    /** Only on the thread of the native engine. */
    static JsonNode json(String text) throws Exception {
        List<String> replaced = new ArrayList<>();
        String safe = TROUBLE.matcher(text).replaceAll(found -> stand(found.group(), replaced));
        JsonNode json = Oracle.MAPPER.readTree(Oracle.schemaHere(safe));
        return replaced.isEmpty() ? json : restored(json, replaced);
    }

    /** One private character for each troublesome one, wherever it stands. */
    private static String stand(String found, List<String> replaced) {
        String meaning = meaning(found);
        if (meaning.length() == 1 && meaning.charAt(0) != 0) {
            return Matcher.quoteReplacement(found);
        }
        if (!replaced.contains(meaning)) {
            replaced.add(meaning);
        }
        return String.valueOf((char) (FIRST + replaced.indexOf(meaning)));
    }

    private static String meaning(String found) {
        if (found.equals("\\0")) {
            return "\0";
        }
        return found.startsWith("\\u")
                ? Character.toString(Integer.parseInt(found.substring(3, found.length() - 1), 16))
                : found;
    }

    private static JsonNode restored(JsonNode node, List<String> replaced) {
        if (node.isObject()) {
            ObjectNode copy = JsonNodeFactory.instance.objectNode();
            node.properties()
                    .forEach(
                            f ->
                                    copy.set(
                                            restored(f.getKey(), replaced),
                                            restored(f.getValue(), replaced)));
            return copy;
        }
        if (node.isArray()) {
            ArrayNode copy = JsonNodeFactory.instance.arrayNode();
            node.forEach(n -> copy.add(restored(n, replaced)));
            return copy;
        }
        return node.isTextual()
                ? JsonNodeFactory.instance.textNode(restored(node.textValue(), replaced))
                : node;
    }

    private static String restored(String text, List<String> replaced) {
        String result = text;
        for (int i = 0; i < replaced.size(); i++) {
            result = result.replace(String.valueOf((char) (FIRST + i)), replaced.get(i));
        }
        return result;
    }
}
