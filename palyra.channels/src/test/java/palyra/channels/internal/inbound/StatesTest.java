package palyra.channels.internal.inbound;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.approval.Approvals;
import palyra.api.channel.Acceptance;
import palyra.api.channel.ConnectorCapabilities;
import palyra.api.channel.ConnectorCapabilities.Feature;
import palyra.api.channel.ConnectorId;
import palyra.api.channel.Conversation;
import palyra.api.channel.InboundMessage;
import palyra.api.channel.Sender;
import palyra.api.core.access.Access;
import palyra.api.core.gateway.AgentRegistry;
import palyra.api.core.journal.InboxRow;
import palyra.api.core.journal.Journal;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.OutboxRow;
import palyra.api.core.journal.Unit;
import palyra.api.run.RunState;
import palyra.api.run.Runs;
import palyra.api.run.SessionView;
import palyra.channels.internal.approval.Cards;
import palyra.channels.internal.command.ConversationCommands;
import palyra.channels.internal.dispatch.DispatchSettings;
import palyra.channels.internal.dispatch.Dispatcher;
import palyra.channels.internal.files.HeldFiles;
import palyra.channels.internal.route.RouteRules;
import palyra.channels.internal.route.TestRules;
import palyra.channels.internal.state.States;
import palyra.front.internal.FrontSettings;
import palyra.front.internal.RunFront;
import palyra.shared.channel.Outbound;
import palyra.shared.channel.StateReactions;
import palyra.shared.gate.Gate;
import palyra.shared.hash.Ulids;
import palyra.testing.access.FakeAccess;
import palyra.testing.channel.FakePlatform;
import palyra.testing.channel.FakePlatform.Fault;
import palyra.testing.journal.MemoryJournal;
import palyra.testing.journal.MemoryKeys;
import palyra.testing.wait.Await;

/** Reactions that show what became of a message, from its row in the inbox to the platform. */
final class StatesTest {
    private static final ConnectorId ID = ConnectorId.parse("fake:main");
    private static final String SURFACE = "fake:main";
    private static final Conversation DIRECT = Conversation.direct("dm");
    private static final Ulids IDS = new Ulids();

    private final MemoryJournal journal =
            new MemoryJournal(new MemoryKeys(), InstantSource.system(), "boot");
    private final Gate<Journal> gate = new Gate<>("J", ErrorCode.JOURNAL_UNAVAILABLE, 1_000);
    private final FakePlatform platform = new FakePlatform();
    private final RouteRules rules = new RouteRules(Map::of, Set::of);
    private final States states = new States(gate);
    private boolean reacts = true;
    private Inbox inbox;
    private Dispatcher dispatcher;

    @BeforeEach
    void open() {
        gate.add(journal, Map.of());
        rule(true);
        FakeAccess rights =
                new FakeAccess(FakeAccess.Use.SPEAK_FOR, FakeAccess.Use.CHANGE, FakeAccess.Use.READ)
                        .connector("service:fake:main");
        Gate<Access> access = new Gate<>("Access", ErrorCode.POLICY_UNAVAILABLE, 0);
        access.add(rights, Map.of());
        RunFront front =
                new RunFront(
                        rights,
                        gate,
                        new Gate<>("Feed", ErrorCode.JOURNAL_UNAVAILABLE, 0),
                        new Gate<>("Gateway", ErrorCode.GATEWAY_UNAVAILABLE, 0),
                        new FrontSettings(100, 10));
        Gate<Runs> runs = new Gate<>("Runs", ErrorCode.GATEWAY_UNAVAILABLE, 0);
        runs.add(InboxTest.elsewhere(Runs.class, front), Map.of());
        Gate<Approvals> approvals = new Gate<>("A", ErrorCode.GATEWAY_UNAVAILABLE, 0);
        Speakers speakers = new Speakers(access);
        InstantSource clock = InstantSource.system();
        inbox =
                new Inbox(
                        runs,
                        speakers,
                        gate,
                        rules,
                        new Pairings(gate, approvals, clock),
                        new Cards(gate, approvals, speakers, any -> true),
                        new ConversationCommands(
                                runs,
                                approvals,
                                new Gate<AgentRegistry>("G", ErrorCode.GATEWAY_UNAVAILABLE, 0),
                                access,
                                gate,
                                clock),
                        id -> reacts,
                        (id, message) -> "");
        dispatcher =
                new Dispatcher(
                        platform.connector(
                                SURFACE,
                                ConnectorCapabilities.of(256, Feature.REACTIONS, Feature.LOOKUP)),
                        "boot/" + IDS.next(),
                        gate,
                        () -> new DispatchSettings(4, 3, 1, 5, 0, false),
                        () -> false,
                        new HeldFiles(Path.of("unused"), gate, () -> 0, clock),
                        clock);
    }

