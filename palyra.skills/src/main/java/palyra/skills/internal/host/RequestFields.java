package palyra.skills.internal.host;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Collection;
import java.util.Optional;
import java.util.Set;
import palyra.shared.json.JsonFields;

/** Fields of a host function's request; a field with the value null counts as absent. */
final class RequestFields {
    private final String function;
    private final JsonFields given;
    private final JsonFields present;

    RequestFields(String function, JsonNode node) {
        this.function = function;
        this.given = new JsonFields(node, new Refusals(function));
        this.present = given.withoutNulls();
    }

    private record Refusals(String function) implements JsonFields.Refusals {
        /** The value is left out: it may be a secret. */
        @Override
        public HostError wrong(String field, JsonNode found, String wanted) {
            String subject = field.isEmpty() ? "it" : "the field '" + field + "'";
            return invalid(
                    function,
                    subject
                            + (found.isMissingNode() ? " is missing" : " has another type or size")
                            + "; send "
                            + wanted);
        }

        @Override
        public HostError unknown(String field, Collection<String> known) {
            String printable = JsonFields.shown(field.replaceAll("\\p{Cntrl}", "?"));
            return invalid(function, "unknown field '" + printable + "'; it takes " + known);
        }
    }

    private static HostError invalid(String function, String problem) {
        return HostError.of(
                HostError.INVALID, "The request of " + function + " is invalid: " + problem + ".");
    }

    /** Refuses every field but these. */
    void requireOnly(Set<String> known) {
        given.requireOnly(known);
    }

    /** Returns a text of 1 to so many characters; refuses an absent field. */
    String text(String field, int most) {
        String text = present.text(field, most);
        if (text.isEmpty()) {
            throw present.wrong(field, "a text of 1 to " + most + " characters");
        }
        return text;
    }

    /** Returns a text of at most so many characters; empty when the field is absent. */
    Optional<String> optionalText(String field, int most) {
        return present.optionalText(field, most);
    }

    /** Returns a whole number within bounds, or {@code absent} when the field is absent. */
    long number(String field, long absent, long min, long max) {
        return present.number(field, absent, min, max);
    }

    /** Returns an object; empty when the field is absent. */
    Optional<JsonNode> object(String field) {
        return present.object(field);
    }

    /** Returns bytes given as text in {@code field} or as base64 in {@code field_base64}. */
    Optional<byte[]> bytes(String field, int most) {
        String encoded = field + "_base64";
        Optional<String> text = optionalText(field, most);
        Optional<String> base64 = optionalText(encoded, most * 4 / 3 + 4);
        if (text.isPresent() && base64.isPresent()) {
            throw invalid(function, "it has both '" + field + "' and '" + encoded + "'; send one");
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
            throw present.wrong(field, "Base64 (RFC 4648)");
        }
    }

    /** Puts bytes into a response: as text when they are UTF-8, else as Base64. */
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
