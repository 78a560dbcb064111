package palyra.channels.internal.inbound;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.access.Principal;
import palyra.api.approval.ApprovalAnswer;
import palyra.api.approval.ApprovalScope;
import palyra.api.approval.Approvals;
import palyra.api.channel.Acceptance;
import palyra.api.channel.ConnectorId;
import palyra.api.channel.Conversation;
import palyra.api.channel.InboundAction;
import palyra.api.channel.InboundMessage;
import palyra.api.channel.Sender;
import palyra.api.core.access.Access;
import palyra.api.core.gateway.AgentRegistry;
import palyra.api.core.journal.ApprovalFilter;
import palyra.api.core.journal.ApprovalRow;
import palyra.api.core.journal.Journal;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.OutboxRow;
import palyra.api.core.journal.SettledKind;
import palyra.api.core.journal.Unit;
import palyra.api.core.keys.Keys;
import palyra.api.run.Runs;
import palyra.api.tape.TapeRecord;
import palyra.channels.internal.approval.Cards;
import palyra.channels.internal.command.ConversationCommands;
import palyra.channels.internal.route.RouteRules;
import palyra.channels.internal.route.TestRules;
import palyra.front.internal.approval.ApprovalFront;
import palyra.shared.channel.Outbound;
import palyra.shared.gate.Gate;
import palyra.testing.access.FakeAccess;
import palyra.testing.journal.ManualClock;
import palyra.testing.journal.MemoryJournal;
import palyra.testing.journal.MemoryKeys;

/** A sender who waits for an operator is an approval request, however it is answered. */
final class PairingApprovalTest {
    private static final ConnectorId ID = ConnectorId.parse("fake:main");
    private static final Sender STRANGER = new Sender("ann", "Ann ```", false, true);
    private static final Sender ANNA = new Sender("anna", "", false, true);
    private static final Principal OPERATOR = FakeAccess.user("user:op", "operator");
    private static final Conversation ASKED_IN = Conversation.direct("a1");

    private final ManualClock clock = new ManualClock(1_700_000_000_000L);
    private final MemoryJournal journal = new MemoryJournal(new MemoryKeys(), clock, "boot");
    private final Gate<Journal> gate =
            new Gate<>("The journal", ErrorCode.JOURNAL_UNAVAILABLE, 1_000);
    private final Gate<Access> access = new Gate<>("Access", ErrorCode.POLICY_UNAVAILABLE, 1_000);
    private final Gate<Approvals> approvals =
            new Gate<>("Approvals", ErrorCode.GATEWAY_UNAVAILABLE, 1_000);
    private final FakeAccess rights =
            new FakeAccess(FakeAccess.Use.SPEAK_FOR, FakeAccess.Use.CHANGE, FakeAccess.Use.READ)
                    .connector("service:fake:main");
    private final Pairings pairings = new Pairings(gate, approvals, clock);
    private final Speakers speakers = new Speakers(access);
    private final Cards cards = new Cards(gate, approvals, speakers, any -> true);
    private final RouteRules rules = new RouteRules(Map::of, Set::of);
    private final Gate<Runs> runs = new Gate<>("Runs", ErrorCode.GATEWAY_UNAVAILABLE, 0);
    private final Inbox inbox =
            new Inbox(
                    runs,
                    speakers,
                    gate,
                    rules,
                    pairings,
                    cards,
                    new ConversationCommands(
                            runs,
                            approvals,
                            new Gate<AgentRegistry>("Agents", ErrorCode.GATEWAY_UNAVAILABLE, 0),
                            access,
                            gate,
                            clock),
                    id -> true,
                    (id, one) -> "");
    private int messages;

    @BeforeEach
    void open() {
        gate.add(journal, Map.of());
        access.add(rights, Map.of());
        approvals.add(
                InboxTest.elsewhere(
                        Approvals.class,
                        new ApprovalFront(
                                rights,
                                gate,
                                new Gate<Keys>("Keys", ErrorCode.KEYS_UNAVAILABLE, 0),
                                clock::millis)),
                Map.of());
        rules.add(TestRules.rule("r", Map.of("directMessages", "pairing")));
        Identities.put(
                gate,
                new Identities.Identity(
                        "user:fake:main:anna",
                        "user:anna",
                        List.of("approver"),
                        "user:op",
                        ID.toString(),
                        ASKED_IN.id()));
    }

