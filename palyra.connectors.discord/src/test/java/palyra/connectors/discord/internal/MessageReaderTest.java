package palyra.connectors.discord.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import palyra.api.PalyraException;
import palyra.api.channel.InboundMessage;
import palyra.api.channel.InboundMessage.Event;

/** What messages of Discord mean. */
class MessageReaderTest {
    private static final String BOT = "1100000000000000001";
    private static final String ANNA = "1200000000000000001";
    private static final String OTHER_BOT = "1300000000000000001";
    private static final String ROLE = "1350000000000000001";
    private static final String ID = "1400000000000000001";
    private static final Place ROOM = new Place("1234567890123456789", "", false, "room");

    private final MessageReader reader =
            new MessageReader(
                    Settings.of("https://discord.test", true, 1, Set.of()), BOT, one -> ROLE);

    private static ObjectNode message(String author, String content) {
        ObjectNode message =
                DiscordApi.JSON
                        .createObjectNode()
                        .put("id", ID)
                        .put("channel_id", ROOM.channel())
                        .put("type", 0)
                        .put("content", content);
        message.putObject("author").put("id", author).put("username", "anna");
        return message;
    }

    private Inbound read(ObjectNode message) {
        return reader.read(message, Event.WRITTEN, ROOM);
    }

    private InboundMessage taken(ObjectNode message) {
        return assertInstanceOf(Inbound.Message.class, read(message)).message();
    }

    private static ObjectNode mention(ObjectNode message, String id) {
        message.withArray("mentions").addObject().put("id", id);
        return message;
    }

    @Test
    void aMessageHasItsWriterPlaceAndTime() {
        ObjectNode message = message(ANNA, "hello");
        message.putObject("member").put("nick", "Annie");
        InboundMessage taken = taken(message);
        assertEquals(ID, taken.messageId());
        assertEquals(ANNA, taken.sender().id());
        assertEquals("Annie", taken.sender().name());
        assertFalse(taken.sender().bot());
        assertEquals("hello", taken.text());
        assertEquals("room", taken.conversation().name());
        assertFalse(taken.mentionsAccount());
        assertEquals(Snowflakes.millis(Long.parseLong(ID)), taken.sentAtMillis());
    }

    @Test
    void namesFallBackAndAreNeverNull() {
        ObjectNode message = message(ANNA, "hello");
        ((ObjectNode) message.path("author")).putNull("global_name");
        assertEquals("anna", taken(message).sender().name());
        ((ObjectNode) message.path("author")).put("global_name", "Anna");
        assertEquals("Anna", taken(message).sender().name());
    }

    @Test
    void theBotsOwnMentionIsCutAndOthersAreTold() {
        ObjectNode message = message(ANNA, "<@" + BOT + ">, ask <@" + OTHER_BOT + "> for it");
        mention(mention(message, BOT), OTHER_BOT);
        InboundMessage taken = taken(message);
        assertTrue(taken.mentionsAccount());
        assertEquals("ask <@" + OTHER_BOT + "> for it", taken.text());
        assertEquals(Set.of(OTHER_BOT), taken.mentions());
        assertEquals("do it", taken(mention(message(ANNA, "do it <@!" + BOT + ">"), BOT)).text());
    }

    @Test
    void anAnswerToTheBotAddressesItWithoutAMention() {
        ObjectNode message = message(ANNA, "yes").put("type", 19);
        message.putObject("message_reference").put("message_id", "1350000000000000001");
        message.putObject("referenced_message").putObject("author").put("id", BOT);
        InboundMessage taken = taken(message);
        assertTrue(taken.mentionsAccount());
        assertEquals("1350000000000000001", taken.replyTo());
    }

    @Test
    void aMentionAloneIsAMessage() {
        assertEquals("", taken(mention(message(ANNA, "<@" + BOT + ">"), BOT)).text());
    }

    @Test
    void withoutTheIntentWhatIsEmptyIsIgnored() {
        assertInstanceOf(Inbound.Ignored.class, read(message(ANNA, "")));
    }

    @Test
    void theBotsOwnMessagesAreEchoes() {
        assertEquals(new Inbound.Own("key-1"), read(message(BOT, "hi").put("nonce", "key-1")));
        assertEquals(new Inbound.Own(""), read(message(BOT, "hi")));
    }

    @Test
    void otherProgramsAreIgnoredUnlessTheyAreListed() {
        ObjectNode bot = message(OTHER_BOT, "hi");
        ((ObjectNode) bot.path("author")).put("bot", true);
        ObjectNode webhook = message(ANNA, "hi").put("webhook_id", "1360000000000000001");
        assertInstanceOf(Inbound.Ignored.class, read(bot));
        assertInstanceOf(Inbound.Ignored.class, read(webhook));
        MessageReader hearing =
                new MessageReader(
                        Settings.of(
                                "https://discord.test",
                                true,
                                1,
                                Set.of(OTHER_BOT, "1360000000000000001")),
                        BOT,
                        one -> "");
        for (ObjectNode one : new ObjectNode[] {bot, webhook}) {
            Inbound heard = hearing.read(one, Event.WRITTEN, ROOM);
            assertTrue(assertInstanceOf(Inbound.Message.class, heard).message().sender().bot());
        }
    }

