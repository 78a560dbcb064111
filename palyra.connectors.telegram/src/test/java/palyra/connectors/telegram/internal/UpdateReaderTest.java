package palyra.connectors.telegram.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import palyra.api.PalyraException;
import palyra.api.channel.InboundAction;
import palyra.api.channel.InboundMessage;
import palyra.api.channel.InboundMessage.Attachment;
import palyra.api.channel.InboundMessage.Event;

class UpdateReaderTest {
    private static final String FROM =
            "'from':{'id':42,'is_bot':false,'first_name':'Anna','last_name':'B'}";
    private static final String GROUP = "'chat':{'id':-100123,'type':'supergroup','title':'Team'}";
    private static final String DIRECT = "'chat':{'id':42,'type':'private','first_name':'Anna'}";
    private static final String IDS = "'message_id':7,'date':1700000000,";

    private final UpdateReader reader = new UpdateReader(new Bot(99, "Palyra_Bot"));

    private Inbound read(String kind, String content) {
        try {
            JsonNode update =
                    new ObjectMapper()
                            .readTree(
                                    ("{'update_id':1,'" + kind + "':{" + content + "}}")
                                            .replace('\'', '"'));
            return reader.read(update);
        } catch (java.io.IOException e) {
            throw new AssertionError(e);
        }
    }

    private InboundMessage message(String content) {
        return message("message", content);
    }

    private InboundMessage message(String kind, String content) {
        return assertInstanceOf(Inbound.Message.class, read(kind, content)).message();
    }

    @Test
    void aDirectMessageHasSenderConversationAndTime() {
        InboundMessage read = message(IDS + FROM + "," + DIRECT + ",'text':'hello'");
        assertEquals(Event.WRITTEN, read.event());
        assertEquals("42/7", read.messageId());
        assertEquals("", read.revision());
        assertEquals("42", read.sender().id());
        assertEquals("Anna B", read.sender().name());
        assertTrue(read.sender().verified());
        assertFalse(read.sender().bot());
        assertTrue(read.conversation().direct());
        assertEquals("hello", read.text());
        assertEquals(1_700_000_000_000L, read.sentAtMillis());
        assertFalse(read.mentionsAccount());
    }

    @Test
    void aTopicIsAThreadButAChainOfAnswersIsNot() {
        InboundMessage topic =
                message(
                        IDS
                                + FROM
                                + ","
                                + GROUP
                                + ",'text':'a','message_thread_id':5,'is_topic_message':true");
        assertEquals("5", topic.conversation().thread());
        assertEquals("Team", topic.conversation().name());
        assertFalse(topic.conversation().direct());
        InboundMessage chain =
                message(IDS + FROM + "," + GROUP + ",'text':'a','message_thread_id':5");
        assertEquals("", chain.conversation().thread());
    }

    @Test
    void mentionsAndAnswersAddressTheAccount() {
        assertTrue(
                message(
                                IDS
                                        + FROM
                                        + ","
                                        + GROUP
                                        + ",'text':'\u00fc @palyra_bot go','entities':[{'type':'mention','offset':2,'length':11}]")
                        .mentionsAccount());
        assertTrue(
                message(
                                IDS
                                        + FROM
                                        + ","
                                        + GROUP
                                        + ",'text':'/go@PALYRA_BOT','entities':[{'type':'bot_command','offset':0,'length':14}]")
                        .mentionsAccount());
        assertFalse(
                message(
                                IDS
                                        + FROM
                                        + ","
                                        + GROUP
                                        + ",'text':'/go','entities':[{'type':'bot_command','offset':0,'length':3}]")
                        .mentionsAccount());
        assertFalse(
                message(
                                IDS
                                        + FROM
                                        + ","
                                        + GROUP
                                        + ",'text':'x@palyra_bot2','entities':[{'type':'mention','offset':1,'length':12}]")
                        .mentionsAccount());
        assertFalse(message(IDS + FROM + "," + GROUP + ",'text':'@palyra_bot'").mentionsAccount());
        InboundMessage named =
                message(
                        IDS
                                + FROM
                                + ","
                                + GROUP
                                + ",'caption':'you, Bob','photo':[{'file_id':'p'}],'caption_entities':["
                                + "{'type':'text_mention','offset':0,'length':3,'user':{'id':99}},"
                                + "{'type':'text_mention','offset':5,'length':3,'user':{'id':43}}]");
        assertTrue(named.mentionsAccount());
        assertEquals(Set.of("43"), named.mentions());
        InboundMessage answer =
                message(
                        IDS
                                + FROM
                                + ","
                                + GROUP
                                + ",'text':'a','reply_to_message':{'message_id':3,'from':{'id':99}}");
        assertTrue(answer.mentionsAccount());
        assertEquals("-100123/3", answer.replyTo());
        InboundMessage other =
                message(
                        IDS
                                + FROM
                                + ","
                                + GROUP
                                + ",'text':'a','reply_to_message':{'message_id':3,'from':{'id':43}}");
        assertFalse(other.mentionsAccount());
        assertEquals("-100123/3", other.replyTo());
    }

    @Test
    void aMessageOfATopicThatTheBotMadeDoesNotAnswerIt() {
        InboundMessage read =
                message(
                        IDS
                                + FROM
                                + ","
                                + GROUP
                                + ",'text':'a','reply_to_message':{'message_id':3,'from':{'id':99},'forum_topic_created':{'name':'x'}}");
        assertFalse(read.mentionsAccount());
        assertEquals("", read.replyTo());
    }

