package palyra.skills.internal.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import palyra.api.channel.ConnectorCapabilities;
import palyra.api.channel.ConnectorCapabilities.Feature;
import palyra.api.channel.Conversation;
import palyra.api.channel.MessageOrigin;
import palyra.api.channel.Sender;
import palyra.api.core.access.AccessRequest;
import palyra.api.core.journal.InboxRow;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.OutboxProgress;
import palyra.api.core.journal.OutboxRow;
import palyra.api.core.journal.Unit;
import palyra.api.run.RunState;
import palyra.api.run.SessionView;
import palyra.api.run.SubmittedMessage;
import palyra.api.run.WhileRunning;
import palyra.shared.channel.Outbound;
import palyra.shared.hash.Ulids;
import palyra.shared.json.Jcs;
import palyra.shared.run.SubmissionCodec;
import palyra.skills.internal.host.fakes.Guest;
import palyra.skills.internal.host.fakes.Stage;
import palyra.skills.internal.model.SkillGrants;
import palyra.testing.wait.Await;

/** What skills change, react to and read in conversations, and what they do not get. */
final class ChannelCapabilitiesTest {
    private static final Ulids IDS = new Ulids();
    private static final String CHANNEL = "discord:main";
    private static final Conversation ROOM = Conversation.group("room", "");
    private static final Sender BERT = new Sender("17", "Bert", false, true);

    private final Stage stage = new Stage();
    private final Guest guest = stage.guest();

    @BeforeEach
    void connect() {
        stage.connectors.put(
                CHANNEL, ConnectorCapabilities.of(64, Feature.EDITS, Feature.REACTIONS));
        stage.access.allowing(
                request ->
                        request.owner().isEmpty()
                                || request.owner().equals(request.principal().id()));
    }

    /** Ids of two makers are in order from one millisecond to the next. */
    private static void later() {
        long now = System.currentTimeMillis();
        Await.until("the next millisecond", () -> System.currentTimeMillis() > now);
    }

    private static String quoted(String text) {
        return JsonNodeFactory.instance.textNode(text).toString();
    }

    private String send(String text) {
        return guest.ask(
                        "channel_send",
                        "{\"channel\":\"discord:main\",\"conversation\":\"room\",\"text\":"
                                + quoted(text)
                                + "}")
                .path("outbox_id")
                .asText();
    }

    private JsonNode edit(String id, String text) {
        return guest.ask(
                "channel_edit", "{\"outbox_id\":" + quoted(id) + ",\"text\":" + quoted(text) + "}");
    }

    private JsonNode react(String more) {
        return guest.ask("channel_react", "{\"channel\":\"discord:main\"," + more + "}");
    }

    private JsonNode read(String more) {
        return guest.ask("channel_read", "{\"channel\":\"discord:main\"" + more + "}");
    }

    private void commit(Operation... operations) {
        stage.journal.commit(Unit.of(operations));
    }

    private List<OutboxRow> outbox() {
        return stage.journal.outboxIn(OutboxRow.State.PENDING, "", "", 50);
    }

    private Outbound last() {
        return Outbound.read(outbox().getLast().payload());
    }

    private AccessRequest asked() {
        return stage.access.requests().getLast();
    }

    private void moved(String id, OutboxRow.State to, String... sentIds) {
        OutboxProgress progress = OutboxProgress.NONE;
        for (String each : sentIds) {
            progress = progress.sent(each);
        }
        OutboxRow.State sending = OutboxRow.State.SENDING;
        commit(
                new Operation.MoveOutbox(id, OutboxRow.State.PENDING, sending),
                new Operation.MoveOutbox(id, sending, to, progress));
    }

    private String put(Outbound message) {
        return put(message, "run-of-others");
    }

    private String put(Outbound message, String runId) {
        String id = IDS.next();
        commit(
                new Operation.PutOutbox(
                        new OutboxRow(
                                id,
                                runId,
                                CHANNEL,
                                MessageOrigin.orderKey(message.conversation()),
                                message.bytes(),
                                OutboxRow.State.PENDING,
                                OutboxProgress.NONE,
                                0,
                                0)));
        return id;
    }

