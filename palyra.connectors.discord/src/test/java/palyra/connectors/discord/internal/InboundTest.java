package palyra.connectors.discord.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.channel.InboundMessage;
import palyra.api.channel.InboundMessage.Event;
import palyra.testing.discord.Channel;
import palyra.testing.discord.Guild;
import palyra.testing.discord.Intent;
import palyra.testing.discord.Message;
import palyra.testing.discord.User;
import palyra.testing.http.FaultyApi.Fault;
import palyra.testing.wait.Await;

/** What comes in through the gateway, from servers, threads, posts and direct conversations. */
class InboundTest {
    private final Stage stage = new Stage();
    private final Guild guild = stage.discord.guild("guild");
    private final Channel room = stage.discord.textChannel(guild, "room");

    @AfterEach
    void close() {
        List<String> broken = stage.discord.violations();
        stage.close();
        assertEquals(List.of(), broken, "Discord's rules");
    }

    private String mention() {
        return "<@" + stage.discord.bot().id() + "> ";
    }

    private InboundMessage taken(int index) {
        return Await.value(
                "message " + index,
                () ->
                        stage.context.stored().size() > index
                                ? java.util.Optional.of(stage.context.stored().get(index))
                                : java.util.Optional.empty());
    }

    private void reading() {
        stage.discord.gateway().grant(Intent.MESSAGE_CONTENT);
        stage.with(true, 1).ready();
    }

    @Test
    void withoutTheIntentMentionsAndDirectMessagesAreReadAndOthersLeft() {
        stage.ready();
        stage.discord.say(stage.anna, room, "just talking");
        stage.discord.say(stage.anna, room, mention() + "are you there?");
        stage.discord.say(stage.anna, stage.dm, "hello");
        stage.awaitTexts("are you there?", "hello");
        InboundMessage first = taken(0);
        assertTrue(first.mentionsAccount());
        assertFalse(first.conversation().direct());
        assertEquals(room.id(), first.conversation().id());
        assertEquals("room", first.conversation().name());
        assertTrue(taken(1).conversation().direct());
    }

    @Test
    void withTheIntentAllIsHandedIn() {
        reading();
        stage.discord.say(stage.anna, room, "just talking");
        stage.awaitTexts("just talking");
        assertFalse(taken(0).mentionsAccount());
    }

    @Test
    void threadsAndPostsAreThreadsOfTheirChannelAlsoAfterASwap() {
        reading();
        Channel forum = stage.discord.forum(guild, "forum");
        Channel thread = stage.discord.thread(stage.anna, room, "thread");
        Channel post = stage.discord.forumPost(stage.anna, forum, "title", "first of the post");
        stage.discord.say(stage.anna, thread, "in the thread");
        stage.awaitTexts("first of the post", "in the thread");
        assertEquals(forum.id(), taken(0).conversation().id());
        assertEquals(post.id(), taken(0).conversation().thread());
        assertEquals(room.id(), taken(1).conversation().id());
        assertEquals(thread.id(), taken(1).conversation().thread());
        stage.connector.stop();
        Channel later = stage.discord.thread(stage.anna, room, "later");
        stage.swap();
        stage.discord.say(stage.anna, thread, "after the swap");
        stage.discord.say(stage.anna, later, "in the later one");
        InboundMessage again = taken(2);
        assertEquals(taken(1).conversation().thread(), again.conversation().thread());
        assertEquals(room.id(), again.conversation().id());
        assertEquals(later.id(), taken(3).conversation().thread());
        assertEquals(room.id(), taken(3).conversation().id());
    }

    @Test
    void aThreadOfAServerThatWasNotToldOfIsAskedFor() {
        reading();
        Channel thread = stage.discord.thread(stage.anna, room, "thread");
        stage.discord.say(stage.anna, stage.dm, "after it");
        taken(0);
        stage.swap(); // the session goes on, and tells of no channel again
        stage.discord.say(stage.anna, thread, "in the thread");
        assertEquals(room.id(), taken(1).conversation().id());
        assertEquals(thread.id(), taken(1).conversation().thread());
        assertEquals(1, stage.discord.calls("GET /channels/{channel_id}").size());
        stage.discord.say(stage.anna, thread, "again");
        taken(2);
        assertEquals(1, stage.discord.calls("GET /channels/{channel_id}").size());
    }