    @Test
    void mentionOfTheBotsOwnRoleIsOneOfTheBotAndIsCutFromTheText() {
        ObjectNode message = message(ANNA, "<@&" + ROLE + ">, are <@&1> you there?");
        message.putArray("mention_roles").add(ROLE);
        assertTrue(taken(message).mentionsAccount());
        assertEquals("are <@&1> you there?", taken(message).text());
        ObjectNode unread = message(ANNA, "");
        unread.putArray("mention_roles").add(ROLE);
        assertInstanceOf(Inbound.Ignored.class, read(unread), "the bot may not read it");
    }

    @Test
    void messagesOfTheServiceAreIgnored() {
        for (int type : new int[] {6, 7, 8, 18, 21, 46}) {
            assertInstanceOf(Inbound.Ignored.class, read(message(ANNA, "x").put("type", type)));
        }
    }

    @Test
    void aThreadIsAThreadOfItsChannel() {
        Place thread = new Place("1334567890123456789", ROOM.channel(), false, "t");
        InboundMessage taken =
                assertInstanceOf(
                                Inbound.Message.class,
                                reader.read(message(ANNA, "x"), Event.WRITTEN, thread))
                        .message();
        assertEquals(ROOM.channel(), taken.conversation().id());
        assertEquals("1334567890123456789", taken.conversation().thread());
        assertEquals("1334567890123456789", Place.channel(taken.conversation()));
    }

    @Test
    void anEditCountsWhenThePersonMadeIt() {
        ObjectNode message = message(ANNA, "better");
        assertInstanceOf(
                Inbound.Ignored.class,
                reader.read(message, Event.EDITED, ROOM),
                "a preview was added");
        message.put("edited_timestamp", "2026-11-27T10:00:00.123000+00:00");
        InboundMessage first = edited(message);
        assertEquals(Event.EDITED, first.event());
        assertEquals(1_795_773_600_123L, first.sentAtMillis());
        assertEquals(first.revision(), edited(message).revision());
        message.put("content", "best");
        assertFalse(first.revision().equals(edited(message).revision()));
        for (String noTime : List.of("yesterday", "+999999999-12-31T23:59:59Z")) {
            message.put("edited_timestamp", noTime);
            assertThrows(PalyraException.class, () -> edited(message), noTime);
        }
    }

    private InboundMessage edited(ObjectNode message) {
        return assertInstanceOf(Inbound.Message.class, reader.read(message, Event.EDITED, ROOM))
                .message();
    }

    @Test
    void filesAreToldAndLargeOnesHaveNoReference() {
        ObjectNode message = message(ANNA, "");
        message.withArray("attachments")
                .addObject()
                .put("id", "1370000000000000001")
                .put("filename", "a.txt")
                .put("content_type", "text/plain")
                .put("size", 1_000);
        message.withArray("attachments")
                .addObject()
                .put("id", "1370000000000000002")
                .put("filename", "b.bin")
                .put("size", 1_001);
        InboundMessage taken = taken(message);
        assertEquals(
                ROOM.channel() + "/" + ID + "/1370000000000000001",
                taken.attachments().get(0).reference());
        assertEquals("text/plain", taken.attachments().get(0).mediaType());
        assertEquals("", taken.attachments().get(1).reference());
        assertEquals(1_001, taken.attachments().get(1).bytes());
    }

    @Test
    void whatHasNoIdIsRefused() {
        assertThrows(PalyraException.class, () -> read(message(ANNA, "x").put("id", "x")));
        assertThrows(PalyraException.class, () -> read(message("0", "x")));
    }

    @Test
    void discordSaysWhetherEveryoneIsNotified() {
        ObjectNode message = message(ANNA, "@everyone hi");
        assertEquals(InboundMessage.Broadcast.BY_TEXT, taken(message).broadcast());
        message.put("mention_everyone", false);
        assertEquals(InboundMessage.Broadcast.NO, taken(message).broadcast());
        message.put("mention_everyone", true);
        assertEquals(InboundMessage.Broadcast.YES, taken(message).broadcast());
    }

    @Test
    void idsAreNoPatterns() {
        MessageReader odd =
                new MessageReader(
                        Settings.of("https://discord.test", true, 1, Set.of()), "(", one -> "");
        InboundMessage taken =
                assertInstanceOf(
                                Inbound.Message.class,
                                odd.read(message(ANNA, "hello <@(>"), Event.WRITTEN, ROOM))
                        .message();
        assertEquals("hello", taken.text());
    }
}
