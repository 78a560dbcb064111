package palyra.shared.json;

import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;

/**
 * JSON Canonicalization Scheme, RFC 8785: members sorted by UTF-16 code units, numbers as
 * ECMAScript writes them, no white space. Whole numbers beyond ±2^53 are written as strings, since
 * a double cannot hold them.
 */
public final class Jcs {
    private static final BigInteger EXACT = BigInteger.ONE.shiftLeft(53);

    private Jcs() {}

    /** Returns the canonical bytes (UTF-8) of a value. */
    public static byte[] bytes(JsonNode node) {
        return text(node).getBytes(StandardCharsets.UTF_8);
    }

    /** Returns the canonical text of a value. */
    public static String text(JsonNode node) {
        StringBuilder out = new StringBuilder(256);
        write(node, out);
        return out.toString();
    }

    private static void write(JsonNode node, StringBuilder out) {
        switch (node.getNodeType()) {
            case OBJECT -> object(node, out);
            case ARRAY -> array(node, out);
            case STRING -> string(node.textValue(), out);
            case NUMBER -> number(node, out);
            case BOOLEAN, NULL -> out.append(node.asText());
            default ->
                    throw new PalyraException(
                            ErrorCode.INTERNAL,
                            "a " + node.getNodeType() + " value has no canonical JSON form");
        }
    }

    private static void object(JsonNode node, StringBuilder out) {
        List<String> names = new ArrayList<>(node.size());
        node.fieldNames().forEachRemaining(names::add);
        Collections.sort(names);
        out.append('{');
        for (int i = 0; i < names.size(); i++) {
            if (i > 0) {
                out.append(',');
            }
            string(names.get(i), out);
            out.append(':');
            write(node.get(names.get(i)), out);
        }
        out.append('}');
    }

    private static void array(JsonNode node, StringBuilder out) {
        out.append('[');
        for (int i = 0; i < node.size(); i++) {
            if (i > 0) {
                out.append(',');
            }
            write(node.get(i), out);
        }
        out.append(']');
    }

    private static void string(String text, StringBuilder out) {
        out.append('"');
        for (int i = 0; i < text.length(); i++) {
            escape(text.charAt(i), out);
        }
        out.append('"');
    }

    private static void escape(char c, StringBuilder out) {
        switch (c) {
            case '"' -> out.append("\\\"");
            case '\\' -> out.append("\\\\");
            case '\b' -> out.append("\\b");
            case '\t' -> out.append("\\t");
            case '\n' -> out.append("\\n");
            case '\f' -> out.append("\\f");
            case '\r' -> out.append("\\r");
            default -> {
                if (c < 0x20) {
                    out.append(String.format("\\u%04x", (int) c));
                } else {
                    out.append(c);
                }
            }
        }
    }

    private static void number(JsonNode node, StringBuilder out) {
        if (node.isIntegralNumber()) {
            BigInteger value = node.bigIntegerValue();
            if (value.abs().compareTo(EXACT) > 0) {
                out.append('"').append(value).append('"');
            } else {
                out.append(value);
            }
            return;
        }
        out.append(ecmaScript(node.doubleValue()));
    }

    /**
     * Number::toString of ECMA-262; the shortest digits come from {@link Double#toString}, shortest
     * since JDK 19.
     */
    static String ecmaScript(double value) {
        if (!Double.isFinite(value)) {
            throw new PalyraException(
                    ErrorCode.INVALID_ARGUMENT, "a number that is not finite has no JSON form");
        }
        if (value == 0) {
            return "0";
        }
        BigDecimal shortest = shortest(Math.abs(value));
        String digits = shortest.unscaledValue().toString();
        int point = digits.length() - shortest.scale();
        return (value < 0 ? "-" : "") + layOut(digits, point);
    }

    /** Java writes at least two digits and so may miss a single one that would do, as in 5e-324. */
    private static BigDecimal shortest(double value) {
        BigDecimal written = new BigDecimal(Double.toString(value)).stripTrailingZeros();
        if (written.precision() == 2) {
            BigDecimal single = written.round(new MathContext(1, RoundingMode.HALF_EVEN));
            if (single.doubleValue() == value) {
                return single.stripTrailingZeros();
            }
        }
        return written;
    }

    private static String layOut(String digits, int point) {
        int count = digits.length();
        if (count <= point && point <= 21) {
            return digits + "0".repeat(point - count);
        }
        if (0 < point && point <= 21) {
            return digits.substring(0, point) + "." + digits.substring(point);
        }
        if (-6 < point && point <= 0) {
            return "0." + "0".repeat(-point) + digits;
        }
        int exponent = point - 1;
        String mantissa = count == 1 ? digits : digits.charAt(0) + "." + digits.substring(1);
        return mantissa + "e" + (exponent < 0 ? "-" : "+") + Math.abs(exponent);
    }
}