    private Acceptance writes(Sender sender, String chat, String text) {
        return inbox.accept(
                ID,
                InboundMessage.written(
                        "m" + messages++, sender, Conversation.direct(chat), text, false, 0),
                new byte[0]);
    }

    /** A stranger writes, and those who are to be asked are asked. */
    private ApprovalRow asks() {
        writes(STRANGER, "dm", "hello");
        cards.sweep();
        return requests().getLast();
    }

    private List<ApprovalRow> requests() {
        return journal.approvals(ApprovalFilter.ALL, "", 1_000);
    }

    private ApprovalRow row(ApprovalRow asked) {
        return journal.approval(asked.approvalId()).orElseThrow();
    }

    private List<Outbound> sentTo(String chat) {
        return journal.outboxIn(OutboxRow.State.PENDING, ID.toString(), "", 500).stream()
                .map(row -> Outbound.read(row.payload()))
                .filter(message -> message.conversation().id().equals(chat))
                .toList();
    }

    private List<String> events() {
        return journal.tape(TapeRecord.JOURNAL_STREAM, 0, 1_000).stream()
                .map(TapeRecord::type)
                .filter(type -> type.startsWith("pairing_") || type.startsWith("grant_"))
                .toList();
    }

    private boolean paired() {
        return pairings.paired(ID, STRANGER);
    }

    private String press(ApprovalRow asked, Sender by, String answer) {
        return cards.press(
                ID,
                new InboundAction("approval:" + asked.approvalId() + ":" + answer, by, ASKED_IN),
                "");
    }

    private void assertCardEnds(String how) {
        cards.sweep();
        String end = sentTo("a1").getLast().text();
        assertTrue(end.contains(how), end);
        assertEquals(List.of(), journal.documents("channel_card", "", 10));
    }

    @Test
    void approversAreAskedWhereTheyAreAndTheStrangerIsNot() {
        ApprovalRow asked = asks();
        assertEquals(
                List.of("", "", "user:fake:main:ann", "sender:fake:main/ann"),
                List.of(asked.runId(), asked.callId(), asked.principal(), asked.subjectId()));
        Outbound card = sentTo("a1").getFirst();
        String code = pairings.list("").getFirst().code();
        assertTrue(card.text().contains(code), card.text());
        assertTrue(card.text().contains("ann (Ann)"), card.text());
        assertEquals(1, sentTo("dm").size());
        assertFalse(sentTo("dm").getFirst().text().contains("yes "));
        assertEquals(asked.approvalId(), pairings.list("").getFirst().approvalId());
        assertEquals(List.of("pairing_asked"), events());
    }

    @Test
    void whoIsTooLateIsToldWhoAnsweredBefore() {
        ApprovalRow asked = asks();
        String code = pairings.list("").getFirst().code();
        press(asked, ANNA, "y");
        PalyraException late =
                assertThrows(
                        PalyraException.class, () -> pairings.decide(code, false, 0, OPERATOR));
        assertEquals(ErrorCode.CONFLICT, late.code());
        assertTrue(late.getMessage().contains("anna approved ann"), late.getMessage());
        assertTrue(paired());
        assertEquals(
                ErrorCode.NOT_FOUND,
                assertThrows(
                                PalyraException.class,
                                () -> pairings.decide("00000000", true, 0, OPERATOR))
                        .code());
    }

    @Test
    void theCardShowsNoCharacterThatTurnsTextRound() {
        writes(new Sender("eve", "Eve\u202Egpj.exe", false, true), "dm", "hello");
        cards.sweep();
        String card = sentTo("a1").getFirst().text();
        assertTrue(card.contains("Eve gpj.exe"), card);
        assertEquals(-1, card.indexOf('\u202E'), card);
    }

    @Test
    void theNoticeOfTheEndNamesTheRequest() {
        ApprovalRow asked = asks();
        press(asked, ANNA, "n");
        String id = asked.approvalId();
        assertCardEnds("`" + id.substring(id.length() - 6) + "`");
    }

