package palyra.skills.internal.host;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Iterator;
import java.util.Optional;
import java.util.Set;

/** Fields of a request: each checked when it is read, unknown ones refused. */
final class Fields {
    private final String name;
    private final JsonNode node;

    Fields(String name, JsonNode node) {
        this.name = name;
        this.node = node;
        if (!node.isObject()) {
            throw invalid("is no JSON object");
        }
    }

    private HostError invalid(String what) {
        return HostError.of(HostError.INVALID, "The request of " + name + " " + what + ".");
    }

    /** Refuses every field but these. */
    Fields only(Set<String> known) {
        for (Iterator<String> names = node.fieldNames(); names.hasNext(); ) {
            String field = names.next();
            if (!known.contains(field)) {
                throw invalid("has an unknown field '" + shown(field) + "'; it takes " + known);
            }
        }
        return this;
    }

    private static String shown(String text) {
        String printable = text.replaceAll("\\p{Cntrl}", "?");
        return printable.length() > 80 ? printable.substring(0, 80) + "…" : printable;
    }

    JsonNode get(String field) {
        return node.path(field);
    }

    /** Returns a text that must be there, of 1 to so many characters. */
    String text(String field, int most) {
        return optionalText(field, most)
                .filter(text -> !text.isEmpty())
                .orElseThrow(() -> invalid("lacks the text '" + field + "'"));
    }

    /** Returns a text of at most so many characters; empty when it is not there. */
    Optional<String> optionalText(String field, int most) {
        JsonNode value = node.path(field);
        if (value.isMissingNode() || value.isNull()) {
            return Optional.empty();
        }
        if (!value.isTextual() || value.textValue().length() > most) {
            throw invalid(
                    "has a '" + field + "' that is no text of at most " + most + " characters");
        }
        return Optional.of(value.textValue());
    }

    /** Returns a whole number within bounds, or {@code otherwise} when it is not there. */
    long number(String field, long otherwise, long min, long max) {
        JsonNode value = node.path(field);
        if (value.isMissingNode() || value.isNull()) {
            return otherwise;
        }
        if (!value.isIntegralNumber()
                || !value.canConvertToLong()
                || value.longValue() < min
                || value.longValue() > max) {
            throw invalid(
                    "has a '" + field + "' that is no whole number from " + min + " to " + max);
        }
        return value.longValue();
    }

    /** Returns an object; empty when it is not there. */
    Optional<JsonNode> object(String field) {
        JsonNode value = node.path(field);
        if (value.isMissingNode() || value.isNull()) {
            return Optional.empty();
        }
        if (!value.isObject()) {
            throw invalid("has a '" + field + "' that is no object");
        }
        return Optional.of(value);
    }

    /** Returns bytes given as text in {@code field} or as base64 in {@code field_base64}. */
    Optional<byte[]> bytes(String field, int most) {
        String encoded = field + "_base64";
        Optional<String> text = optionalText(field, most);
        Optional<String> base64 = optionalText(encoded, most * 4 / 3 + 4);
        if (text.isPresent() && base64.isPresent()) {
            throw invalid("has both '" + field + "' and '" + encoded + "'");
        }
        Optional<byte[]> bytes =
                text.map(value -> value.getBytes(StandardCharsets.UTF_8))
                        .or(() -> base64.map(value -> decoded(encoded, value)));
        if (bytes.isPresent() && bytes.get().length > most) {
            throw HostError.of(
                    HostError.LIMIT,
                    "'" + field + "' has " + bytes.get().length + " bytes; at most " + most + ".");
        }
        return bytes;
    }

    private byte[] decoded(String field, String value) {
        try {
            return Base64.getDecoder().decode(value);
        } catch (IllegalArgumentException e) {
            throw invalid("has a '" + field + "' that is no base64");
        }
    }

    /** Puts bytes into an answer: as text when they are UTF-8, else as base64. */
    static void put(ObjectNode answer, String field, byte[] bytes) {
        try {
            answer.put(
                    field,
                    StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString());
        } catch (CharacterCodingException e) {
            answer.put(field + "_base64", Base64.getEncoder().encodeToString(bytes));
        }
    }
}
