package palyra.tools.internal.executor;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import palyra.api.PalyraException;
import palyra.api.tool.ToolDescriptor;
import palyra.shared.json.StrictJson;
import palyra.shared.schema.Schema;

/**
 * Checks inputs of one tool by its size limit and its schema. The schema is compiled with the first
 * input, because the validator is slow to load and many starts need none. Thread-safe.
 */
final class InputCheck {
    private final ToolDescriptor descriptor;
    private volatile Schema schema; // null until the first input; two threads may compile it twice

    InputCheck(ToolDescriptor descriptor) {
        this.descriptor = descriptor;
    }

    /** Returns one sentence about what is wrong with the size of an input; empty when it fits. */
    Optional<String> oversize(String inputJson) {
        int limit = descriptor.maxInputBytes();
        int bytes = inputJson.getBytes(StandardCharsets.UTF_8).length;
        return bytes <= limit
                ? Optional.empty()
                : Optional.of(
                        "The input of tool "
                                + descriptor.name()
                                + " has "
                                + bytes
                                + " bytes; at most "
                                + limit
                                + " are allowed. Send less.");
    }

    /** Returns one sentence about what is wrong with an input; empty when the tool may get it. */
    Optional<String> problem(String inputJson) {
        Optional<String> oversize = oversize(inputJson);
        if (oversize.isPresent()) {
            return oversize;
        }
        String what = "The input of " + descriptor.name();
        try {
            return schema().problemOfInput(descriptor.name(), StrictJson.parse(inputJson, what))
                    .map(text -> text + ".");
        } catch (PalyraException e) {
            return Optional.of(e.getMessage());
        }
    }

    /** Returns why the schema is not usable; empty when it is. */
    Optional<String> unusableSchema() {
        try {
            schema();
            return Optional.empty();
        } catch (PalyraException e) {
            return Optional.of(e.getMessage());
        }
    }

    private Schema schema() {
        Schema compiled = schema;
        if (compiled == null) {
            compiled = Schema.of("The input of " + descriptor.name(), descriptor.inputSchemaJson());
            schema = compiled;
        }
        return compiled;
    }
}
