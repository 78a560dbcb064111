package palyra.gateway.internal.fold;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.function.BooleanSupplier;
import palyra.api.model.ModelMessage;
import palyra.api.tape.TapeEvent.ToolCallOutput;
import palyra.api.tool.ToolImage;
import palyra.shared.json.Jcs;
import palyra.shared.json.StrictJson;

/**
 * Holds the images of tools' outputs within a bound, so that a run with many of them costs neither
 * other runs nor its requests too much. Pure.
 */
public final class ResultImages {
    /** Most characters of base64 that the images of a conversation have: three large ones. */
    static final long MOST_CHARACTERS = 3L * ((ToolImage.MAX_BYTES + 2) / 3 * 4);

    private static final String OLDER =
            "\n[The gateway left out the image of this result, because newer ones fill the request."
                    + " Read the file again to see it.]";
    private static final String UNSEEN =
            "\n[The image of this result is not shown: the model is not declared to see images.]";

    private ResultImages() {}

    /** Leaves out images of a conversation, the oldest first, until the others fit. */
    static void bound(List<ModelMessage> conversation) {
        long room = MOST_CHARACTERS;
        for (int i = conversation.size() - 1; i >= 0; i--) {
            if (conversation.get(i) instanceof ModelMessage.ToolOutput output
                    && !output.images().isEmpty()) {
                room -= characters(output.images());
                if (room < 0) {
                    conversation.set(i, without(output, OLDER));
                }
            }
        }
    }

    /** Returns a conversation as a model gets it that does not see. */
    public static List<ModelMessage> unseen(List<ModelMessage> conversation) {
        return conversation.stream()
                .map(
                        message ->
                                message instanceof ModelMessage.ToolOutput output
                                                && !output.images().isEmpty()
                                        ? without(output, UNSEEN)
                                        : message)
                .toList();
    }

    private static ModelMessage without(ModelMessage.ToolOutput output, String told) {
        return new ModelMessage.ToolOutput(
                output.callId(), output.toolName(), output.success(), output.text() + told);
    }

    /**
     * Returns an output as it is recorded: without its images when no model of the agent sees, or
     * those of the other calls of the turn leave no room.
     *
     * @param seen whether a model of the agent may see
     * @param others outputs of the turn's other calls
     */
    public static ToolCallOutput recorded(
            ToolCallOutput output, BooleanSupplier seen, List<ToolCallOutput> others) {
        if (output.images().isEmpty()) {
            return output;
        }
        long used = others.stream().mapToLong(other -> characters(other.images())).sum();
        boolean sees = seen.getAsBoolean();
        if (sees && used + characters(output.images()) <= MOST_CHARACTERS) {
            return output;
        }
        return new ToolCallOutput(
                output.callId(),
                output.attempt(),
                output.tool(),
                output.outcome(),
                told(
                        output.outputJson(),
                        sees
                                ? "The image was left out, because other calls of this turn had as"
                                        + " many as fit; read the file again to see it."
                                : "The image was left out: no model of the agent is declared to see"
                                        + " images."),
                output.error());
    }

    private static String told(String outputJson, String sentence) {
        return StrictJson.parse(outputJson, "the output") instanceof ObjectNode output
                ? Jcs.text(output.put("image_note", sentence))
                : outputJson;
    }

    private static long characters(List<ToolImage> images) {
        return images.stream().mapToLong(image -> image.data().length()).sum();
    }
}
