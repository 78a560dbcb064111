package palyra.gateway.internal.fold;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Optional;
import java.util.function.Predicate;
import palyra.api.model.ModelMessage;

/**
 * A history as bytes: JSON of all that it knows. A form that lacks a member, or has one more, is
 * none that this reader takes, so that a change that forgot {@link #FORMAT} makes runs be folded
 * from their tapes and nothing worse. Pure.
 */
public final class Snapshot {
    /**
     * Version of the form. Raised when a member of it changes or when the fold makes something else
     * of the same records.
     */
    public static final int FORMAT = 3;

    private static final ObjectMapper MAPPER =
            JsonMapper.builder()
                    .addMixIn(ModelMessage.class, Kinds.class)
                    .enable(
                            DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES,
                            DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES,
                            DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES,
                            DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                    .build();

    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "is")
    @JsonSubTypes({
        @JsonSubTypes.Type(value = ModelMessage.System.class, name = "system"),
        @JsonSubTypes.Type(value = ModelMessage.User.class, name = "user"),
        @JsonSubTypes.Type(value = ModelMessage.Assistant.class, name = "assistant"),
        @JsonSubTypes.Type(value = ModelMessage.ToolOutput.class, name = "tool_output")
    })
    private interface Kinds {}

    private Snapshot() {}

    /**
     * Returns a history as bytes; empty when they would be more than {@code mostBytes}, and for a
     * history with a record that this engine does not know: another one may.
     */
    public static Optional<byte[]> write(RunHistory history, int mostBytes) {
        RunHistory.Image image = history.image();
        if (!image.unknownType().isEmpty()) {
            return Optional.empty();
        }
        Bounded bytes = new Bounded(mostBytes);
        try {
            MAPPER.writeValue(bytes, image);
            return Optional.of(bytes.toByteArray());
        } catch (IOException | TooMany e) {
            return Optional.empty();
        }
    }

    /**
     * Returns the history that was written; empty when the bytes are not a snapshot, and when a
     * text in them may not be told.
     */
    public static Optional<RunHistory> read(byte[] content, Predicate<String> mayBeTold) {
        return tree(content).filter(tree -> mayBeTold(tree, mayBeTold)).flatMap(Snapshot::history);
    }

    private static Optional<JsonNode> tree(byte[] content) {
        try {
            return Optional.of(MAPPER.readTree(content));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** What is no history fails as one of many exceptions: a record's own among them. */
    private static Optional<RunHistory> history(JsonNode tree) {
        try {
            return Optional.of(new RunHistory(MAPPER.treeToValue(tree, RunHistory.Image.class)));
        } catch (IOException | RuntimeException e) {
            return Optional.empty();
        }
    }

    private static boolean mayBeTold(JsonNode node, Predicate<String> text) {
        if (node.isTextual()) {
            return text.test(node.textValue());
        }
        for (JsonNode child : node) {
            if (!mayBeTold(child, text)) {
                return false;
            }
        }
        return true;
    }

    private static final class TooMany extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    /** Takes so many bytes and refuses more. */
    private static final class Bounded extends ByteArrayOutputStream {
        private final int most;

        Bounded(int most) {
            this.most = most;
        }

        @Override
        public synchronized void write(byte[] from, int offset, int length) {
            if (count > most - length) {
                throw new TooMany();
            }
            super.write(from, offset, length);
        }
    }
}
