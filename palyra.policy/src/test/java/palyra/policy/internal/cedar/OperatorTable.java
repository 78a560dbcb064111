package palyra.policy.internal.cedar;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** The table of expressions and what each must give. */
final class OperatorTable {

    /** One line of it. */
    record Row(String expression, String expected) {}

    private OperatorTable() {}

    static List<Row> rows() throws IOException {
        List<Row> rows = new ArrayList<>();
        for (String line : text("operators.txt").lines().toList()) {
            if (!line.isBlank() && !line.startsWith("#")) {
                int arrow = line.lastIndexOf(" => ");
                rows.add(new Row(line.substring(0, arrow), line.substring(arrow + 4).trim()));
            }
        }
        return rows;
    }

    /** One permit a row, so that a row is satisfied, not satisfied or an error. */
    static String policies(List<Row> rows) {
        StringBuilder policies = new StringBuilder();
        for (Row row : rows) {
            policies.append("permit(principal, action, resource) when { ")
                    .append(row.expression())
                    .append(" };\n");
        }
        return policies.toString();
    }

    /** The world of the table, in the form of {@link Recorded}. */
    static JsonNode world() throws IOException {
        ObjectNode world = (ObjectNode) Oracle.MAPPER.readTree(text("world.json"));
        ObjectNode request = Oracle.MAPPER.createObjectNode();
        for (String key : List.of("principal", "action", "resource", "context")) {
            request.set(key, world.remove(key));
        }
        world.putArray("requests").add(request);
        return world;
    }

    private static String text(String name) throws IOException {
        try (InputStream in = OperatorTable.class.getResourceAsStream(name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
