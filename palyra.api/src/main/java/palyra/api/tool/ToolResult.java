package palyra.api.tool;

import palyra.api.Require;

/**
 * What a tool answers.
 *
 * @param success whether the tool did what was asked
 * @param outputJson the answer as JSON text; {@code null} or empty becomes {@code {}}
 * @param error one sentence for the model when {@code success} is false; empty otherwise
 */
public record ToolResult(boolean success, String outputJson, String error) {
    /** Normalises absent values. */
    public ToolResult {
        outputJson = outputJson == null || outputJson.isEmpty() ? "{}" : outputJson;
        error = Require.orEmpty(error);
    }

    /** Returns a successful answer. */
    public static ToolResult of(String outputJson) {
        return new ToolResult(true, outputJson, "");
    }

    /** Returns a failure with a sentence that the model can act on. */
    public static ToolResult failed(String error) {
        return new ToolResult(false, "{}", Require.text(error, "tool error"));
    }
}
