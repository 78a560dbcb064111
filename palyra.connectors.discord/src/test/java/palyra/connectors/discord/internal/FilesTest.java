package palyra.connectors.discord.internal;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.channel.Conversation;
import palyra.api.channel.Delivery;
import palyra.api.channel.InboundMessage.Attachment;
import palyra.api.channel.OutboundMessage;
import palyra.testing.discord.Channel;
import palyra.testing.discord.FakeDiscord;
import palyra.testing.discord.Faults;
import palyra.testing.discord.Message;
import palyra.testing.discord.Permission;
import palyra.testing.discord.Posted;
import palyra.testing.http.FaultyApi.Fault;

/** Files that people attach, and files that are sent to them. */
class FilesTest {
    private static final byte[] PLAN = "the plan".getBytes(StandardCharsets.UTF_8);

    private final Stage stage = new Stage().ready();
    private final Conversation anna = Stage.direct(stage.dm);

    @AfterEach
    void close() {
        List<String> broken = stage.discord.violations();
        stage.close();
        assertEquals(List.of(), broken, "Discord's rules");
    }

    private Message said;

    private Attachment attached() {
        said = stage.discord.say(stage.anna, stage.dm, "read this", Map.of("plan.txt", PLAN));
        stage.awaitTexts("read this");
        return stage.context.stored().getLast().attachments().getFirst();
    }

