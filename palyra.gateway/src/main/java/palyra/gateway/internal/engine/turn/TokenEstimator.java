package palyra.gateway.internal.engine.turn;

import java.util.List;
import palyra.api.model.ModelMessage;
import palyra.api.model.ToolProposal;
import palyra.api.tool.ToolDescriptor;

/**
 * Estimates how many tokens a request has. No tokenizer is at hand: models differ, and their makers
 * state about four characters of English for a token, fewer for code and other scripts. So bytes of
 * UTF-8 are divided by a configured number, three unless told otherwise, which errs on the side of
 * too many for most texts; each message and call adds a little for its frame. Pure.
 */
final class TokenEstimator {
    /** Tokens for the frame of a message: its role and separators. */
    static final int FRAME = 6;

    /** Tokens for an image, about what the large ones that models take cost. */
    static final int IMAGE = 1_600;

    private final int bytesPerToken;

    TokenEstimator(int bytesPerToken) {
        this.bytesPerToken = bytesPerToken;
    }

    long of(String text) {
        return (bytes(text) + bytesPerToken - 1) / bytesPerToken;
    }

    private static long bytes(String text) {
        long bytes = 0;
        for (int i = 0; i < text.length(); i++) { // without a copy: this is done for every turn
            char c = text.charAt(i);
            bytes += c < 0x80 ? 1 : c < 0x800 || Character.isSurrogate(c) ? 2 : 3;
        }
        return bytes;
    }

    long of(ModelMessage message) {
        long tokens = FRAME + of(message.text());
        switch (message) {
            case ModelMessage.Assistant assistant -> {
                for (ToolProposal proposal : assistant.proposals()) {
                    tokens +=
                            FRAME
                                    + of(proposal.callId())
                                    + of(proposal.toolName())
                                    + of(proposal.inputJson());
                }
            }
            case ModelMessage.ToolOutput output ->
                    tokens += of(output.callId()) + (long) IMAGE * output.images().size();
            case ModelMessage.System ignored -> {}
            case ModelMessage.User ignored -> {}
        }
        return tokens;
    }

    long of(List<ModelMessage> messages) {
        return messages.stream().mapToLong(this::of).sum();
    }

    long ofTools(List<ToolDescriptor> tools) {
        return tools.stream()
                .mapToLong(
                        tool ->
                                FRAME
                                        + of(tool.name())
                                        + of(tool.description())
                                        + of(tool.inputSchemaJson()))
                .sum();
    }
}
