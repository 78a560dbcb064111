package palyra.shared.approval;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.shared.json.Jcs;
import palyra.shared.json.StrictJson;

/**
 * The stored forms of questions, answers and grants: RFC 8785 JSON of the record components.
 * Thread-safe. Reading fails with CORRUPT for another form; members that are not known are refused,
 * because what they say might narrow what was allowed.
 */
public final class ApprovalRequestCodec {
    private static final ObjectMapper MAPPER =
            JsonMapper.builder().enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES).build();

    private ApprovalRequestCodec() {}

    /**
     * Returns the stored form of a {@link ApprovalRequestBody}, {@link Vote} or {@link Coverage}.
     */
    public static byte[] bytes(Record value) {
        return Jcs.bytes(MAPPER.valueToTree(value));
    }

    /** Returns the same as text. */
    public static String text(Record value) {
        return Jcs.text(MAPPER.valueToTree(value));
    }

    /** Reads a question. */
    public static ApprovalRequestBody question(byte[] stored) {
        return read(stored, ApprovalRequestBody.class, "question");
    }

    /** Reads an answer. */
    public static Vote vote(byte[] stored) {
        return read(stored, Vote.class, "answer");
    }

    /** Reads what a grant covers. */
    public static Coverage coverage(byte[] stored) {
        return read(stored, Coverage.class, "grant");
    }

    private static <T> T read(byte[] stored, Class<T> type, String what) {
        try {
            return MAPPER.treeToValue(StrictJson.parse(stored, "a stored " + what), type);
        } catch (JsonProcessingException | RuntimeException e) {
            throw new PalyraException(
                    ErrorCode.CORRUPT,
                    "A stored "
                            + what
                            + " cannot be read; it counts as no. Run palyra tape verify.",
                    e);
        }
    }
}
