package palyra.shell.internal.host;

import java.util.LinkedHashMap;
import java.util.Map;

/** Makes maps that keep their order, for {@link palyra.api.command.CommandOutput#fields}. */
public final class Fields {
    private Fields() {}

    /** Returns a map of names and values, given in turns. */
    public static Map<String, Object> of(Object... namesAndValues) {
        Map<String, Object> fields = new LinkedHashMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            fields.put((String) namesAndValues[i], namesAndValues[i + 1]);
        }
        return fields;
    }
}
