package palyra.lib.cedar.internal.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import palyra.lib.cedar.CedarException;
import palyra.lib.cedar.CedarException.Reason;
import palyra.lib.cedar.Diagnostic;
import palyra.lib.cedar.internal.json.JsonException;
import palyra.lib.cedar.internal.json.JsonReader;
import palyra.lib.cedar.internal.text.Reports;
import palyra.lib.cedar.internal.text.SourceText;

/** Checks entities against a schema. */
final class EntityCheck {
    /** How many entities are looked at one by one to find more than the first error. */
    private static final int ONE_BY_ONE = 1_000;

    private final SourceText source;
    private final List<?> entities;
    private final List<Integer> offsets;

    private EntityCheck(SourceText source, List<?> entities, List<Integer> offsets) {
        this.source = source;
        this.entities = entities;
        this.offsets = offsets;
    }

    /** Reads a file; null when something was added to {@code problems}. */
    static EntityCheck read(SourceText source, List<Diagnostic> problems) {
        try {
            JsonReader reader = JsonReader.strict(source.text());
            Object value = reader.read();
            if (!(value instanceof List<?> entities)) {
                problems.add(Reports.error(source, 0, 0, "entities are a JSON array"));
                return null;
            }
            String problem = Entities.problem(entities);
            if (problem.isEmpty()) {
                return new EntityCheck(source, entities, reader.elementOffsets());
            }
            problems.add(Reports.error(source.file(), problem));
        } catch (JsonException e) {
            problems.add(Reports.error(source, e.offset(), e.offset(), e.getMessage()));
        }
        return null;
    }

    /** Asks native code, which stops at the first error; so entities are also asked for singly. */
    List<Diagnostic> check(SchemaText schema) {
        List<Diagnostic> schemaErrors =
                schema.check().stream().filter(Diagnostic::isError).toList();
        if (!schemaErrors.isEmpty()) {
            return schemaErrors;
        }
        List<String> errors = ask(schema, entities);
        List<Diagnostic> found = new ArrayList<>();
        for (int i = 0; !errors.isEmpty() && i < Math.min(entities.size(), ONE_BY_ONE); i++) {
            int place = offsets.get(i);
            ask(schema, List.of(entities.get(i)))
                    .forEach(each -> found.add(Reports.error(source, place, place, each)));
        }
        if (found.isEmpty()) {
            errors.forEach(each -> found.add(Reports.error(source.file(), each)));
        }
        return found;
    }

    private static List<String> ask(SchemaText schema, List<?> entities) {
        Map<String, Object> answer =
                NativeCalls.operation(
                        "ValidateEntities",
                        Map.of("schema", schema.argument(), "entities", entities));
        if ("true".equals(answer.get("success"))) {
            return List.of();
        }
        List<String> errors = new ArrayList<>();
        NativeCalls.list(answer.get("errors")).forEach(e -> errors.add(NativeCalls.text(e)));
        if (errors.isEmpty() || !"false".equals(answer.get("success"))) {
            throw new CedarException(
                    Reason.FAILED, "The Cedar engine gave no verdict about the entities.");
        }
        return errors;
    }
}