    @AfterEach
    void close() {
        dispatcher.close();
    }

    private void rule(boolean shown) {
        rules.add(TestRules.rule("r", Map.of("directMessages", "allow", "stateReactions", shown)));
    }

    private static InboundMessage message(
            InboundMessage.Event event, String revision, String text) {
        return new InboundMessage(
                event,
                "m1",
                revision,
                new Sender("ann", "Ann", false, true),
                DIRECT,
                "",
                text,
                false,
                Set.of(),
                List.of(),
                0);
    }

    private Acceptance says(String text) {
        return inbox.accept(ID, message(InboundMessage.Event.WRITTEN, "", text), new byte[0]);
    }

    /** The gateway takes a message up, and its run ends. */
    private void ran(String inboxId, RunState state) {
        String session = IDS.next();
        String run = IDS.next();
        journal.commit(
                Unit.of(
                        new Operation.InsertSession(
                                new SessionView(
                                        session, session, "", "user:a", "", SURFACE, "", 0, 0, 0,
                                        "")),
                        new Operation.InsertRun(
                                run,
                                session,
                                "user:a",
                                "agent",
                                "interactive",
                                inboxId,
                                SURFACE,
                                RunState.RUNNING,
                                0),
                        new Operation.SettleInbox(inboxId, InboxRow.State.ROUTED, run, "")));
        states.sweep();
        assertEquals(1, shown(), "its run works");
        journal.commit(
                Unit.of(new Operation.MoveRun(run, EnumSet.of(RunState.RUNNING), state, "")));
    }

    private int shown() {
        return journal.documents(StateReactions.COLLECTION, "", 10).size();
    }

    /** Returns the reactions that were ever put into the outbox, in their order. */
    private List<String> put() {
        List<OutboxRow> rows = new ArrayList<>();
        for (OutboxRow.State state : OutboxRow.State.values()) {
            rows.addAll(journal.outboxIn(state, SURFACE, "", 100));
        }
        return rows.stream()
                .sorted((a, b) -> a.outboxId().compareTo(b.outboxId()))
                .map(row -> Outbound.read(row.payload()))
                .filter(one -> one.kind().equals(Outbound.STATE))
                .map(one -> one.reactionTo() + one.text())
                .toList();
    }

    @Test
    void takenMessageIsReactedToInTheUnitOfItsRow() {
        List<Unit> units = new ArrayList<>();
        journal.beforeUnit(units::add);
        says("hello");
        assertEquals(List.of("m1👀"), put());
        assertTrue(
                units.stream()
                        .filter(unit -> has(unit, Operation.PutInbox.class))
                        .allMatch(
                                unit ->
                                        has(unit, Operation.PutOutbox.class)
                                                && has(unit, Operation.PutDocument.class)));
        assertEquals(Acceptance.Outcome.KNOWN, says("hello").outcome());
        assertEquals(List.of("m1👀"), put());
    }

    private static boolean has(Unit unit, Class<? extends Operation> kind) {
        return unit.operations().stream().anyMatch(kind::isInstance);
    }

    @ParameterizedTest
    @CsvSource({"SUCCEEDED,✅", "FAILED,❌", "CANCELLED,🛑"})
    void endOfTheRunIsShownOnce(RunState state, String shown) {
        ran(says("hello").messageId(), state);
        states.sweep();
        states.sweep();
        assertEquals(List.of("m1👀", "m1" + shown), put());
        dispatcher.start();
        Await.until("the reactions", () -> platform.reactions("m1").equals(Set.of("👀", shown)));
        assertEquals(0, shown());
    }