    @Test
    void anEditHasARevisionThatTellsItFromOthers() {
        String edit = IDS + FROM + "," + DIRECT + ",'edit_date':1700000009,'text':";
        InboundMessage one = message("edited_message", edit + "'one'");
        assertEquals(Event.EDITED, one.event());
        assertEquals("42/7", one.messageId());
        assertTrue(one.revision().startsWith("1700000009"), one.revision());
        assertEquals(one.revision(), message("edited_message", edit + "'one'").revision());
        assertFalse(one.revision().equals(message("edited_message", edit + "'two'").revision()));
        assertEquals(1_700_000_009_000L, one.sentAtMillis());
    }

    @Test
    void filesAreAttachmentsAndTheLargestPhotoCounts() {
        InboundMessage read =
                message(
                        IDS
                                + FROM
                                + ","
                                + DIRECT
                                + ",'caption':'look','photo':[{'file_id':'s','file_size':1},{'file_id':'l','file_size':9}]");
        assertEquals("look", read.text());
        assertEquals(List.of(new Attachment("", "image/jpeg", 9, "l")), read.attachments());
        InboundMessage file =
                message(
                        IDS
                                + FROM
                                + ","
                                + DIRECT
                                + ",'animation':{'file_id':'a'},'document':{'file_id':'a','file_name':'x.gif','mime_type':'image/gif'}");
        assertEquals(List.of(new Attachment("", "", -1, "a")), file.attachments());
        InboundMessage voice =
                message(
                        IDS
                                + FROM
                                + ","
                                + DIRECT
                                + ",'voice':{'file_id':'v','mime_type':'audio/ogg','file_size':5}");
        assertEquals(List.of(new Attachment("", "audio/ogg", 5, "v")), voice.attachments());
        assertEquals("", voice.text());
    }

    @Test
    void otherBotsAreFlaggedAndAChatSpeaksForItself() {
        InboundMessage bot =
                message(
                        IDS
                                + "'from':{'id':50,'is_bot':true,'first_name':'B'},"
                                + GROUP
                                + ",'text':'a'");
        assertTrue(bot.sender().bot());
        InboundMessage anonymous =
                message(
                        IDS
                                + "'from':{'id':1087968824,'is_bot':true,'first_name':'Group'},'sender_chat':{'id':-100123,'title':'Team'},"
                                + GROUP
                                + ",'text':'a'");
        assertEquals("-100123", anonymous.sender().id());
        assertEquals("Team", anonymous.sender().name());
        assertFalse(anonymous.sender().bot());
    }

    @Test
    void whatIsNotForTheGatewayIsIgnored() {
        assertInstanceOf(Inbound.Ignored.class, read("poll", "'id':'1'"));
        assertInstanceOf(
                Inbound.Ignored.class,
                read("message", IDS + FROM + "," + GROUP + ",'new_chat_members':[{'id':1}]"));
        assertInstanceOf(
                Inbound.Ignored.class,
                read("message", IDS + "'from':{'id':99,'is_bot':true}," + GROUP + ",'text':'own'"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "'date':1,'chat':{'id':1},'from':{'id':1},'text':'a'",
                "'message_id':1,'chat':{'id':1},'from':{'id':1},'text':'a'",
                "'message_id':1,'date':1,'from':{'id':1},'text':'a'",
                "'message_id':1,'date':1,'chat':{'id':1},'text':'a'",
                "'message_id':'1','date':1,'chat':{'id':1},'from':{'id':1},'text':'a'",
                "'message_id':1,'date':1,'chat':{'id':1},'from':{'id':1.5},'text':'a'",
                "'message_id':1,'date':1,'chat':{'id':1},'from':{'id':1},'voice':{}",
                "'message_id':1,'date':1,'chat':{'id':1,'type':'supergroup'},'from':{'id':1},'text':'a','is_topic_message':true",
            })
    void aMalformedMessageIsRefused(String content) {
        assertThrows(PalyraException.class, () -> read("message", content));
    }

    @Test
    void namesAreOneLineAndHalvesOfCharactersAreReplaced() {
        InboundMessage read =
                message(
                        IDS
                                + "'from':{'id':1,'first_name':'a\\nb\\u0000c"
                                + "x".repeat(300)
                                + "'},"
                                + DIRECT
                                + ",'text':'\\ud83d!'");
        assertTrue(read.sender().name().startsWith("a b cx"), read.sender().name());
        assertEquals(256, read.sender().name().length());
        assertEquals("\ufffd!", read.text());
    }

    @Test
    void aPressHasItsDataAndPlace() {
        Inbound.Press press =
                assertInstanceOf(
                        Inbound.Press.class,
                        read(
                                "callback_query",
                                "'id':'q',"
                                        + FROM
                                        + ",'data':'ok:1','message':{'message_id':3,'is_topic_message':true,'message_thread_id':5,"
                                        + GROUP
                                        + "}"));
        assertEquals("q", press.queryId());
        InboundAction action = press.action().orElseThrow();
        assertEquals("ok:1", action.data());
        assertEquals("42", action.sender().id());
        assertEquals("5", action.conversation().thread());
        assertTrue(
                ((Inbound.Press)
                                read(
                                        "callback_query",
                                        "'id':'q'," + FROM + ",'data':'a','inline_message_id':'x'"))
                        .action()
                        .isEmpty());
        assertThrows(PalyraException.class, () -> read("callback_query", FROM + ",'data':'a'"));
    }
}
