package palyra.config.internal;

import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * One key of a configuration, as its metatype declares it.
 *
 * @param id the key
 * @param type type of the value, or of each value of a list
 * @param limit 0 for a single value, else how many values a list may have at most
 * @param required whether a configuration must have it
 * @param defaults default values as text; empty without a default
 * @param options the only values allowed; empty means any
 * @param bounds smallest and largest value, or length of a text
 * @param judge the declaring bundle's own check of one value as text: returns null or empty for a
 *     valid value, otherwise the error
 */
record Attribute(
        String id,
        AttributeType type,
        int limit,
        boolean required,
        List<String> defaults,
        List<String> options,
        Bounds bounds,
        Function<String, String> judge) {

    /** Smallest and largest value, as in the metatype; empty means no bound. */
    record Bounds(String min, String max) {
        static final Bounds OPEN = new Bounds("", "");

        boolean isOpen() {
            return min.isEmpty() && max.isEmpty();
        }

        /**
         * Returns whether a value is within the bounds; a bound that is not a number is ignored.
         */
        boolean hold(BigDecimal measure) {
            return number(min).map(m -> measure.compareTo(m) >= 0).orElse(true)
                    && number(max).map(m -> measure.compareTo(m) <= 0).orElse(true);
        }

        private static Optional<BigDecimal> number(String text) {
            try {
                return text.isEmpty() ? Optional.empty() : Optional.of(new BigDecimal(text));
            } catch (NumberFormatException e) {
                return Optional.empty();
            }
        }

        String words() {
            if (isOpen()) {
                return "";
            }
            return max.isEmpty()
                    ? min + " or more"
                    : min.isEmpty() ? "at most " + max : "from " + min + " to " + max;
        }
    }

    Attribute {
        defaults = List.copyOf(defaults);
        options = List.copyOf(options);
    }

    boolean isList() {
        return limit > 0;
    }

    boolean isSecret() {
        return type == AttributeType.PASSWORD;
    }

    /**
     * Returns whether a value is a default outside the bounds, such as 0 for "as the machine
     * allows", which the component accepts.
     */
    boolean isSpecial(Object value) {
        return type.isNumber()
                && defaults.contains(value.toString())
                && !bounds.hold(new BigDecimal(value.toString()));
    }

    /** Describes the allowed values, for the end of a sentence. */
    String allowed() {
        String one = options.isEmpty() ? anyValue() : "one of " + String.join(", ", options);
        if (!isList()) {
            return one;
        }
        String count = limit == Integer.MAX_VALUE ? "" : " of at most " + limit;
        return "a list" + count + " in [ ], each " + one;
    }

    private String anyValue() {
        if (bounds.isOpen()) {
            return type.words();
        }
        String unit = type == AttributeType.STRING ? " characters" : "";
        String link = type == AttributeType.STRING ? ", " : " ";
        return type.words() + link + bounds.words() + unit + special();
    }

    private String special() {
        List<String> outside =
                type.isNumber()
                        ? defaults.stream()
                                .filter(each -> !bounds.hold(new BigDecimal(each)))
                                .toList()
                        : List.of();
        return outside.isEmpty() ? "" : ", or " + String.join(" or ", outside);
    }
}
