package palyra.channels.internal.approval;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.approval.Approvals;
import palyra.api.channel.ConnectorCapabilities;
import palyra.api.channel.ConnectorCapabilities.Feature;
import palyra.api.channel.ConnectorId;
import palyra.api.channel.Conversation;
import palyra.api.channel.InboundAction;
import palyra.api.channel.InboundMessage;
import palyra.api.channel.Sender;
import palyra.api.core.access.Access;
import palyra.api.core.journal.ApprovalRow;
import palyra.api.core.journal.Journal;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.OutboxRow;
import palyra.api.core.journal.Unit;
import palyra.channels.internal.dispatch.DeadLetters;
import palyra.channels.internal.dispatch.DispatchSettings;
import palyra.channels.internal.dispatch.Dispatcher;
import palyra.channels.internal.files.HeldFiles;
import palyra.channels.internal.inbound.Identities;
import palyra.channels.internal.inbound.Speakers;
import palyra.shared.approval.ApprovalRequestBody;
import palyra.shared.approval.ApprovalRequestCodec;
import palyra.shared.channel.Outbound;
import palyra.shared.gate.Gate;
import palyra.shared.hash.Ulids;
import palyra.testing.channel.FakePlatform;
import palyra.testing.journal.ManualClock;
import palyra.testing.journal.MemoryJournal;
import palyra.testing.journal.MemoryKeys;
import palyra.testing.wait.Await;

/** Requests of runs that were asked for elsewhere, put to the approvers who are to be asked. */
final class CardsTest {
    private static final ConnectorId ID = ConnectorId.parse("fake:main");

    private final FakePlatform platform = new FakePlatform();
    private final Ulids ids = new Ulids();
    private final ManualClock clock = new ManualClock(System.currentTimeMillis());
    private final MemoryJournal journal = new MemoryJournal(new MemoryKeys(), clock, "boot");
    private final Gate<Journal> gate =
            new Gate<>("The journal", ErrorCode.JOURNAL_UNAVAILABLE, 1_000);
    private final Gate<Approvals> approvals =
            new Gate<>("Approvals", ErrorCode.GATEWAY_UNAVAILABLE, 0);
    private boolean hasButtons = true;
    private final Cards cards =
            new Cards(
                    gate,
                    approvals,
                    new Speakers(new Gate<Access>("Access", ErrorCode.POLICY_UNAVAILABLE, 0)),
                    surface -> hasButtons);

    @BeforeEach
    void open() {
        gate.add(journal, Map.of());
    }

    private static Identities.Identity approver(String sender, String ask) {
        return new Identities.Identity(
                "user:fake:main:" + sender,
                "user:" + sender,
                List.of("approver"),
                "user:op",
                ID.toString(),
                ask);
    }

    private String request() {
        return request("git log", "policy asks");
    }

    private String request(String summary, String explanation) {
        String id = ids.next();
        String run = ids.next();
        ApprovalRequestBody body =
                new ApprovalRequestBody(
                        id,
                        "TOOL",
                        "tool:palyra.process.run",
                        1,
                        "git log",
                        new ApprovalRequestBody.Origin(
                                "s", run, "call", "default", "user:alice", "", ""),
                        new ApprovalRequestBody.Call(
                                "palyra.process.run",
                                "{}",
                                "ab".repeat(32),
                                "cd".repeat(32),
                                "",
                                "",
                                "",
                                List.of(),
                                List.of(),
                                List.of(),
                                List.of(),
                                List.of(),
                                List.of("PROCESS_EXEC"),
                                "C",
                                "STRICT",
                                "",
                                "",
                                List.of()),
                        null,
                        new ApprovalRequestBody.Terms(
                                List.of("group:approver"), true, List.of("ONCE"), 1, List.of(), 0),
                        new ApprovalRequestBody.Policy(List.of(), "01".repeat(32), "", "asks"),
                        new ApprovalRequestBody.Prompt(
                                "Run git?", "HIGH", summary, explanation, 900, List.of()),
                        clock.millis(),
                        clock.millis() + 60_000);
        journal.commit(
                Unit.of(
                        new Operation.PutApproval(
                                ApprovalRow.asked(
                                        id,
                                        run,
                                        "call",
                                        "s",
                                        "user:alice",
                                        "TOOL",
                                        "tool:palyra.process.run",
                                        ApprovalRequestCodec.bytes(body),
                                        1,
                                        clock.millis() + 60_000,
                                        0))));
        return id;
    }

    private void decided(String id) {
        journal.commit(
                Unit.of(new Operation.DecideApproval(id, ApprovalRow.State.GRANTED, "user:anna")));
    }

