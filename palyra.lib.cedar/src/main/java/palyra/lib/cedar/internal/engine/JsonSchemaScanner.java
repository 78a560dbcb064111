package palyra.lib.cedar.internal.engine;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Refuses a schema in JSON that would grow beyond bounds in native code. */
final class JsonSchemaScanner {
    private final Map<String, List<String>> bodies = new HashMap<>();
    private final List<String[]> uses = new ArrayList<>();
    private long declarations;
    private long combinations;

    private JsonSchemaScanner() {}

    /** Returns the problem; empty if the schema is valid. */
    static String problem(Map<String, Object> schema) {
        JsonSchemaScanner scanner = new JsonSchemaScanner();
        schema.forEach(scanner::namespace);
        return scanner.verdict();
    }

    private void namespace(String name, Object content) {
        if (!(content instanceof Map<?, ?> parts)) {
            return; // native code says what was expected
        }
        if (parts.get("commonTypes") instanceof Map<?, ?> types) {
            types.forEach((type, body) -> bodies.put(full(name, (String) type), names(body)));
        }
        if (parts.get("entityTypes") instanceof Map<?, ?> types) {
            declarations += types.size();
            names(types).forEach(used -> uses.add(new String[] {name, used}));
        }
        if (parts.get("actions") instanceof Map<?, ?> actions) {
            declarations += actions.size();
            names(actions).forEach(used -> uses.add(new String[] {name, used}));
            actions.values().forEach(this::action);
        }
    }

    private static String full(String namespace, String type) {
        return namespace.isEmpty() ? type : namespace + "::" + type;
    }

    private void action(Object action) {
        if (action instanceof Map<?, ?> parts && parts.get("appliesTo") instanceof Map<?, ?> to) {
            combinations += count(to.get("principalTypes")) * count(to.get("resourceTypes"));
        }
    }

    private static long count(Object types) {
        return types instanceof List<?> list ? list.size() : 0;
    }

    /** Returns every text below {@code node} that could name a type. */
    private static List<String> names(Object node) {
        List<String> found = new ArrayList<>();
        collect(node, found);
        return found;
    }

    private static void collect(Object node, List<String> found) {
        if (node instanceof Map<?, ?> members) {
            members.forEach(
                    (key, value) -> {
                        if (value instanceof String text
                                && (key.equals("type") || key.equals("name"))) {
                            found.add(text);
                        } else {
                            collect(value, found);
                        }
                    });
        } else if (node instanceof List<?> items) {
            items.forEach(item -> collect(item, found));
        }
    }

    private String verdict() {
        return SchemaBounds.problem(bodies, uses, declarations, combinations);
    }
}
