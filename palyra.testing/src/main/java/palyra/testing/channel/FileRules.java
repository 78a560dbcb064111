package palyra.testing.channel;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.channel.ConnectorCapabilities.Feature;
import palyra.api.channel.Conversation;
import palyra.api.channel.Delivery;
import palyra.api.channel.InboundMessage;
import palyra.api.channel.OutboundMessage;

/** Files come as they are, no more of them than is wanted, and are sent with their message. */
interface FileRules extends ConnectorRules {
    /** Larger than what is read or sent at once. */
    int FILE_BYTES = 100_000;

    private boolean has(Feature feature) {
        return stage().connector().capabilities().has(feature);
    }

    private static byte[] content() {
        byte[] content = new byte[FILE_BYTES];
        new Random(4711).nextBytes(content);
        return content;
    }

    private InboundMessage.Attachment attached(byte[] content) {
        stage().fixture().attach(ANNA, "read this", "plan.bin", content);
        stage().until(
                        "the file to come in",
                        () ->
                                stage().context().stored().stream()
                                        .anyMatch(one -> !one.attachments().isEmpty()));
        List<InboundMessage.Attachment> files = stage().context().stored().getLast().attachments();
        assertEquals(1, files.size());
        assertEquals("plan.bin", files.getFirst().name());
        assertTrue(
                Set.of(-1L, (long) content.length).contains(files.getFirst().bytes()),
                "the size of a file is told as it is, or as -1: " + files);
        return files.getFirst();
    }

    /** An attached file is fetched as it is, also by a later life, if that is declared. */
    @Test
    default void attachedFilesAreFetched() throws Exception {
        assumeTrue(has(Feature.FILES_IN), "the connector declares no FILES_IN");
        stage().startReady();
        stage().meet(ANNA);
        byte[] content = content();
        InboundMessage.Attachment file = attached(content);
        stage().nextLife();
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        stage().connector().fetch(file, out, content.length);
        assertArrayEquals(content, out.toByteArray());
    }

    /** Of a file that is too large no more is written than is wanted, whatever its size says. */
    @Test
    default void filesAreFetchedUpToTheirBound() {
        assumeTrue(has(Feature.FILES_IN), "the connector declares no FILES_IN");
        stage().startReady();
        stage().meet(ANNA);
        InboundMessage.Attachment file = attached(content());
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        int most = FILE_BYTES - 1;
        PalyraException refused =
                assertThrows(
                        PalyraException.class,
                        () -> stage().connector().fetch(file, out, most),
                        "a file of more than " + most + " bytes was fetched");
        assertEquals(ErrorCode.RESOURCE_EXHAUSTED, refused.code(), refused.getMessage());
        assertTrue(out.size() <= most, out.size() + " bytes were written");
    }

    /** A file that was never there is told so. */
    @Test
    default void missingFilesAreNotFound() {
        assumeTrue(has(Feature.FILES_IN), "the connector declares no FILES_IN");
        stage().startReady();
        stage().meet(ANNA);
        InboundMessage.Attachment other =
                new InboundMessage.Attachment("plan.bin", "", 1, "no reference of anything");
        PalyraException refused =
                assertThrows(
                        PalyraException.class,
                        () ->
                                stage().connector()
                                        .fetch(other, new ByteArrayOutputStream(), FILE_BYTES));
        assertEquals(ErrorCode.NOT_FOUND, refused.code(), refused.getMessage());
    }

    private OutboundMessage withFile(Conversation conversation, String text, byte[] content) {
        OutboundMessage plain = stage().message(conversation, "with a file");
        return new OutboundMessage(
                plain.key(),
                conversation,
                "",
                "",
                "",
                text.isEmpty() ? "" : plain.text(),
                List.of(),
                List.of(
                        new OutboundMessage.File(
                                "report.bin",
                                "application/octet-stream",
                                content.length,
                                () -> new ByteArrayInputStream(content))));
    }

    /** A file arrives as it is with its text, or alone, if that is declared. */
    @Test
    default void sentFilesArrive() {
        assumeTrue(has(Feature.FILES_OUT), "the connector declares no FILES_OUT");
        stage().startReady();
        Conversation anna = stage().meet(ANNA);
        byte[] content = content();
        stage().deliver(withFile(anna, "with a file", content));
        assertEquals(List.of("with a file"), stage().fixture().posted(anna));
        assertFile(content, stage().fixture().files(anna));
        byte[] other = "another\r\n--file".getBytes(StandardCharsets.UTF_8);
        stage().deliver(withFile(anna, "", other));
        assertFile(other, stage().fixture().files(anna));
    }

    private static void assertFile(byte[] content, Map<String, byte[]> files) {
        assertEquals(Set.of("report.bin"), files.keySet(), "files of the message");
        assertArrayEquals(content, files.get("report.bin"));
    }

    /** When the answer to a file is lost, it is no retry, and the file is found. */
    @Test
    default void lostAnswerToAFileIsNeverARetry() {
        assumeTrue(has(Feature.FILES_OUT), "the connector declares no FILES_OUT");
        assumeTrue(stage().fixture().faults().contains(SendFault.LOST_ANSWER), "cannot happen");
        stage().startReady();
        Conversation anna = stage().meet(ANNA);
        OutboundMessage message = withFile(anna, "", content());
        stage().fixture().fail(SendFault.LOST_ANSWER);
        Delivery delivery = stage().send(message);
        stage().fixture().recover();
        assertTrue(
                delivery instanceof Delivery.Unknown || delivery instanceof Delivery.Delivered,
                "the platform has the file, and the connector says " + delivery);
        assertEquals(1, stage().fixture().posted(anna).size(), "one call of send sends once");
        if (has(Feature.LOOKUP)) {
            stage().nextLife();
            assertInstanceOf(Delivery.Delivered.class, stage().connector().lookup(message));
        }
    }
}