    private List<Outbound> sent() {
        return journal.outboxIn(OutboxRow.State.PENDING, ID.toString(), "", 500).stream()
                .map(row -> Outbound.read(row.payload()))
                .toList();
    }

    @Test
    void onlyWhoDeniesIsAskedWhy() {
        String id = ids.next();
        assertTrue(Cards.asksReason("approval:" + id + ":n"));
        for (String other :
                List.of(
                        "approval:" + id + ":y",
                        "approval:x:n",
                        id + ":n",
                        "n",
                        "a:" + id + ":n")) {
            assertFalse(Cards.asksReason(other), other);
        }
    }

    @Test
    void eachApproverIsAskedOnceAndToldHowItEnded() {
        Identities.put(gate, approver("anna", "a1"));
        Identities.put(gate, approver("bob", "b1"));
        Identities.put(gate, approver("carol", ""));
        String id = request();
        cards.sweep();
        cards.sweep();
        List<Outbound> asked = sent();
        assertEquals(
                List.of("a1", "b1"),
                asked.stream().map(message -> message.conversation().id()).sorted().toList());
        assertTrue(asked.getFirst().text().contains(Card.code(id)), asked.toString());
        decided(id);
        cards.sweep();
        cards.sweep();
        List<Outbound> ends = sent().subList(2, sent().size());
        assertEquals(2, ends.size());
        ends.forEach(
                end -> assertTrue(end.text().contains("Approved by user:anna"), end.toString()));
        assertEquals(List.of(), journal.documents(Card.COLLECTION, "", 10));
    }

    private void unreadable(String id, String run) {
        journal.commit(
                Unit.of(
                        new Operation.PutApproval(
                                ApprovalRow.asked(
                                        id,
                                        run,
                                        "call",
                                        "s",
                                        "user:alice",
                                        "TOOL",
                                        "tool:palyra.process.run",
                                        "{\"later\":1}".getBytes(StandardCharsets.UTF_8),
                                        1,
                                        clock.millis() + 60_000,
                                        0))));
    }

    /** It takes no yes, and holds up no other request. */
    @Test
    void aRequestThatCannotBeReadIsShownToBeSoAndTakesANoAlone() {
        Identities.put(gate, approver("anna", "a1"));
        String id = ids.next();
        unreadable(id, ids.next());
        String readable = request();
        cards.sweep();
        List<Outbound> asked = sent();
        assertEquals(2, asked.size());
        assertTrue(asked.getFirst().text().contains("cannot be read"), asked.toString());
        assertTrue(asked.getFirst().text().contains("`no " + Card.code(id) + "`"));
        assertFalse(asked.getFirst().text().contains("`yes"), asked.getFirst().text());
        assertEquals(
                List.of("approval:" + id + ":n"),
                asked.getFirst().buttons().stream().map(button -> button.data()).toList());
        assertTrue(asked.getLast().text().contains(Card.code(readable)), asked.toString());
        journal.commit(
                Unit.of(new Operation.DecideApproval(id, ApprovalRow.State.DENIED, "user:anna")));
        decided(readable);
        cards.sweep();
        List<String> ends = sent().stream().skip(2).map(Outbound::text).toList();
        assertEquals(2, ends.size());
        assertTrue(ends.getFirst().contains("cannot be read"), ends.toString());
        assertTrue(ends.getFirst().contains("Denied by user:anna"), ends.toString());
        assertTrue(ends.getLast().contains("Approved by user:anna"), ends.toString());
        assertEquals(List.of(), journal.documents(Card.COLLECTION, "", 10));
    }

    @Test
    void aCardThatCannotBeReadHoldsUpNoOther() {
        Identities.put(gate, approver("anna", "a1"));
        String id = request();
        String key = id + "/another";
        journal.commit(
                Unit.of(
                        new Operation.PutDocument(
                                Card.COLLECTION, key, "{".getBytes(StandardCharsets.UTF_8))));
        cards.sweep();
        decided(id);
        cards.sweep();
        assertEquals(2, sent().size());
        assertTrue(sent().getLast().text().contains("Approved by user:anna"));
        assertEquals(
                List.of(key),
                journal.documents(Card.COLLECTION, "", 10).stream().map(one -> one.key()).toList());
    }

    @Test
    void aButtonCountsInTheConversationsInWhichItWasPut() {
        Identities.put(gate, approver("anna", "a1"));
        String id = request();
        cards.sweep();
        String data = "approval:" + id + ":y";
        assertEquals(
                "This button belongs to another conversation.",
                cards.press(
                        ID,
                        new InboundAction(
                                data,
                                new Sender("anna", "", false, true),
                                Conversation.direct("other")),
                        ""));
        assertEquals(
                "The platform does not vouch for your account, so you may not decide this.",
                cards.press(
                        ID,
                        new InboundAction(
                                data,
                                new Sender("anna", "", false, false),
                                Conversation.direct("a1")),
                        ""));
    }