    private byte[] fetch(Attachment file, long most) throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        stage.connector.fetch(file, out, most);
        return out.toByteArray();
    }

    private PalyraException refused(Attachment file, long most) {
        return assertThrows(PalyraException.class, () -> fetch(file, most));
    }

    @Test
    void anAddressThatExpiredIsAskedForAgain() throws Exception {
        Attachment file = attached();
        stage.discord.expireFiles();
        assertArrayEquals(PLAN, fetch(file, PLAN.length));
        assertTrue(
                stage.loopback.sent().getLast().secretHeaders().isEmpty(),
                "the server of files gets no token");
    }

    @Test
    void whatDiscordDoesNotHaveAnyMoreIsNotFound() {
        Attachment file = attached();
        stage.discord.failDownloads(
                exchange -> exchange.answer(404, "text/plain", "no longer available"));
        assertEquals(ErrorCode.NOT_FOUND, refused(file, 100).code());
        stage.discord.delete(said);
        assertEquals(ErrorCode.NOT_FOUND, refused(file, 100).code());
        Attachment foreign = new Attachment("plan.txt", "", 8, "https://example.org/plan.txt");
        assertEquals(ErrorCode.NOT_FOUND, refused(foreign, 100).code());
    }

    @Test
    void anEndlessFileEndsAtTheBound() {
        Attachment file = attached();
        stage.discord.failDownloads(Faults.endless());
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        PalyraException refused =
                assertThrows(PalyraException.class, () -> stage.connector.fetch(file, out, 50_000));
        assertEquals(ErrorCode.RESOURCE_EXHAUSTED, refused.code());
        assertTrue(out.size() <= 50_000, out.size() + " bytes");
    }

    @Test
    void aRedirectIsNotFollowed() {
        Attachment file = attached();
        stage.discord.failDownloads(
                exchange ->
                        exchange.answer(
                                302, "text/plain", "", "Location: http://127.0.0.1:1/elsewhere"));
        PalyraException refused = refused(file, 100);
        assertEquals(ErrorCode.TOOL_UNAVAILABLE, refused.code());
        assertTrue(refused.getMessage().contains("302"), refused.getMessage());
    }

    @Test
    void aMessageThatMayNotBeReadIsDenied() {
        Channel room = stage.discord.textChannel(stage.discord.guild("guild"), "room");
        Message message =
                stage.discord.say(
                        stage.anna,
                        room,
                        stage.discord.bot().mention() + " look",
                        Map.of("plan.txt", PLAN));
        stage.awaitTexts("look");
        Attachment file = stage.context.stored().getLast().attachments().getFirst();
        assertTrue(file.reference().contains(message.id()), file.reference());
        stage.discord.deny(room, Permission.READ_MESSAGE_HISTORY);
        PalyraException refused = refused(file, 100);
        assertEquals(ErrorCode.DENIED, refused.code());
        assertTrue(refused.getMessage().contains("Read Message History"), refused.getMessage());
    }

    private OutboundMessage file(String key, String text, String name, int bytes) {
        return new OutboundMessage(
                key,
                anna,
                "",
                "",
                "",
                text,
                List.of(),
                List.of(
                        new OutboundMessage.File(
                                name,
                                "text/plain",
                                bytes,
                                () -> new ByteArrayInputStream(new byte[bytes]))));
    }

    private Posted last() {
        return stage.discord.posted(stage.dm).getLast();
    }

    @Test
    void aFileHasItsNameAndTheKeyOfItsMessage() {
        OutboundMessage message = file("key-file", "The plan.", "plän \"1\".txt", 10);
        assertInstanceOf(Delivery.Delivered.class, stage.connector.send(message));
        assertEquals("The plan.", last().content());
        assertEquals(List.of("plän \"1\".txt"), last().attachments());
        JsonNode asked = last().asked().getFirst();
        assertEquals("key-file", asked.path("nonce").asText());
        assertTrue(asked.path("enforce_nonce").asBoolean());
        assertEquals(0, asked.path("allowed_mentions").path("parse").size());
    }

    @Test
    void aFileThatIsTooLargeIsRefusedWithWhatToDo() {
        stage.discord.fail(FakeDiscord.POST, Faults.tooLarge());
        Delivery.Refused refused =
                assertInstanceOf(
                        Delivery.Refused.class,
                        stage.connector.send(file("key-1", "", "plan.txt", 10)));
        assertTrue(refused.reason().contains("10 MiB"), refused.reason());
        assertEquals(List.of(), stage.discord.posted(stage.dm));
    }

    @Test
    void aLostAnswerIsFoundByTheSizeOfTheFile() {
        OutboundMessage lost = file("key-1", "", "plan.txt", 10);
        stage.discord.fail(FakeDiscord.POST, Fault.droppedAfter());
        assertInstanceOf(Delivery.Unknown.class, stage.connector.send(lost));
        OutboundMessage other = file("key-2", "", "plan.txt", 11);
        stage.swap();
        assertInstanceOf(
                Delivery.RetryAfter.class,
                stage.connector.lookup(other),
                "a file of another size is not this one");
        assertInstanceOf(Delivery.Delivered.class, stage.connector.lookup(lost));
        assertEquals(1, stage.discord.posted(stage.dm).size());
    }

    @Test
    void withoutThePermissionItIsSaidWhichOneIsMissing() {
        Channel room = stage.discord.textChannel(stage.discord.guild("guild"), "room");
        stage.discord.deny(room, Permission.ATTACH_FILES);
        OutboundMessage message =
                new OutboundMessage(
                        "key-1",
                        Stage.room(room),
                        "",
                        "",
                        "",
                        "",
                        List.of(),
                        file("key-1", "", "plan.txt", 10).files());
        Delivery.Refused refused =
                assertInstanceOf(Delivery.Refused.class, stage.connector.send(message));
        assertTrue(refused.reason().contains("Attach Files"), refused.reason());
    }

    @Test
    void filesComeFromServersOfFilesAlone() {
        DiscordSettings discord = Settings.of("https://discord.com/api/v10");
        for (String url :
                List.of(
                        "https://cdn.discordapp.com/attachments/1/2/a.txt?ex=1",
                        "https://media.discordapp.net/attachments/1/2/a.txt")) {
            assertTrue(discord.isOfFiles(url), url);
        }
        for (String url :
                List.of(
                        "http://cdn.discordapp.com/a.txt",
                        "https://cdn.discordapp.com:8443/a.txt",
                        "https://cdn.discordapp.com@example.org/a.txt",
                        "https://cdn.discordapp.com.example.org/a.txt",
                        "https://user@cdn.discordapp.com/a.txt",
                        "https://169.254.169.254/latest",
                        "file:///etc/passwd",
                        "not an address",
                        "")) {
            assertFalse(discord.isOfFiles(url), url);
        }
        assertFalse(stage.settings.isOfFiles("https://cdn.discordapp.com/a.txt"));
    }
}
