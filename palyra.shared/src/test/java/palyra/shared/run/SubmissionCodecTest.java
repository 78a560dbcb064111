package palyra.shared.run;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.channel.Conversation;
import palyra.api.channel.InboundMessage.Attachment;
import palyra.api.channel.MessageOrigin;
import palyra.api.channel.Sender;
import palyra.api.run.SubmittedMessage;
import palyra.api.run.WhileRunning;

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
    void theGroupsOfThePrincipalAreKeptBesideTheMessageAndAreNoPartOfIt() {
        SubmittedMessage message = message("k1", "hi");
        byte[] bytes = SubmissionCodec.storedBytes(message, Set.of("viewer", "integrator"));
        assertTrue(
                new String(bytes, StandardCharsets.UTF_8)
                        .contains("\"principalGroups\":[\"integrator\",\"viewer\"]"));
        assertEquals(message, SubmissionCodec.message(bytes));
        assertEquals(Set.of("viewer", "integrator"), SubmissionCodec.principalGroups(bytes));
        assertEquals(
                Set.of(), SubmissionCodec.principalGroups(SubmissionCodec.messageBytes(message)));
        assertArrayEquals(
                SubmissionCodec.messageBytes(message),
                SubmissionCodec.storedBytes(message, Set.of()));
    }

    @Test
    void groupsThatAreNoneAreCorrupt() {
        for (String bad : List.of("{\"principalGroups\":[1]}", "[]", "{", "")) {
            PalyraException e =
                    assertThrows(
                            PalyraException.class,
                            () ->
                                    SubmissionCodec.principalGroups(
                                            bad.getBytes(StandardCharsets.UTF_8)),
                            bad);
            assertEquals(ErrorCode.CORRUPT, e.code());
        }
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

    private static final String RUN = "01ARZ3NDEKTSV4RRFFQ69G5FAV";

    private static SubmittedMessage full(String dedupeKey, String runId, boolean allowSensitive) {
        return new SubmittedMessage(
                "grpc",
                dedupeKey,
                "",
                "work",
                "",
                "",
                "",
                "hi",
                "background",
                false,
                runId,
                "My work",
                true,
                "01ARZ3NDEKTSV4RRFFQ69G5FAW",
                allowSensitive);
    }

    @Test
    void theDigestOfAMessageWithoutLaterMembersStaysWhatItWas() {
        assertEquals(
                "bb60a0eb8d7decd22414a23e1c8015d5750f7075f9cf0b3159d76279eb6bc10c",
                SubmissionCodec.idempotencyKey("user:a", message("k1", "hi"))
                        .orElseThrow()
                        .requestSha256());
    }

    @Test
    void readsWhatWasWrittenBeforeThereWereLaterMembers() {
        String stored =
                "{\"agentId\":\"default\",\"channel\":\"c1\",\"dedupeKey\":\"k1\","
                        + "\"deviceId\":\"laptop\",\"newSession\":true,"
                        + "\"originKind\":\"interactive\",\"sessionId\":\"\","
                        + "\"sessionKey\":\"work\",\"surface\":\"shell\",\"text\":\"hi\"}";
        assertEquals(
                message("k1", "hi"),
                SubmissionCodec.message(stored.getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    void laterMembersAreWrittenWhenTheySaySomethingAndReadBack() {
        SubmittedMessage message = full("", RUN, true);
        byte[] bytes = SubmissionCodec.messageBytes(message);
        assertEquals(
                "{\"agentId\":\"\",\"allowSensitiveTools\":true,\"channel\":\"\",\"dedupeKey\":\"\","
                        + "\"deviceId\":\"\",\"newSession\":false,\"originKind\":\"background\","
                        + "\"originRunId\":\"01ARZ3NDEKTSV4RRFFQ69G5FAW\","
                        + "\"requireExisting\":true,\"runId\":\"01ARZ3NDEKTSV4RRFFQ69G5FAV\","
                        + "\"sessionId\":\"\",\"sessionKey\":\"work\",\"sessionLabel\":\"My work\","
                        + "\"surface\":\"grpc\",\"text\":\"hi\"}",
                new String(bytes, StandardCharsets.UTF_8));
        assertEquals(message, SubmissionCodec.message(bytes));
    }

    private static SubmittedMessage from(String revision, Attachment... files) {
        return new SubmittedMessage(
                "fake:main",
                "m1",
                "",
                "key",
                "",
                "fake:main",
                "main",
                "hi",
                "",
                false,
                "",
                "",
                false,
                "",
                false,
                new MessageOrigin(
                        Conversation.direct("c"),
                        new Sender("1", "", false, true),
                        "",
                        "",
                        revision,
                        List.of(files)),
                WhileRunning.QUEUE);
    }

    @Test
    void onlyAChangedMessageHasARevision() {
        String written = new String(SubmissionCodec.messageBytes(from("")), StandardCharsets.UTF_8);
        assertTrue(written.contains("\"messageId\":\"\",\"responsePrefix\":\"\",\"sender\""));
        String changed =
                new String(SubmissionCodec.messageBytes(from("5")), StandardCharsets.UTF_8);
        assertEquals(
                written,
                changed.replace("\"revision\":\"5\",", ""),
                "one that was not changed is as it was before there were revisions");
        assertEquals(from("5"), SubmissionCodec.message(SubmissionCodec.messageBytes(from("5"))));
        assertEquals(from(""), SubmissionCodec.message(SubmissionCodec.messageBytes(from(""))));
    }

    @Test
    void onlyAMessageWithFilesSpeaksOfThem() {
        Attachment plan = new Attachment("plan.pdf", "application/pdf", 12, "ref");
        SubmittedMessage message = from("", plan);
        byte[] bytes = SubmissionCodec.messageBytes(message);
        assertEquals(message, SubmissionCodec.message(bytes));
        assertEquals(List.of(plan), SubmissionCodec.message(bytes).origin().files());
        String without = new String(SubmissionCodec.messageBytes(from("")), StandardCharsets.UTF_8);
        assertFalse(without.contains("files"), "stored messages of earlier versions stay the same");
        assertEquals(
                List.of(),
                SubmissionCodec.message(without.getBytes(StandardCharsets.UTF_8)).origin().files());
        assertThrows(
                PalyraException.class,
                () -> SubmissionCodec.messageBytes(from("", new Attachment("a\uD800", "", 1, "r"))),
                "half of a surrogate pair");
    }

    @Test
    void whatIsKeptOfFilesIsBounded() {
        Attachment large = new Attachment("n", "", 1, "r".repeat(2_048));
        Attachment[] many = java.util.Collections.nCopies(9, large).toArray(new Attachment[0]);
        assertThrows(PalyraException.class, () -> from("", many));
    }

    @Test
    void aChosenRunIdTakesThePlaceOfADedupeKey() {
        var key = SubmissionCodec.idempotencyKey("user:a", full("", RUN, false)).orElseThrow();
        assertEquals("run.start.id/user:a", key.scope());
        assertEquals(RUN, key.key());
        assertEquals("", SubmissionCodec.inboxKey("user:a", full("", RUN, false)));
        var keyed = SubmissionCodec.idempotencyKey("user:a", full("k", RUN, false)).orElseThrow();
        assertEquals("run.start/user:a/grpc", keyed.scope());
        assertEquals("k", keyed.key());
        var otherRun = SubmissionCodec.idempotencyKey("user:a", full("k", "", false)).orElseThrow();
        assertNotEquals(keyed.requestSha256(), otherRun.requestSha256());
    }

    @Test
    void askingForSensitiveToolsIsNoPartOfTheDigest() {
        assertEquals(
                SubmissionCodec.idempotencyKey("user:a", full("k", RUN, false)),
                SubmissionCodec.idempotencyKey("user:a", full("k", RUN, true)));
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
