package palyra.api.model;

import java.util.List;
import palyra.api.Require;
import palyra.api.tool.ToolImage;

/** One message of the conversation in a model request. */
public sealed interface ModelMessage {
    /** The text; never null, may be empty for {@link Assistant}. */
    String text();

    /** Instructions from the operator or the agent's author. */
    record System(String text) implements ModelMessage {
        /** Checks. */
        public System {
            Require.present(text, "system text");
        }
    }

    /** The text of a user or of an external event. */
    record User(String text) implements ModelMessage {
        /** Checks. */
        public User {
            Require.present(text, "user text");
        }
    }

    /** The model's answer with the calls it proposed, in order. */
    record Assistant(String text, List<ToolProposal> proposals) implements ModelMessage {
        /** Checks and copies. */
        public Assistant {
            text = Require.orEmpty(text);
            proposals = List.copyOf(proposals);
        }
    }

    /**
     * The outcome of one proposed call, successful or not.
     *
     * @param images images of the output; none for a model that does not see
     */
    record ToolOutput(
            String callId, String toolName, boolean success, String text, List<ToolImage> images)
            implements ModelMessage {
        /** Creates one without images. */
        public ToolOutput(String callId, String toolName, boolean success, String text) {
            this(callId, toolName, success, text, List.of());
        }

        /** Checks and copies. */
        public ToolOutput {
            Require.text(callId, "call id");
            Require.text(toolName, "tool name");
            text = Require.orEmpty(text);
            images = List.copyOf(images);
        }
    }
}
