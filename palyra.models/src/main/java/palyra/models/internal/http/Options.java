package palyra.models.internal.http;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.BigDecimal;
import java.util.Map;
import java.util.TreeSet;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.shared.json.StrictJson;

/** Options of a model profile, as the operator wrote them, put into a request. Pure functions. */
public final class Options {
    /** Type of an option. */
    public enum Kind {
        /** A number. */
        NUMBER,
        /** A whole number. */
        INTEGER,
        /** {@code true} or {@code false}. */
        BOOLEAN,
        /** Text, sent unchanged. */
        TEXT,
        /** Any JSON; other values are sent as text. */
        JSON
    }

    private Options() {}

    /**
     * Puts options into a request under their own names.
     *
     * @param known name and kind of what the server takes
     * @throws PalyraException INVALID_ARGUMENT for another option, or a value of another kind
     */
    public static void put(Map<String, String> options, Map<String, Kind> known, ObjectNode into) {
        for (String name : new TreeSet<>(options.keySet())) {
            Kind kind = known.get(name);
            if (kind == null) {
                throw refused(
                        "The option '"
                                + name
                                + "' is not known to this model provider; it knows "
                                + String.join(", ", new TreeSet<>(known.keySet()))
                                + ".");
            }
            put(name, options.get(name).strip(), kind, into);
        }
    }

    private static void put(String name, String value, Kind kind, ObjectNode into) {
        switch (kind) {
            case NUMBER -> into.put(name, number(name, value));
            case INTEGER -> into.put(name, number(name, value).toBigInteger());
            case BOOLEAN -> into.put(name, truth(name, value));
            case TEXT -> into.put(name, value);
            case JSON -> {
                if (value.matches("(?s)[\\[{\"].*")) {
                    into.set(name, StrictJson.parse(value, "the option " + name));
                } else {
                    into.put(name, value);
                }
            }
        }
    }

    private static BigDecimal number(String name, String value) {
        if (!value.matches("-?[0-9]{1,18}(\\.[0-9]{1,18})?")) {
            throw refused("The option '" + name + "' is a number; write one.");
        }
        return new BigDecimal(value);
    }

    private static boolean truth(String name, String value) {
        if (!value.equals("true") && !value.equals("false")) {
            throw refused("The option '" + name + "' is true or false.");
        }
        return value.equals("true");
    }

    private static PalyraException refused(String message) {
        return new PalyraException(ErrorCode.INVALID_ARGUMENT, message);
    }
}
