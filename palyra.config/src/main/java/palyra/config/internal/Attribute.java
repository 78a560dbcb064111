package palyra.config.internal;

import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * What a metatype says about one key.
 *
 * @param id the key
 * @param type type of the value, or of each value of a list
 * @param limit 0 for a single value, else how many values a list may have at most
 * @param required whether a configuration without it is not complete
 * @param defaults default values as text; empty when there is none
 * @param options the only values allowed; empty means any
 * @param bounds smallest and largest value, or length of a text
 * @param judge the declaring bundle's own check of one value as text: null or empty for good,
 *     otherwise what is wrong
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

    /** Smallest and largest, as the metatype has them; empty means open. */
    record Bounds(String min, String max) {
        static final Bounds OPEN = new Bounds("", "");

        boolean isOpen() {
            return min.isEmpty() && max.isEmpty();
        }

        /** Returns whether a measure lies within; a bound that is not a number does not count. */
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
     * Returns whether a value is a default that lies beyond the bounds, such as 0 for "as the
     * machine allows": the component takes it all the same.
     */
    boolean isSpecial(Object value) {
        return type.isNumber()
                && defaults.contains(value.toString())
                && !bounds.hold(new BigDecimal(value.toString()));
    }

    /** Returns what may be given, for the end of a sentence. */
    String allowed() {
        String one = options.isEmpty() ? freely() : "one of " + String.join(", ", options);
        if (!isList()) {
            return one;
        }
        String count = limit == Integer.MAX_VALUE ? "" : " of at most " + limit;
        return "a list" + count + " in [ ], each " + one;
    }

    private String freely() {
        if (bounds.isOpen()) {
            return type.words();
        }
        String unit = type == AttributeType.STRING ? " characters" : "";
        String link = type == AttributeType.STRING ? ", " : " ";
        return type.words() + link + bounds.words() + unit + special();
    }

    private String special() {
        List<String> beyond =
                type.isNumber()
                        ? defaults.stream()
                                .filter(each -> !bounds.hold(new BigDecimal(each)))
                                .toList()
                        : List.of();
        return beyond.isEmpty() ? "" : ", or " + String.join(" or ", beyond);
    }
}