    @Test
    void aButtonDecides() {
        ApprovalRow asked = asks();
        assertEquals("Approved.", press(asked, ANNA, "y"));
        assertTrue(paired());
        assertEquals(ApprovalRow.State.GRANTED, row(asked).state());
        assertCardEnds("Approved by user:fake:main:anna");
        Pairings.Pairing pairing = pairings.list("").getFirst();
        assertEquals(Pairings.State.PAIRED, pairing.state());
        assertEquals("user:fake:main:anna", pairing.by());
        assertEquals(List.of("pairing_asked", "pairing_decided"), events());
        // The store takes no second answer, on whatever way.
        assertThrows(
                PalyraException.class, () -> pairings.decide(pairing.code(), false, 0, OPERATOR));
        assertEquals("This request is over already.", press(asked, ANNA, "n"));
    }

    /** As the reason of a command, with the place where it was given. */
    @Test
    void reasonOfAButtonIsThatOfTheDecision() {
        ApprovalRow asked = asks();
        assertEquals(
                "Denied.",
                cards.press(
                        ID,
                        new InboundAction("approval:" + asked.approvalId() + ":n", ANNA, ASKED_IN),
                        "not known to me"));
        assertEquals(
                "not known to me (answered on fake:main)",
                approvals
                        .call(front -> front.approval(OPERATOR, asked.approvalId()))
                        .orElseThrow()
                        .outcome()
                        .reason());
    }

    private String refusal(ApprovalRow asked, Sender by) {
        return cards.refusal(ID, "approval:" + asked.approvalId() + ":n", by);
    }

    /** Before a reason is asked for, and again when it comes. */
    @Test
    void whoMayNotDenyIsRefusedBeforeAndAfterTheReason() {
        ApprovalRow asked = asks();
        assertEquals("", refusal(asked, ANNA));
        assertEquals(
                "The platform does not vouch for your account, so you may not decide this.",
                refusal(asked, new Sender("anna", "", false, false)));
        assertTrue(refusal(asked, STRANGER).startsWith("You asked for this"));
        rights.deny("channel.pair");
        String no =
                "You may not decide this. Your account is linked; ask an operator for a policy that"
                        + " permits user:anna the action channel.pair.";
        assertEquals(no, refusal(asked, ANNA));
        assertEquals(no, press(asked, ANNA, "n"), "the right was lost while the reason was typed");
        assertEquals(ApprovalRow.State.PENDING, row(asked).state());
    }

    @Test
    void aButtonOfARequestThatIsOverIsRefusedBeforeAReasonIsAskedFor() {
        ApprovalRow asked = asks();
        press(asked, ANNA, "n");
        assertEquals("This request is over already.", refusal(asked, ANNA));
        assertEquals("This button does nothing any more.", cards.refusal(ID, "menu:1", ANNA));
    }

    @Test
    void aDeniedCardSaysWhatWhoAndWhy() {
        ApprovalRow asked = asks();
        cards.press(
                ID,
                new InboundAction(
                        "approval:" + asked.approvalId() + ":n",
                        new Sender("anna", "Anna\n(op) *L*", false, true),
                        ASKED_IN),
                "not **known** to me");
        cards.sweep();
        String end = sentTo("a1").getLast().text();
        assertTrue(end.contains("Sender: ann (Ann)"), end);
        assertTrue(
                end.contains(
                        "Denied by user:fake:main:anna: not \\*\\*known\\*\\* to me (answered on"
                                + " fake:main by Anna  op  \\*L\\*)"),
                end);
    }

    private Acceptance gives(Sender sender, String id, String text) {
        return inbox.acceptAside(
                ID,
                InboundMessage.written(id, sender, Conversation.direct("dm"), text, true, 0),
                new byte[0]);
    }

    /** It is told to the sender alone, as often as it asks, and is no message besides. */
    @Test
    void aStrangerWhoGivesACommandIsToldTheCodeAgainAndAgain() {
        Acceptance first = gives(STRANGER, "i1", "/status");
        String code = pairings.list("").getFirst().code();
        assertEquals("direct_message_pairing_required", first.reason());
        assertTrue(first.said().startsWith("You are not known here yet"), first.said());
        assertTrue(first.said().contains("`" + code + "`"), first.said());
        assertEquals(first.said(), gives(STRANGER, "i2", "hello").said());
        assertEquals(first.said(), gives(STRANGER, "i1", "/status").said(), "the same again");
        assertEquals(List.of(), sentTo("dm"));
        assertEquals(1, requests().size());
        cards.sweep();
        press(requests().getFirst(), ANNA, "n");
        assertTrue(gives(STRANGER, "i3", "/status").said().contains("no code for you"));
    }

