package palyra.shared.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.run.SubmittedMessage;

class SubmissionCodecTest {
    private static SubmittedMessage message(String dedupeKey, String text) {
        return new SubmittedMessage(
                "shell", dedupeKey, "", "work", "laptop", "c1", "default", text, "", true);
    }

    @Test
    void readsBackWhatItWrote() {
        SubmittedMessage message = message("k1", "héllo \ud83d\ude00\n\"quoted\"");
        assertEquals(message, SubmissionCodec.message(SubmissionCodec.messageBytes(message)));
    }

    @Test
    void writesTheCanonicalForm() {
        assertEquals(
                "{\"agentId\":\"default\",\"channel\":\"c1\",\"dedupeKey\":\"k1\","
                        + "\"deviceId\":\"laptop\",\"newSession\":true,"
                        + "\"originKind\":\"interactive\",\"sessionId\":\"\","
                        + "\"sessionKey\":\"work\",\"surface\":\"shell\",\"text\":\"hi\"}",
                new String(
                        SubmissionCodec.messageBytes(message("k1", "hi")), StandardCharsets.UTF_8));
    }

    @Test
    void otherContentUnderTheSameKeyHasAnotherDigest() {
        var first = SubmissionCodec.idempotencyKey("user:a", message("k1", "hi")).orElseThrow();
        var again = SubmissionCodec.idempotencyKey("user:a", message("k1", "hi")).orElseThrow();
        var other = SubmissionCodec.idempotencyKey("user:a", message("k1", "ho")).orElseThrow();
        assertEquals(first, again);
        assertEquals("run.start/user:a/shell", first.scope());
        assertEquals(first.key(), other.key());
        assertNotEquals(first.requestSha256(), other.requestSha256());
    }

    @Test
    void theSameKeyOfTwoPrincipalsIsTwoKeys() {
        assertEquals("user:a/k1", SubmissionCodec.inboxKey("user:a", message("k1", "hi")));
        assertNotEquals(
                SubmissionCodec.inboxKey("user:a", message("k1", "hi")),
                SubmissionCodec.inboxKey("user:b", message("k1", "hi")));
    }

    @Test
    void aMessageWithoutDedupeKeyIsAlwaysNew() {
        assertEquals("", SubmissionCodec.inboxKey("user:a", message("", "hi")));
        assertTrue(SubmissionCodec.idempotencyKey("user:a", message("", "hi")).isEmpty());
    }

    @Test
    void refusesHalfASurrogatePair() {
        PalyraException refused =
                assertThrows(
                        PalyraException.class,
                        () -> SubmissionCodec.messageBytes(message("k", "x\ud83d")));
        assertEquals(ErrorCode.INVALID_ARGUMENT, refused.code());
    }

    @Test
    void theStoredAnswerNamesTheMessage() {
        String id = "01ARZ3NDEKTSV4RRFFQ69G5FAV";
        assertEquals(id, SubmissionCodec.messageId(SubmissionCodec.result(id)));
        assertEquals(
                ErrorCode.CORRUPT,
                assertThrows(PalyraException.class, () -> SubmissionCodec.messageId(new byte[0]))
                        .code());
    }
}
