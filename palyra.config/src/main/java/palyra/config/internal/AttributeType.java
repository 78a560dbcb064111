package palyra.config.internal;

import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Optional;
import org.osgi.service.metatype.AttributeDefinition;

/** The types of the metatype service and their conversion from JSON. */
enum AttributeType {
    STRING("text", String.class),
    PASSWORD("a vault: reference", String.class),
    BOOLEAN("true or false", Boolean.class),
    INTEGER("a whole number", Integer.class),
    LONG("a whole number", Long.class),
    SHORT("a whole number", Short.class),
    BYTE("a whole number", Byte.class),
    CHARACTER("one character", Character.class),
    DOUBLE("a number", Double.class),
    FLOAT("a number", Float.class);

    /** More than a long has. */
    private static final int MOST_DIGITS = 20;

    private final String words;
    private final Class<?> javaType;

    AttributeType(String words, Class<?> javaType) {
        this.words = words;
        this.javaType = javaType;
    }

    static AttributeType of(int metatype) {
        return switch (metatype) {
            case AttributeDefinition.BOOLEAN -> BOOLEAN;
            case AttributeDefinition.INTEGER -> INTEGER;
            case AttributeDefinition.LONG -> LONG;
            case AttributeDefinition.SHORT -> SHORT;
            case AttributeDefinition.BYTE -> BYTE;
            case AttributeDefinition.CHARACTER -> CHARACTER;
            case AttributeDefinition.DOUBLE -> DOUBLE;
            case AttributeDefinition.FLOAT -> FLOAT;
            case AttributeDefinition.PASSWORD -> PASSWORD;
            default -> STRING;
        };
    }

    String words() {
        return words;
    }

    Class<?> javaType() {
        return javaType;
    }

    boolean isText() {
        return this == STRING || this == PASSWORD || this == CHARACTER;
    }

    boolean isNumber() {
        return Number.class.isAssignableFrom(javaType);
    }

    /** Returns the value as its Java type; empty when the JSON value is not one of this type. */
    Optional<Object> read(JsonNode node) {
        return switch (this) {
            case STRING, PASSWORD ->
                    node.isTextual() ? Optional.of(node.textValue()) : Optional.empty();
            case CHARACTER ->
                    node.isTextual() && node.textValue().length() == 1
                            ? Optional.of(node.textValue().charAt(0))
                            : Optional.empty();
            case BOOLEAN -> node.isBoolean() ? Optional.of(node.booleanValue()) : Optional.empty();
            case DOUBLE, FLOAT -> fraction(node);
            case INTEGER, LONG, SHORT, BYTE -> whole(node);
        };
    }

    private Optional<Object> fraction(JsonNode node) {
        if (!node.isNumber()) {
            return Optional.empty();
        }
        BigDecimal value = node.decimalValue();
        if (this == FLOAT) {
            return Optional.<Object>of(value.floatValue()).filter(v -> Float.isFinite((Float) v));
        }
        return Optional.<Object>of(value.doubleValue()).filter(v -> Double.isFinite((Double) v));
    }

    private Optional<Object> whole(JsonNode node) {
        Optional<BigInteger> written = wholeNumber(node);
        if (written.isEmpty()) {
            return Optional.empty();
        }
        BigInteger value = written.get();
        int bits = bits();
        if (value.bitLength() >= bits) {
            return Optional.empty();
        }
        return Optional.of(
                switch (bits) {
                    case Byte.SIZE -> (Object) value.byteValue();
                    case Short.SIZE -> value.shortValue();
                    case Integer.SIZE -> value.intValue();
                    default -> value.longValue();
                });
    }

    /** Returns a number that is whole as it is written, with an exponent too, such as 1e3. */
    private static Optional<BigInteger> wholeNumber(JsonNode node) {
        if (node.isIntegralNumber()) {
            return Optional.of(node.bigIntegerValue());
        }
        boolean exponent =
                node.isBigDecimal()
                        && node.decimalValue().scale() <= 0
                        && node.decimalValue().scale() > -MOST_DIGITS;
        return exponent ? Optional.of(node.decimalValue().toBigIntegerExact()) : Optional.empty();
    }

    private int bits() {
        return switch (this) {
            case BYTE -> Byte.SIZE;
            case SHORT -> Short.SIZE;
            case INTEGER -> Integer.SIZE;
            default -> Long.SIZE;
        };
    }
}