    private void sent(Outbound message) {
        moved(put(message), OutboxRow.State.SENT, "p-" + IDS.next());
    }

    private String heard(String id, String text) {
        return heard(id, "", text, ROOM, "service:discord:main:in:room", InboxRow.State.ROUTED);
    }

    private String heard(
            String id,
            String revision,
            String text,
            Conversation where,
            String principal,
            InboxRow.State state) {
        SubmittedMessage message =
                new SubmittedMessage(
                        CHANNEL,
                        revision.isEmpty() ? id : id + "/" + revision,
                        "",
                        "key",
                        "",
                        CHANNEL,
                        "main",
                        text,
                        "",
                        false,
                        "",
                        "",
                        false,
                        "",
                        false,
                        new MessageOrigin(where, BERT, "", "", revision),
                        WhileRunning.QUEUE);
        InboxRow row =
                new InboxRow(
                        IDS.next(),
                        CHANNEL,
                        "/" + message.dedupeKey(),
                        principal,
                        SubmissionCodec.storedBytes(message, Set.of()),
                        state,
                        state == InboxRow.State.ROUTED ? IDS.next() : "",
                        state == InboxRow.State.ROUTED ? "" : "sender_denied",
                        0,
                        where.id(),
                        BERT.id());
        commit(new Operation.PutInbox(row));
        return row.messageId();
    }

    private void takenBack(String id) {
        commit(
                new Operation.PutInbox(
                        new InboxRow(
                                IDS.next(),
                                CHANNEL,
                                "/" + id + "/gone",
                                "user:discord:main:17",
                                Jcs.bytes(
                                        JsonNodeFactory.instance
                                                .objectNode()
                                                .put("event", "DELETED")
                                                .put("messageId", id)),
                                InboxRow.State.IGNORED,
                                "",
                                "deleted_after_start",
                                0,
                                ROOM.id(),
                                BERT.id())));
    }

    private void run(String runId, String principal, String messageId, String surface) {
        String session = IDS.next();
        commit(
                new Operation.InsertSession(
                        new SessionView(
                                session,
                                "key-" + session,
                                "",
                                principal,
                                "",
                                surface,
                                "main",
                                0,
                                0,
                                0,
                                "")),
                new Operation.InsertRun(
                        runId,
                        session,
                        principal,
                        "main",
                        "interactive",
                        messageId,
                        surface,
                        RunState.RUNNING,
                        0));
    }

    /** The run of the call answers a message of the room. */
    private void askedInTheRoom() {
        run("run-1", "user:anna", heard("m1", "what is the weather?"), CHANNEL);
    }

    private static List<String> texts(JsonNode answer) {
        List<String> texts = new ArrayList<>();
        answer.path("messages").forEach(each -> texts.add(each.path("text").asText()));
        return texts;
    }

    // ---- Changes ----

    @Test
    void changeOfAMessageLeavesByTheSameDoor() {
        String id = send("rain");
        moved(id, OutboxRow.State.SENT, "p1");
        String change = edit(id, "snow").path("outbox_id").asText();
        OutboxRow row = stage.journal.outbox(change).orElseThrow();
        assertEquals(List.of(CHANNEL, "room"), List.of(row.surface(), row.orderKey()));
        assertTrue(row.outboxId().compareTo(id) > 0, "it is after the message in the same order");
        Outbound message = last();
        assertEquals(
                List.of("edit", "snow", id, "acme.weather"),
                List.of(message.kind(), message.text(), message.editsOutboxId(), message.skill()));
        assertEquals("channel.message.edit", asked().action());
        assertEquals("user:anna", asked().owner());
        Guest restarted = stage.guest();
        assertEquals(
                change,
                restarted
                        .ask("channel_edit", "{\"outbox_id\":\"" + id + "\",\"text\":\"snow\"}")
                        .path("outbox_id")
                        .asText());
        assertEquals(1, outbox().size());
    }

