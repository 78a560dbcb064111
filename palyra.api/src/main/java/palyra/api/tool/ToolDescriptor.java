package palyra.api.tool;

import java.util.Set;
import palyra.api.Require;

/**
 * The description of a tool for models, policies and users.
 *
 * @param name dotted lower-case name, unique in the system, such as {@code palyra.echo}; at most 64
 *     characters
 * @param description one or two sentences for the model
 * @param inputSchemaJson JSON Schema of the input, an object schema as JSON text
 * @param capabilities what it can reach; empty means nothing outside its own input
 * @param idempotent whether running it twice with the same input is harmless: only such a tool is
 *     started again after a crash, and only if its executor says that it may
 * @param readOnly whether it changes nothing; several read-only calls of one turn may run in
 *     parallel
 * @param timeoutMillis wall-clock limit of one call, 1 to 3,600,000
 * @param maxInputBytes largest input in bytes of UTF-8, 2 to 1,048,576
 */
public record ToolDescriptor(
        String name,
        String description,
        String inputSchemaJson,
        Set<Capability> capabilities,
        boolean idempotent,
        boolean readOnly,
        long timeoutMillis,
        int maxInputBytes) {
    private static final long MAX_TIMEOUT_MILLIS = 3_600_000;
    private static final int MAX_INPUT_BYTES = 1_048_576;

    /** Checks and copies. */
    public ToolDescriptor {
        Require.text(name, "tool name");
        Require.that(
                name.matches("[a-z0-9]+([._-][a-z0-9]+)*") && name.length() <= 64,
                "tool name '"
                        + name
                        + "' is not usable: dotted lower-case words, at most 64 characters");
        Require.text(description, "tool description");
        Require.text(inputSchemaJson, "tool input schema");
        capabilities = Set.copyOf(capabilities);
        Require.that(
                timeoutMillis >= 1 && timeoutMillis <= MAX_TIMEOUT_MILLIS,
                "timeout of tool " + name + " is " + timeoutMillis + " ms: use 1 to 3600000");
        Require.that(
                maxInputBytes >= 2 && maxInputBytes <= MAX_INPUT_BYTES,
                "input limit of tool "
                        + name
                        + " is "
                        + maxInputBytes
                        + " bytes: use 2 to 1048576");
    }

    /** Returns whether any of the capabilities is sensitive. */
    public boolean sensitive() {
        return capabilities.stream().anyMatch(Capability::sensitive);
    }
}