    /** Before the write of the sweep, and after it with the answer lost. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void crashOfASweepShowsItOnceAllTheSame(boolean applied) {
        ran(says("hello").messageId(), RunState.SUCCEEDED);
        PalyraException killed = new PalyraException(ErrorCode.JOURNAL_UNAVAILABLE, "killed");
        if (applied) {
            journal.afterUnit(
                    (unit, committed) -> {
                        throw killed;
                    });
        } else {
            journal.refuseUnits(ErrorCode.JOURNAL_UNAVAILABLE);
        }
        assertThrows(PalyraException.class, states::sweep);
        journal.acceptUnits();
        journal.afterUnit((unit, committed) -> {});
        new States(gate).sweep();
        assertEquals(List.of("m1👀", "m1✅"), put());
    }

    @Test
    void crashBeforeTheRowOfAMessageShowsNothing() {
        journal.refuseUnits(ErrorCode.JOURNAL_UNAVAILABLE);
        assertThrows(PalyraException.class, () -> says("hello"));
        journal.acceptUnits();
        assertEquals(List.of(), put());
        says("hello");
        assertEquals(List.of("m1👀"), put());
    }

    @Test
    void stoppedMessageShowsThatAndADeletedOneNothing() {
        says("hello");
        inbox.accept(
                ID,
                InboundMessage.written(
                        "m2", new Sender("ann", "", false, true), DIRECT, "/stop", false, 0),
                new byte[0]);
        states.sweep();
        assertEquals(List.of("m1👀", "m1🛑"), put());
        inbox.accept(ID, message(InboundMessage.Event.EDITED, "1", "again"), new byte[0]);
        inbox.accept(ID, message(InboundMessage.Event.DELETED, "2", ""), new byte[0]);
        states.sweep();
        assertEquals(List.of("m1👀", "m1🛑", "m1👀"), put());
        assertEquals(0, shown());
    }

    @Test
    void ofAnEditedMessageTheLastFormCounts() {
        says("hello");
        Acceptance edited =
                inbox.accept(ID, message(InboundMessage.Event.EDITED, "1", "again"), new byte[0]);
        states.sweep();
        assertEquals(1, shown());
        ran(edited.messageId(), RunState.SUCCEEDED);
        states.sweep();
        assertEquals(List.of("m1👀", "m1👀", "m1✅"), put());
    }

    /** Neither a refusal, nor a platform that fails again and again, leaves a dead letter. */
    @Test
    void reactionThatCannotBeMadeIsDroppedWithItsReasonAndHoldsUpNothing() {
        platform.fail(
                "dm",
                Fault.REFUSED,
                Fault.SERVER_ERROR,
                Fault.SERVER_ERROR,
                Fault.LOST_ANSWER,
                Fault.SERVER_ERROR);
        String refused = says("hello").messageId();
        ran(refused, RunState.SUCCEEDED);
        states.sweep();
        dispatcher.start();
        Await.until(
                "both to be dropped",
                () -> journal.outboxIn(OutboxRow.State.WITHDRAWN, SURFACE, "", 10).size() == 2);
        for (OutboxRow row : journal.outboxIn(OutboxRow.State.WITHDRAWN, SURFACE, "", 10)) {
            assertTrue(row.progress().reason().startsWith("not shown: "), row.toString());
        }
        for (OutboxRow.State state :
                List.of(OutboxRow.State.FAILED, OutboxRow.State.UNKNOWN, OutboxRow.State.PENDING)) {
            assertEquals(List.of(), journal.outboxIn(state, SURFACE, "", 10));
        }
    }

    @Test
    void nothingIsShownWithoutTheRuleOrWithoutReactions() {
        reacts = false;
        says("hello");
        assertEquals(0, shown());
        reacts = true;
        rule(false);
        inbox.accept(
                ID,
                InboundMessage.written(
                        "m2", new Sender("ann", "", false, true), DIRECT, "hello", false, 0),
                new byte[0]);
        assertEquals(List.of(), put());
        assertEquals(0, shown());
    }
}