    @Test
    void messageThatWaitsCanBeChanged() {
        assertTrue(edit(send("rain"), "snow").has("outbox_id"));
        assertEquals(2, outbox().size());
    }

    @Test
    void messagesOfOthersAreNotChanged() {
        assertEquals("not_found", Guest.code(edit("01J00000000000000000000000", "x")));
        for (Outbound other :
                List.of(
                        Outbound.of("answer", "the gateway's", ROOM, ""),
                        Outbound.ofSkill("acme.weather2", "another skill's", ROOM),
                        Outbound.ofSkill("acme", "another skill's", ROOM))) {
            JsonNode denied = edit(put(other, "run-1"), "x");
            assertEquals("denied", Guest.code(denied), other.text());
            assertEquals("no grant reaches messages of others", Guest.grant(denied));
        }
        assertEquals(3, outbox().size());
        assertEquals(3, stage.journal.events(Denials.TYPE).size());
        assertTrue(stage.access.requests().isEmpty());
    }

    @Test
    void messageThatWasSentForAnotherPrincipalIsTheirs() {
        run("run-of-bert", "user:bert", "", "shell");
        String id = put(Outbound.ofSkill("acme.weather", "for Bert", ROOM), "run-of-bert");
        JsonNode denied = edit(id, "x");
        assertEquals("policy channel.message.edit channel:discord:main", Guest.grant(denied));
        assertEquals("user:bert", asked().owner());
        String lost = put(Outbound.ofSkill("acme.weather", "whose?", ROOM), "run-that-is-gone");
        assertEquals("not_found", Guest.code(edit(lost, "x")));
        assertEquals(2, outbox().size());
    }

    @Test
    void changeNeedsTheGrantOfItsChannelAndPolicy() {
        String id = send("rain");
        SkillGrants without =
                new SkillGrants(
                        List.of(), List.of(), List.of(), List.of("discord:x"), List.of(CHANNEL));
        Guest other = stage.guest(Stage.call(without, "{}", false));
        JsonNode denied =
                other.ask("channel_edit", "{\"outbox_id\":\"" + id + "\",\"text\":\"x\"}");
        assertEquals("capabilities.channels: discord:main", Guest.grant(denied));
        stage.access.deny("channel.message.edit");
        assertEquals("denied", Guest.code(edit(id, "x")));
        assertEquals(1, outbox().size());
    }

    @Test
    void whatThePlatformCannotDoIsRefused() {
        String id = send("rain");
        assertEquals("limit", Guest.code(edit(id, "x".repeat(65))));
        stage.connectors.put(CHANNEL, ConnectorCapabilities.of(64));
        assertEquals("unsupported", Guest.code(edit(id, "x")));
        heard("m1", "hello");
        askedElsewhere();
        assertEquals("unsupported", Guest.code(react("\"reaction\":\"👍\"")));
        stage.connectors.clear();
        assertEquals("unavailable", Guest.code(edit(id, "x")));
        assertEquals(1, outbox().size());
    }

    /** In the room too, by another message. */
    private void askedElsewhere() {
        run("run-1", "user:anna", heard("m7", "hi"), CHANNEL);
    }

    @Test
    void messageThatNeverLeftOrHasPartsCannotBeChanged() {
        String failed = send("one");
        moved(failed, OutboxRow.State.FAILED);
        String parts = send("two");
        moved(parts, OutboxRow.State.SENT, "p1", "p2");
        for (String id : List.of(failed, parts)) {
            assertEquals("conflict", Guest.code(edit(id, "x")), id);
        }
        String change = edit(send("three"), "x").path("outbox_id").asText();
        assertEquals("invalid", Guest.code(edit(change, "y")));
    }

    // ---- Reactions ----

