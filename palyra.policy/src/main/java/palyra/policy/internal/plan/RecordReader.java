package palyra.policy.internal.plan;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import palyra.api.tape.TapeRecord;

/**
 * Reads recorded decisions, quickly: a record may be one of a hundred thousand, and only three of
 * its members are looked at.
 */
final class RecordReader {
    static final String ACTION_DECIDED = "access_decision";
    static final String TOOL_DECIDED = "tool_decision";

    private static final String EVIDENCE = "evidence";
    private static final JsonFactory JSON = new JsonFactory();

    private RecordReader() {}

    /** A record that is no decision, or is not readable as one. */
    static final class BrokenException extends Exception {
        private static final long serialVersionUID = 1L;

        BrokenException(String message) {
            super(message, null, false, false);
        }
    }

    /**
     * Reads a record.
     *
     * @return empty when it is no decision
     * @throws BrokenException when it should be one and is not
     */
    static Optional<RecordedDecision> read(TapeRecord record) throws BrokenException {
        boolean tool = record.type().equals(TOOL_DECIDED);
        if (!tool && !record.type().equals(ACTION_DECIDED)) {
            return Optional.empty();
        }
        if (record.payload() == null) {
            throw new BrokenException("its payload was erased");
        }
        Map<String, String> members = members(record.payload());
        String evidence = members.getOrDefault(tool ? "evidenceJson" : EVIDENCE, "");
        Verdict verdict = verdict(members.getOrDefault(tool ? "verdict" : "decision", ""));
        String reference =
                tool
                        ? members.getOrDefault("callId", record.streamId())
                        : record.streamId() + ":" + record.seq();
        return Optional.of(new RecordedDecision(reference, record.timeMillis(), verdict, evidence));
    }

    private static Verdict verdict(String word) throws BrokenException {
        return switch (word) {
            case "allow", "ALLOW" -> Verdict.ALLOW;
            case "deny", "DENY", "no_decision" -> Verdict.DENY;
            case "APPROVAL_REQUIRED" -> Verdict.ASK;
            default -> throw new BrokenException("its decision is not known");
        };
    }

    /** Returns the texts of an object, and its evidence unchanged. */
    private static Map<String, String> members(byte[] payload) throws BrokenException {
        String text = new String(payload, StandardCharsets.UTF_8);
        Map<String, String> members = new HashMap<>();
        try (JsonParser parser = JSON.createParser(text)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw new BrokenException("it is no object");
            }
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                String name = parser.currentName();
                JsonToken value = parser.nextToken();
                if (value == JsonToken.VALUE_STRING) {
                    members.put(name, parser.getText());
                } else if (value == JsonToken.START_OBJECT && name.equals(EVIDENCE)) {
                    members.put(name, object(parser, text));
                } else {
                    parser.skipChildren();
                }
            }
            return members;
        } catch (IOException e) {
            throw new BrokenException("it is not valid JSON");
        }
    }

    private static String object(JsonParser parser, String text) throws IOException {
        int from = (int) parser.currentTokenLocation().getCharOffset();
        parser.skipChildren();
        int to = (int) parser.currentLocation().getCharOffset();
        return text.substring(from, to);
    }
}