    /** Taken for a channel of its own, its messages would go to another conversation for good. */
    @Test
    void aThreadThatDiscordCannotTellOfNowIsAskedForAgain() {
        reading();
        Channel thread = stage.discord.thread(stage.anna, room, "thread");
        stage.discord.say(stage.anna, stage.dm, "after it");
        taken(0);
        stage.swap();
        stage.discord.fail(
                "GET /channels/{channel_id}",
                Fault.answering(503, "{}"),
                Fault.answering(408, "{}"),
                Fault.garbled());
        stage.discord.say(stage.anna, thread, "in the thread");
        assertEquals(room.id(), taken(1).conversation().id());
        assertEquals(thread.id(), taken(1).conversation().thread());
        stage.awaitState(palyra.api.channel.ConnectorStatus.State.READY);
    }

    @Test
    void rolesThatDiscordCannotTellNowAreAskedForAgain() {
        String own = stage.discord.botRole(guild);
        reading();
        stage.discord.say(stage.anna, stage.dm, "a");
        taken(0);
        stage.swap();
        stage.discord.fail(
                "GET /guilds/{guild_id}/roles", Fault.answering(500, "{}"), Fault.garbled());
        stage.discord.say(stage.anna, room, role(own) + "b");
        assertTrue(taken(1).mentionsAccount());
    }

    private String role(String id) {
        return "<@&" + id + "> ";
    }

    @Test
    void theBotsOwnRoleAddressesItAlsoAfterASwapAndInWhatIsFetched() {
        String own = stage.discord.botRole(guild);
        String other = stage.discord.role(guild, "others");
        reading();
        stage.discord.say(stage.anna, room, role(own) + "one");
        stage.discord.say(stage.anna, room, role(other) + "two");
        stage.awaitTexts("one", role(other) + "two");
        assertTrue(taken(0).mentionsAccount());
        assertFalse(taken(1).mentionsAccount());
        stage.swap(); // the session goes on, and tells of no server again
        stage.discord.say(stage.anna, room, role(own) + "three");
        assertTrue(taken(2).mentionsAccount());
        stage.connector.stop();
        stage.discord.say(stage.anna, room, role(own) + "four");
        stage.discord.say(stage.anna, room, role(other) + "five");
        stage.discord.gateway().forget();
        stage.swap();
        assertEquals("four", taken(3).text());
        assertTrue(taken(3).mentionsAccount());
        assertFalse(taken(4).mentionsAccount());
    }

    @Test
    void rolesThatCannotBeAskedForNowAreAskedForAgain() {
        String own = stage.discord.botRole(guild);
        reading();
        stage.discord.say(stage.anna, stage.dm, "a");
        taken(0);
        stage.swap();
        stage.discord.fail(
                "GET /guilds/{guild_id}/roles",
                palyra.testing.http.FaultyApi.Fault.droppedBefore(),
                palyra.testing.http.FaultyApi.Fault.droppedBefore());
        stage.discord.say(stage.anna, room, role(own) + "b");
        assertTrue(taken(1).mentionsAccount());
        stage.awaitState(palyra.api.channel.ConnectorStatus.State.READY);
        assertEquals("", stage.connector.status().reason());
    }

    /** What it is about was not taken in, so no message that is says that all is well again. */
    @Test
    void troubleThatIsOverIsNotShownAnyMore() {
        reading();
        Channel thread = stage.discord.thread(stage.anna, room, "thread");
        stage.discord.say(stage.anna, stage.dm, "a");
        taken(0);
        stage.swap();
        stage.discord.fail(
                "GET /channels/{channel_id}",
                palyra.testing.http.FaultyApi.Fault.droppedBefore(),
                palyra.testing.http.FaultyApi.Fault.droppedBefore());
        stage.discord.sayByWebhook(thread, "hook", "nothing that is heard");
        Await.until(
                "the questions",
                () -> stage.discord.calls("GET /channels/{channel_id}").size() == 3);
        stage.awaitState(palyra.api.channel.ConnectorStatus.State.READY);
        assertEquals(List.of("a"), stage.texts());
    }