    @Test
    void reactionIsForTheMessageThatTheRunAnswers() {
        askedInTheRoom();
        String id = react("\"reaction\":\"👍\"").path("outbox_id").asText();
        assertEquals(id, outbox().getLast().outboxId());
        Outbound reaction = last();
        assertEquals(
                List.of("reaction", "👍", "m1", "room", "acme.weather"),
                List.of(
                        reaction.kind(),
                        reaction.text(),
                        reaction.reactionTo(),
                        reaction.conversation().id(),
                        reaction.skill()));
        assertEquals("channel.message.react_add", asked().action());
        assertEquals("", asked().owner());
    }

    @Test
    void reactionToANamedMessageNeedsOneThatBecameARun() {
        askedInTheRoom();
        heard("m2", "later", "and again", ROOM, "user:x", InboxRow.State.ROUTED);
        heard("m3", "", "secret", ROOM, "user:x", InboxRow.State.IGNORED);
        heard("m4", "", "there", Conversation.group("other", ""), "u", InboxRow.State.ROUTED);
        heard("m5", "gone soon");
        takenBack("m5");
        assertTrue(react("\"message\":\"m2\",\"reaction\":\"👍\"").has("outbox_id"));
        assertEquals("m2", last().reactionTo());
        for (String id : List.of("m3", "m4", "m5", "m2/later", "none")) {
            JsonNode refused = react("\"message\":\"" + id + "\",\"reaction\":\"👍\"");
            assertEquals("not_found", Guest.code(refused), id);
        }
        assertEquals(1, outbox().size());
    }

    @Test
    void reactionIsOneShortWord() {
        askedInTheRoom();
        for (String reaction : List.of("two words", "x".repeat(65), "", "a\\n", "ü".repeat(40))) {
            JsonNode refused = react("\"reaction\":\"" + reaction + "\"");
            assertEquals("invalid", Guest.code(refused), reaction);
        }
        assertTrue(react("\"reaction\":\"party_parrot\"").has("outbox_id"));
    }

    @Test
    void reactionsNeedGrantPolicyAndAConversation() {
        assertEquals("invalid", Guest.code(react("\"reaction\":\"👍\"")));
        heard("m1", "hello");
        JsonNode elsewhere =
                react("\"conversation\":\"room\",\"message\":\"m1\",\"reaction\":\"👍\"");
        assertEquals("denied", Guest.code(elsewhere));
        assertEquals("service:discord:main:in:room", asked().owner());
        JsonNode unnamed =
                guest.ask("channel_react", "{\"channel\":\"discord:x\",\"reaction\":\"👍\"}");
        assertEquals("capabilities.channels: discord:x", Guest.grant(unnamed));
        assertTrue(outbox().isEmpty());
    }

    // ---- Reading ----

    @Test
    void conversationIsReadOldestFirstAsPeopleSeeIt() {
        askedInTheRoom();
        sent(Outbound.of("answer", "rain", ROOM, ""));
        later();
        String own = send("draft");
        later();
        moved(own, OutboxRow.State.SENT, "p2");
        moved(edit(own, "final").path("outbox_id").asText(), OutboxRow.State.SENT, "p2");
        heard("m2", "tank you");
        heard("m2", "2", "thank you", ROOM, "user:x", InboxRow.State.ROUTED);
        JsonNode answer = read("");
        assertEquals(List.of("what is the weather?", "rain", "final", "thank you"), texts(answer));
        JsonNode first = answer.path("messages").path(0);
        assertEquals("m1", first.path("id").asText());
        assertEquals("17", first.path("from").path("id").asText());
        assertEquals("Bert", first.path("from").path("name").asText());
        assertTrue(first.path("time").asLong() > 0);
        assertFalse(answer.path("messages").path(1).has("from"));
        assertEquals("acme.weather", answer.path("messages").path(2).path("skill").asText());
        assertEquals("m2", answer.path("messages").path(3).path("id").asText());
        assertFalse(answer.path("more").asBoolean());
        assertEquals("channel.message.read", asked().action());
    }