    @Test
    void aTypedCodeDecides() {
        ApprovalRow asked = asks();
        Matcher code = Pattern.compile("`no ([0-9A-Z]{6})`").matcher(sentTo("a1").get(0).text());
        assertTrue(code.find());
        assertEquals("approval_answer", writes(ANNA, "a1", "no " + code.group(1)).reason());
        assertEquals(ApprovalRow.State.DENIED, row(asked).state());
        assertFalse(paired());
        cards.sweep();
        assertTrue(
                sentTo("a1").stream().anyMatch(end -> end.text().contains("Denied by")),
                sentTo("a1").toString());
        assertEquals(List.of(), pairings.list(""));
        writes(STRANGER, "dm", "hello?"); // no code for a while
        assertEquals(1, requests().size());
    }

    /** Also where policy lets the account's person decide, and the card is where it writes. */
    @Test
    void anAccountDoesNotLetItselfIn() {
        ApprovalRow asked = asks();
        assertTrue(press(asked, STRANGER, "y").startsWith("You asked for this"));
        Matcher code = Pattern.compile("`yes ([0-9A-Z]{6})`").matcher(sentTo("a1").get(0).text());
        assertTrue(code.find());
        writes(STRANGER, "a1", "yes " + code.group(1));
        assertEquals(ApprovalRow.State.PENDING, row(asked).state());
        assertFalse(paired());
    }

    @Test
    void anApproverIsNotAskedAboutItsOwnAccount() {
        writes(ANNA, "a1", "hello");
        cards.sweep();
        assertEquals(1, requests().size());
        assertTrue(sentTo("a1").stream().noneMatch(card -> card.text().contains("yes ")));
    }

    @Test
    void whoMayNotPairDecidesNothing() {
        rights.deny("channel.pair");
        ApprovalRow asked = asks();
        assertEquals(
                "You may not decide this. Your account is linked; ask an operator for a policy that"
                        + " permits user:anna the action channel.pair.",
                press(asked, ANNA, "y"));
        String code = pairings.list("").getFirst().code();
        for (boolean granted : List.of(true, false)) {
            PalyraException refused =
                    assertThrows(
                            PalyraException.class,
                            () -> pairings.decide(code, granted, 0, OPERATOR));
            assertEquals(ErrorCode.DENIED, refused.code());
        }
        assertEquals(ApprovalRow.State.PENDING, row(asked).state());
        assertFalse(paired());
    }

    /** The same action decides on every way. */
    @Test
    void everyWayAsksForTheSameAction() {
        press(asks(), ANNA, "y");
        pairings.revoke(ID.toString(), "ann", OPERATOR);
        clock.advance(Pairings.CODE_MILLIS + 1);
        ApprovalRow again = asks();
        approvals.run(
                front ->
                        front.decide(
                                OPERATOR,
                                new ApprovalAnswer(
                                        again.approvalId(), true, ApprovalScope.ONCE, 0, "")));
        assertTrue(paired());
        pairings.revoke(ID.toString(), "ann", OPERATOR);
        clock.advance(Pairings.CODE_MILLIS + 1);
        asks();
        pairings.decide(pairings.list("").getFirst().code(), false, 0, OPERATOR);
        assertEquals(
                List.of(
                        "command:pairing.approve",
                        "command:pairing.revoke",
                        "command:pairing.approve",
                        "command:pairing.revoke",
                        "command:pairing.deny"),
                rights.requests().stream()
                        .filter(request -> request.action().equals("channel.pair"))
                        .map(request -> request.resource())
                        .toList());
    }