    @Test
    void aReplyNamesWhatItAnswers() {
        stage.ready();
        stage.send("what the bot said");
        Message said = stage.discord.posted(stage.dm).getLast().message();
        stage.discord.reply(stage.anna, said, "yes");
        InboundMessage taken = taken(0);
        assertEquals(said.id(), taken.replyTo());
        assertTrue(taken.mentionsAccount());
    }

    @Test
    void editsAndDeletionsAreTold() {
        stage.ready();
        Message message = stage.discord.say(stage.anna, stage.dm, "helo");
        taken(0);
        stage.discord.edit(message, "hello");
        InboundMessage edited = taken(1);
        assertEquals(Event.EDITED, edited.event());
        assertEquals("hello", edited.text());
        assertEquals(message.id(), edited.messageId());
        stage.discord.delete(message);
        InboundMessage deleted = taken(2);
        assertEquals(Event.DELETED, deleted.event());
        assertEquals(message.id(), deleted.messageId());
        assertEquals(stage.anna.id(), deleted.sender().id());
    }

    @Test
    void aDeletionAfterASwapIsToldAsWell() {
        stage.ready();
        Message message = stage.discord.say(stage.anna, stage.dm, "hello");
        taken(0);
        stage.connector.stop();
        stage.discord.delete(message);
        stage.swap();
        assertEquals(Event.DELETED, taken(1).event());
    }

    @Test
    void manyDeletionsAtOnceAreToldOneByOne() {
        stage.ready();
        Message one = stage.discord.say(stage.anna, stage.dm, "a");
        Message two = stage.discord.say(stage.anna, stage.dm, "b");
        taken(1);
        stage.discord.delete(one, two);
        assertEquals(
                List.of(one.id(), two.id()), List.of(taken(2).messageId(), taken(3).messageId()));
    }

    @Test
    void manyDeletionsAtOnceOfWhichSomeWereToldAreToldByTheNextLife() {
        stage.ready();
        Message one = stage.discord.say(stage.anna, stage.dm, "a");
        Message two = stage.discord.say(stage.anna, stage.dm, "b");
        taken(1);
        AtomicReference<byte[]> between = new AtomicReference<>();
        stage.before =
                message -> {
                    if (message.event() == Event.DELETED && message.messageId().equals(two.id())) {
                        between.compareAndSet(null, stage.context.keptPosition().orElseThrow());
                        throw new PalyraException(ErrorCode.DISK_FULL, "The disk is full.");
                    }
                };
        stage.discord.delete(one, two);
        assertEquals(one.id(), taken(2).messageId());
        Await.until("the other", () -> stage.context.handedIn().size() > 3);
        stage.connector.stop();
        stage.before = message -> {};
        stage.crash(between.get());
        assertEquals(two.id(), taken(3).messageId());
        assertEquals(Event.DELETED, taken(3).event());
    }

    @Test
    void filesAreToldWithReferences() {
        stage.ready();
        stage.discord.say(stage.anna, stage.dm, "see", Map.of("a.txt", new byte[10]));
        InboundMessage taken = taken(0);
        assertEquals("a.txt", taken.attachments().getFirst().name());
        assertEquals(10, taken.attachments().getFirst().bytes());
        assertTrue(
                taken.attachments().getFirst().reference().startsWith(stage.dm.id() + "/"),
                taken.attachments().toString());
    }

    @Test
    void otherProgramsAreHeardWhenTheyAreListed() {
        User listed = stage.discord.otherBot("listed");
        User other = stage.discord.otherBot("other");
        stage.with(false, 1, listed.id()).ready();
        stage.discord.say(other, room, mention() + "from another bot");
        stage.discord.sayByWebhook(room, "hook", mention() + "from a webhook");
        stage.discord.sayElsewhere(room, "from the bot itself");
        stage.discord.say(listed, room, mention() + "from a listed bot");
        stage.awaitTexts("from a listed bot");
        assertTrue(taken(0).sender().bot());
    }

    @Test
    void theBotsOwnMessagesDoNotComeIn() {
        reading();
        stage.connector.send(stage.text(Stage.room(room), "an answer"));
        stage.discord.say(stage.anna, room, "thanks");
        stage.awaitTexts("thanks");
    }
}