    @Test
    void aButtonOfOthersDoesNothing() {
        for (String data : List.of("approval:y", "approval::n", "approval:x:y", "menu:1")) {
            assertEquals(
                    "This button does nothing any more.",
                    cards.press(
                            ID,
                            new InboundAction(
                                    data,
                                    new Sender("anna", "", false, true),
                                    Conversation.direct("a1")),
                            ""));
        }
    }

    @Test
    void onlySoManyAreAsked() {
        for (int i = 0; i < 60; i++) {
            Identities.put(gate, approver("p" + i, "c" + i));
        }
        request();
        cards.sweep();
        assertEquals(50, sent().size());
    }

    @Test
    void onlyAnApproverIsAsked() {
        PalyraException refused =
                assertThrows(
                        PalyraException.class,
                        () ->
                                new Identities.Identity(
                                        "user:fake:main:x",
                                        "user:x",
                                        List.of(),
                                        "user:op",
                                        ID.toString(),
                                        "c"));
        assertTrue(refused.getMessage().contains("--approver"), refused.getMessage());
    }

    /** A denial of consent is no consent, whatever words it has in common with one. */
    @Test
    void onlyTheWordsAloneAreAnAnswer() {
        Identities.put(gate, approver("anna", "a1"));
        String code = Card.code(request());
        cards.sweep();
        for (String text :
                List.of(
                        "don't approve " + code,
                        "never approve " + code + "?",
                        "should I approve " + code,
                        "approve " + code + "?",
                        "not yes " + code,
                        "yes " + code + " no")) {
            assertEquals(Optional.empty(), typed(text), text);
        }
        for (String text : List.of("yes " + code, "@bot: no " + code + ".", " APPROVE " + code)) {
            assertTrue(typed(text).isPresent(), text);
        }
    }

    @Test
    void aCodeOfARequestThatIsNotAskedHereIsNoMessageForAnAgent() {
        Identities.put(gate, approver("anna", "a1"));
        String id = request();
        Identities.put(gate, approver("anna", "elsewhere"));
        cards.sweep();
        assertEquals(
                Optional.of("This request is asked in another conversation."),
                typed("yes " + Card.code(id)));
        decided(id);
        cards.sweep();
        assertEquals(Optional.of("This request is over already."), typed("no " + Card.code(id)));
        assertEquals(Optional.empty(), typed("yes PLEASE"));
        assertEquals(Optional.empty(), typed("no 000000"));
    }

    @Test
    void aCardSaysWhatThePlatformHas() {
        Identities.put(gate, approver("anna", "a1"));
        request();
        cards.sweep();
        assertTrue(sent().getFirst().text().contains("answers with the buttons, or writes `yes "));
        hasButtons = false;
        request();
        cards.sweep();
        assertTrue(sent().getLast().text().contains("An approver writes `yes "));
    }

    /** The end of a card comes in its place, or as a message of its own. */
    @Test
    void aCardOfWhichItIsNotKnownWhetherItArrivedEndsWithAMessage() {
        String id = requestOfAnna();
        heldCard();
        decided(id);
        cards.sweep();
        assertEndIsTold(id);
    }

    /** Dead buttons are not put again, and those that may be there are told to be dead. */
    @Test
    void aCardIsNotReplayedOnceItsRequestIsOver() {
        String id = requestOfAnna();
        String asked = heldCard();
        decided(id);
        cards.sweep();
        assertFalse(new DeadLetters(gate, ID.toString()::equals).replay(asked, "user:op"));
        OutboxRow withdrawn = journal.outbox(asked).orElseThrow();
        assertEquals(OutboxRow.State.WITHDRAWN, withdrawn.state());
        assertEquals("the request is over", withdrawn.progress().reason());
        assertEndIsTold(id);
    }

    private String requestOfAnna() {
        Identities.put(gate, approver("anna", "a1"));
        return request();
    }

    /** Puts a card that arrives without an answer; returns its id in the outbox. */
    private String heldCard() {
        platform.fail("a1", FakePlatform.Fault.LOST_ANSWER);
        cards.sweep();
        String asked = only(OutboxRow.State.PENDING).outboxId();
        try (Dispatcher dispatcher = dispatcher()) {
            Await.until("the card to be held", () -> state(asked) == OutboxRow.State.UNKNOWN);
        }
        return asked;
    }

