package palyra.config.internal;

import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Formats values for users. */
final class DisplayValues {
    private static final String WITHHELD = "(set, not shown)";

    private DisplayValues() {}

    static String value(Object value, Optional<Attribute> attribute) {
        boolean secret = attribute.map(Attribute::isSecret).orElse(true);
        if (secret) {
            return WITHHELD;
        }
        return value instanceof ListValue list
                ? list.items().stream().map(Object::toString).collect(Collectors.joining(", "))
                : value.toString();
    }

    static String defaults(Attribute attribute) {
        List<String> defaults = attribute.defaults();
        return attribute.isSecret() && !defaults.isEmpty() ? WITHHELD : String.join(", ", defaults);
    }
}