    @Test
    void anEndOfTheTimeShowsEverywhere() {
        ApprovalRow asked = asks();
        clock.advance(Pairings.CODE_MILLIS + 1);
        assertEquals(List.of(), pairings.list(""));
        assertTrue(press(asked, ANNA, "y").contains("expired"));
        journal.commit(
                Unit.of(
                        new Operation.DecideApproval(
                                asked.approvalId(), ApprovalRow.State.EXPIRED, "")));
        assertCardEnds("Expired without an answer");
        ApprovalRow again = asks();
        assertEquals(1, pairings.list("").size());
        assertEquals(again.approvalId(), pairings.list("").getFirst().approvalId());
    }

    @Test
    void aRevocationIsThatOfTheGrant() {
        press(asks(), ANNA, "y");
        pairings.revoke(ID.toString(), "ann", OPERATOR);
        assertFalse(paired());
        assertEquals(List.of(), pairings.list(""));
        assertEquals(List.of("pairing_asked", "pairing_decided", "grant_revoked"), events());
        writes(STRANGER, "dm", "hello?");
        assertEquals(1, requests().size());
        clock.advance(Pairings.CODE_MILLIS + 1);
        press(asks(), ANNA, "y");
        String grant = journal.grants("", "", "", clock.millis(), "", 9).getFirst().grantId();
        approvals.run(front -> front.revoke(OPERATOR, grant, "spam"));
        assertFalse(paired());
        assertEquals(List.of(), pairings.list(""));
        PalyraException refused =
                assertThrows(
                        PalyraException.class,
                        () -> pairings.revoke(ID.toString(), "ann", OPERATOR));
        assertEquals(ErrorCode.NOT_FOUND, refused.code());
    }

    /** The question is dropped by retention after a while; the pairing goes on. */
    @Test
    void aPairingOutlivesItsRequest() {
        ApprovalRow asked = asks();
        press(asked, ANNA, "y");
        clock.advance(1);
        journal.commit(
                Unit.of(
                        new Operation.DropSettled(
                                SettledKind.APPROVAL, asked.approvalId(), clock.millis())));
        assertTrue(paired());
        assertEquals(Pairings.State.PAIRED, pairings.list("").getFirst().state());
        pairings.revoke(ID.toString(), "ann", OPERATOR);
        assertFalse(paired());
    }

    /** What a refused unit would have written is written by the next message, once. */
    @Test
    void aRequestIsWrittenWithItsCodeOrNotAtAll() {
        journal.refuseUnits(ErrorCode.DISK_FULL);
        assertThrows(PalyraException.class, () -> writes(STRANGER, "dm", "hello"));
        assertEquals(List.of(), requests());
        assertEquals(Optional.empty(), pairings.code(ID, STRANGER));
        journal.acceptUnits();
        asks();
        asks();
        cards.sweep();
        assertEquals(1, requests().size());
        assertEquals(1, sentTo("dm").size());
        assertEquals(1, sentTo("a1").size());
    }

    /** The gateway ends after the write, so the platform hands the message in again. */
    @Test
    void aMessageThatComesAgainAsksOnce() {
        asks();
        messages--;
        assertEquals(Acceptance.Outcome.KNOWN, writes(STRANGER, "dm", "hello").outcome());
        new Cards(gate, approvals, speakers, any -> true).sweep();
        assertEquals(1, requests().size());
        assertEquals(1, sentTo("a1").size());
        press(requests().getFirst(), ANNA, "y");
        new Cards(gate, approvals, speakers, any -> true).sweep();
        assertEquals(2, sentTo("a1").size());
        assertTrue(new Pairings(gate, approvals, clock).paired(ID, STRANGER));
    }

    /** Fifty at a time for each connector, one for each sender in ten minutes, of bounded size. */
    @Test
    void whoAsksOftenMakesNoMoreRowsThanCodes() {
        for (int i = 0; i < 40; i++) {
            asks();
        }
        assertEquals(1, requests().size());
        String longest = "\u20ac".repeat(256);
        for (int i = 0; i < 2 * Pairings.MOST_CODES; i++) {
            writes(new Sender("s" + i, longest, false, true), "d" + i, "hi");
        }
        assertEquals(Pairings.MOST_CODES, requests().size());
        assertEquals(Pairings.MOST_CODES, journal.documents("channel_pairing", "", 100).size());
        for (ApprovalRow row : requests()) {
            assertTrue(row.payload().length <= 4_096, row.payload().length + " bytes");
        }
    }
}
