package palyra.api.model;

import java.util.List;
import java.util.Map;
import palyra.api.Require;
import palyra.api.tool.ToolDescriptor;

/**
 * A request for one turn of a model.
 *
 * @param requestId unique for each attempt; names the running call in {@link ModelProvider#cancel}
 * @param runId run the turn belongs to
 * @param model name of the model within the provider; empty means the provider's default
 * @param messages the conversation, oldest first; never empty
 * @param tools tools offered to the model; may be empty
 * @param testAgent whether the agent is marked as a test agent: only then may a provider obey a
 *     script inside a message
 * @param deadlineMillis unix time in milliseconds when the engine gives up
 * @param caller on whose behalf
 * @param maxOutputTokens limit of output tokens; 0 means the provider's default
 * @param options further parameters of the model, such as {@code temperature}, as the operator's
 *     profile has them; a provider passes on what it knows and refuses what it does not
 */
public record ModelRequest(
        String requestId,
        String runId,
        String model,
        List<ModelMessage> messages,
        List<ToolDescriptor> tools,
        boolean testAgent,
        long deadlineMillis,
        ModelCaller caller,
        int maxOutputTokens,
        Map<String, String> options) {
    /** Checks and copies. */
    public ModelRequest {
        Require.text(requestId, "model request id");
        runId = Require.orEmpty(runId);
        model = Require.orEmpty(model);
        messages = List.copyOf(messages);
        tools = List.copyOf(tools);
        Require.present(caller, "caller of a model");
        Require.that(maxOutputTokens >= 0, "a number of tokens is at least 0");
        options = Map.copyOf(options);
        Require.that(!messages.isEmpty(), "a model request needs at least one message");
    }

    /** Creates a request whose caller is not known. */
    public ModelRequest(
            String requestId,
            String runId,
            String model,
            List<ModelMessage> messages,
            List<ToolDescriptor> tools,
            boolean testAgent,
            long deadlineMillis) {
        this(
                requestId,
                runId,
                model,
                messages,
                tools,
                testAgent,
                deadlineMillis,
                ModelCaller.UNKNOWN,
                0,
                Map.of());
    }
}