    @Test
    void whatWasIgnoredTakenBackOrIsTheGatewaysOwnIsNotRead() {
        askedInTheRoom();
        heard("m2", "", "ignored", ROOM, "user:x", InboxRow.State.IGNORED);
        heard("m3", "taken back");
        takenBack("m3");
        heard(
                "m4",
                "",
                "in another room",
                Conversation.group("r2", ""),
                "u",
                InboxRow.State.ROUTED);
        heard(
                "m5",
                "",
                "in a thread",
                new Conversation("room", "t", false, ""),
                "u",
                InboxRow.State.ROUTED);
        sent(Outbound.of("notice", "the pairing code", ROOM, ""));
        sent(Outbound.of("question", "yes 7F3KQ2?", ROOM, ""));
        put(Outbound.of("answer", "not sent yet", ROOM, ""));
        assertEquals(List.of("what is the weather?"), texts(read("")));
        assertEquals(
                List.of("in a thread"), texts(read(",\"conversation\":\"room\",\"thread\":\"t\"")));
    }

    @Test
    void readingHasABoundOfMessagesAndBytes() {
        askedInTheRoom();
        for (int i = 0; i < 60; i++) {
            heard("n" + i, "n" + i);
        }
        assertEquals(20, texts(read("")).size());
        JsonNode most = read(",\"limit\":50");
        assertEquals("n10", texts(most).getFirst());
        assertEquals("n59", texts(most).getLast());
        assertTrue(most.path("more").asBoolean());
        assertEquals("invalid", Guest.code(read(",\"limit\":51")));
        for (int i = 0; i < 30; i++) {
            heard("b" + i, "😀".repeat(8_193));
        }
        JsonNode large = read(",\"limit\":50");
        assertEquals(8, texts(large).size());
        assertTrue(large.path("messages").path(0).path("cut").asBoolean());
        assertEquals("😀".repeat(8_192), texts(large).getFirst());
        assertTrue(large.path("more").asBoolean());
    }

    @Test
    void readingNeedsAGrantOfItsOwn() {
        askedInTheRoom();
        SkillGrants sends =
                new SkillGrants(List.of(), List.of(), List.of(), List.of(CHANNEL), List.of());
        assertFalse(
                stage.guest(Stage.call(sends, "{}", false)).has("host_capability_channel_read"));
        SkillGrants reads =
                new SkillGrants(List.of(), List.of(), List.of(), List.of(), List.of("discord:x"));
        Guest other = stage.guest(Stage.call(reads, "{}", false));
        assertFalse(other.has("host_capability_channel_send"));
        assertFalse(other.has("host_capability_channel_edit"));
        assertFalse(other.has("host_capability_channel_react"));
        JsonNode denied = other.ask("channel_read", "{\"channel\":\"discord:main\"}");
        assertEquals("capabilities.read_channels: discord:main", Guest.grant(denied));
        assertEquals(1, stage.journal.events(Denials.TYPE).size());
    }

    @Test
    void conversationOfOthersIsTheirs() {
        Conversation direct = Conversation.direct("99");
        heard(
                "d1",
                "",
                "for your eyes only",
                direct,
                "user:discord:main:99",
                InboxRow.State.ROUTED);
        askedInTheRoom();
        JsonNode denied = read(",\"conversation\":\"99\"");
        assertEquals("policy channel.message.read channel:discord:main", Guest.grant(denied));
        assertEquals("user:discord:main:99", asked().owner());
        assertEquals("denied", Guest.code(read(",\"conversation\":\"nothing-there\"")));
        assertEquals("service:discord:main:in:nothing-there", asked().owner());
        assertFalse(denied.toString().contains("eyes"));
        heard("d2", "", "mine", Conversation.direct("98"), "user:anna", InboxRow.State.ROUTED);
        assertEquals(List.of("mine"), texts(read(",\"conversation\":\"98\"")));
        stage.access.deny("channel.message.read");
        assertEquals("denied", Guest.code(read("")));
    }

    @Test
    void runOfNoChatNamesTheConversation() {
        assertEquals("invalid", Guest.code(read("")));
        run("run-1", "user:anna", "", "shell");
        assertEquals("invalid", Guest.code(read("")));
    }
}