    private void assertEndIsTold(String approvalId) {
        try (Dispatcher dispatcher = dispatcher()) {
            Await.until("the end to be sent", () -> platform.texts("a1").size() == 2);
        }
        String end = platform.texts("a1").getLast();
        assertTrue(end.contains("`" + Card.code(approvalId) + "`"), end);
        assertTrue(end.contains("Approved by user:anna"), end);
    }

    @Test
    void aCardThatIsSentAgainWhileItsRequestWaitsIsNotOnceItIsOver() {
        Identities.put(gate, approver("anna", "a1"));
        platform.fail("a1", FakePlatform.Fault.REFUSED);
        String id = request();
        cards.sweep();
        String asked = only(OutboxRow.State.PENDING).outboxId();
        try (Dispatcher dispatcher = dispatcher()) {
            Await.until("the refusal", () -> state(asked) == OutboxRow.State.FAILED);
        }
        assertTrue(new DeadLetters(gate, ID.toString()::equals).replay(asked, "user:op"));
        decided(id);
        cards.sweep();
        try (Dispatcher dispatcher = dispatcher()) {
            Await.until(
                    "both to be settled",
                    () ->
                            journal.outboxIn(OutboxRow.State.WITHDRAWN, ID.toString(), "", 9).size()
                                    == 2);
        }
        assertEquals(List.of(), platform.texts("a1"));
    }

    private OutboxRow.State state(String outboxId) {
        return journal.outbox(outboxId).orElseThrow().state();
    }

    private OutboxRow only(OutboxRow.State state) {
        List<OutboxRow> rows = journal.outboxIn(state, ID.toString(), "", 9);
        assertEquals(1, rows.size());
        return rows.getFirst();
    }

    private Dispatcher dispatcher() {
        Dispatcher dispatcher =
                new Dispatcher(
                        platform.connector(
                                ID.toString(),
                                ConnectorCapabilities.of(4_096, Feature.EDITS, Feature.BUTTONS)),
                        "boot/" + ids.next(),
                        gate,
                        () -> new DispatchSettings(4, 5, 10, 50, TimeUnit.HOURS.toMillis(1), false),
                        () -> false,
                        new HeldFiles(Path.of("unused"), gate, () -> 0, clock),
                        clock);
        dispatcher.start();
        return dispatcher;
    }

    private Optional<String> typed(String text) {
        return cards.typed(
                ID,
                InboundMessage.written(
                        "m",
                        new Sender("anna", "", false, false),
                        Conversation.direct("a1"),
                        text,
                        false,
                        0));
    }

    /** On Discord three backticks end a block wherever they are, and no others make one. */
    @Test
    void whatAModelWroteIsNoMarkupInACard() {
        Identities.put(gate, approver("anna", "a1"));
        request("echo ```\n**Approved already** <@1> ```", "see [this](https://x.test) `now`");
        cards.sweep();
        String card = sent().getFirst().text();
        assertEquals(3, card.split("```", -1).length, "one block: " + card);
        assertTrue(card.contains("echo ``\\u{60}\n**Approved already** <@1> ``\\u{60}\n```"), card);
        assertTrue(card.contains("\n\nWhy: see \\[this\\](https\\://x.test) \\`now\\`\n"), card);
        assertTrue(card.indexOf("An approver answers") > card.lastIndexOf("```"), card);
    }

    private Optional<String> written(String text) {
        return cards.typed(ID, message(text));
    }

    private static InboundMessage message(String text) {
        return InboundMessage.written(
                "m1",
                new Sender("anna", "", false, true),
                Conversation.direct("a1"),
                text,
                true,
                1);
    }

    private static String unnamed(String text) {
        return Cards.unnamed(message(text)).orElse("");
    }

    /** It would be told the agent otherwise, which makes up what it means. */
    @Test
    void aCommandThatNamesNoRequestIsNoAnswerAndHasOneForThoseWhoAreHeard() {
        Identities.put(gate, approver("anna", "a1"));
        String code = Card.code(request());
        cards.sweep();
        assertEquals(
                Optional.empty(), written("yes ABCDEF"), "a sentence may be meant for the agent");
        for (String text : List.of("/approve ABCDEF", "/deny ABCDEF", "/approve 5", "/deny")) {
            assertEquals(Optional.empty(), written(text), "who it is from is looked at first");
        }
        assertTrue(unnamed("/approve ABCDEF").contains("No request"));
        assertTrue(unnamed("/deny ABCDEF").contains("No request"));
        assertTrue(unnamed("/approve the second one").contains("six letters"));
        assertTrue(unnamed("/deny").contains("six letters"));
        assertEquals("", unnamed("/approved things are these"));
        assertEquals("", unnamed("yes ABCDEF"));
        assertEquals(written("yes " + code), written("/approve " + code));
    }
}
