package palyra.channels.internal.inbound;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.approval.Approvals;
import palyra.api.channel.Acceptance;
import palyra.api.channel.ConnectorId;
import palyra.api.channel.Conversation;
import palyra.api.channel.InboundMessage;
import palyra.api.channel.Sender;
import palyra.api.core.access.Access;
import palyra.api.core.gateway.AgentRegistry;
import palyra.api.core.gateway.AgentView;
import palyra.api.core.journal.ApprovalRow;
import palyra.api.core.journal.CommandRow;
import palyra.api.core.journal.InboxRow;
import palyra.api.core.journal.Journal;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.OutboxRow;
import palyra.api.core.journal.Unit;
import palyra.api.core.keys.Keys;
import palyra.api.run.RunState;
import palyra.api.run.Runs;
import palyra.api.run.SessionView;
import palyra.channels.internal.approval.Cards;
import palyra.channels.internal.command.ConversationCommands;
import palyra.channels.internal.route.RouteRules;
import palyra.channels.internal.route.TestRules;
import palyra.front.internal.FrontSettings;
import palyra.front.internal.RunFront;
import palyra.front.internal.approval.ApprovalFront;
import palyra.gateway.internal.agents.Agents;
import palyra.shared.approval.ApprovalRequestBody;
import palyra.shared.approval.ApprovalRequestCodec;
import palyra.shared.channel.Outbound;
import palyra.shared.channel.Positions;
import palyra.shared.gate.Gate;
import palyra.shared.hash.Ulids;
import palyra.testing.access.FakeAccess;
import palyra.testing.journal.ManualClock;
import palyra.testing.journal.MemoryJournal;
import palyra.testing.journal.MemoryKeys;

/** Commands of people in a conversation, over the fronts and the agents of the product. */
final class ConversationCommandsTest {
    private static final ConnectorId ID = ConnectorId.parse("fake:main");
    private static final String ANN = "user:fake:main:ann";
    private static final Conversation DIRECT = Conversation.direct("dm");
    private static final Conversation ROOM = Conversation.group("room", "Room");
    private static final String KEY = "channel:fake:main:conversation:dm";
    private static final Ulids IDS = new Ulids();

    private final ManualClock clock = new ManualClock(1_700_000_000_000L);
    private final MemoryJournal journal = new MemoryJournal(new MemoryKeys(), clock, "boot");
    private final Gate<Journal> gate =
            new Gate<>("The journal", ErrorCode.JOURNAL_UNAVAILABLE, 1_000);
    private final Gate<Access> access = new Gate<>("Access", ErrorCode.POLICY_UNAVAILABLE, 0);
    private final Gate<Runs> runs = new Gate<>("Runs", ErrorCode.GATEWAY_UNAVAILABLE, 0);
    private final Gate<Approvals> approvals =
            new Gate<>("Approvals", ErrorCode.GATEWAY_UNAVAILABLE, 0);
    private final Gate<AgentRegistry> agents =
            new Gate<>("The gateway", ErrorCode.GATEWAY_UNAVAILABLE, 0);
    private final FakeAccess rights =
            new FakeAccess(FakeAccess.Use.SPEAK_FOR, FakeAccess.Use.CHANGE, FakeAccess.Use.READ)
                    .connector("service:fake:main");
    private final RouteRules rules = new RouteRules(Map::of, Set::of);
    private AgentRegistry registry;
    private Runs runFront;
    private Inbox inbox;
    private int messages;

    @BeforeEach
    void open() {
        gate.add(journal, Map.of());
        access.add(rights, Map.of());
        rule("", true);
        RunFront front =
                new RunFront(
                        rights,
                        gate,
                        new Gate<>("Feed", ErrorCode.JOURNAL_UNAVAILABLE, 0),
                        new Gate<>("Gateway", ErrorCode.GATEWAY_UNAVAILABLE, 0),
                        new FrontSettings(100, 10));
        runFront = InboxTest.elsewhere(Runs.class, front);
        runs.add(runFront, Map.of());
        approvals.add(
                InboxTest.elsewhere(
                        Approvals.class,
                        new ApprovalFront(
                                rights,
                                gate,
                                new Gate<Keys>("Keys", ErrorCode.KEYS_UNAVAILABLE, 0),
                                clock::millis)),
                Map.of());
        Agents known = new Agents(gate);
        known.load();
        for (String name : List.of("helper", "coder")) {
            known.create(
                    rights.authorize(
                            palyra.api.core.access.AccessRequest.of(
                                    FakeAccess.user("user:op"), "agent.create", "")),
                    new AgentView(name, "", "", "", "", "", List.of(), false, 0, 0),
                    false);
        }
        rights.forgetCalls();
        registry = InboxTest.elsewhere(AgentRegistry.class, known);
        agents.add(registry, Map.of());
        inbox = inbox();
    }

    /** Returns one as after a restart of the bundle. */
    private Inbox inbox() {
        Speakers speakers = new Speakers(access);
        return new Inbox(
                runs,
                speakers,
                gate,
                rules,
                new Pairings(gate, approvals, clock),
                new Cards(gate, approvals, speakers, any -> true),
                new ConversationCommands(runs, approvals, agents, access, gate, clock),
                id -> true,
                (id, message) -> "");
    }

    private void rule(String agent, boolean commands) {
        rules.add(
                TestRules.rule(
                        "r",
                        Map.of(
                                "mentionPatterns",
                                new String[] {"helper"},
                                "denyFrom",
                                new String[] {"eve"},
                                "directMessages",
                                "allow",
                                "agent",
                                agent,
                                "commands",
                                commands)));
    }

    private InboundMessage written(Conversation where, String sender, String text, boolean to) {
        return InboundMessage.written(
                "m" + messages++, new Sender(sender, "Ann", false, true), where, text, to, 0);
    }

    private Acceptance says(String text) {
        return inbox.accept(ID, written(DIRECT, "ann", text, false), new byte[0]);
    }

    /** Returns the answers so far, oldest first. */
    private List<String> answers() {
        return journal.outboxIn(OutboxRow.State.PENDING, ID.toString(), "", 500).stream()
                .map(row -> Outbound.read(row.payload()).text())
                .toList();
    }

    private String answer(String command) {
        int before = answers().size();
        assertEquals("command", says(command).reason());
        assertEquals(before + 1, answers().size());
        return answers().getLast();
    }

    private String session() {
        String session = IDS.next();
        journal.commit(
                Unit.of(
                        new Operation.InsertSession(
                                new SessionView(
                                        session,
                                        KEY,
                                        "",
                                        ANN,
                                        "",
                                        ID.toString(),
                                        "",
                                        0,
                                        0,
                                        0,
                                        ""))));
        return session;
    }

    private String run(String session, RunState state) {
        String run = IDS.next();
        journal.commit(
                Unit.of(
                        new Operation.InsertRun(
                                run,
                                session,
                                ANN,
                                "default",
                                "interactive",
                                "",
                                ID.toString(),
                                RunState.ACCEPTED,
                                0)));
        if (state != RunState.ACCEPTED) {
            journal.commit(
                    Unit.of(new Operation.MoveRun(run, EnumSet.of(RunState.ACCEPTED), state, "")));
        }
        return run;
    }

    private List<String> cancelled() {
        return journal.pendingCommands("", 100).stream()
                .filter(row -> row.kind().equals(CommandRow.CANCEL_RUN))
                .map(CommandRow::target)
                .toList();
    }

    private List<InboxRow> queued() {
        return journal.inboxIn(InboxRow.State.QUEUED, "", 100);
    }

    @Test
    void newConversationArchivesTheSessionAndIsNoMessage() {
        String session = session();
        assertEquals("The next message begins a new conversation.", answer("/new"));
        assertTrue(journal.session(session).orElseThrow().archivedAtMillis() > 0);
        assertEquals(List.of(), queued());
        assertEquals(List.of("run.start", "session.archive"), actions());
    }

    private List<String> actions() {
        return rights.requests().stream().map(one -> one.action()).toList();
    }

    private Acceptance gives(String id, String text) {
        return inbox.acceptAside(
                ID,
                InboundMessage.written(
                        id, new Sender("ann", "Ann", false, true), DIRECT, text, true, 0),
                new byte[0]);
    }

    /** As on platforms where commands are answered to the one who gave them. */
    @Test
    void anAnswerAsideIsNoMessageAndTheSameWhenTheCommandComesAgain() {
        run(session(), RunState.RUNNING);
        Acceptance stopped = gives("i1", "/stop");
        assertEquals(List.of("command", "Stopped: 1."), List.of(stopped.reason(), stopped.said()));
        inbox = inbox(); // as after a restart
        Acceptance again = gives("i1", "/stop");
        assertEquals(Acceptance.Outcome.KNOWN, again.outcome());
        assertEquals("Stopped: 1.", again.said());
        assertTrue(gives("i2", "/approve ABCDEF").said().contains("No request with this code"));
        assertEquals("", gives("i3", "hello").said(), "an agent answers");
        assertEquals(List.of(), answers());
    }

    @Test
    void newConversationWaitsForWhatWorks() {
        String session = session();
        String run = run(session, RunState.RUNNING);
        assertTrue(answer("/new").contains("/stop"));
        assertEquals(0, journal.session(session).orElseThrow().archivedAtMillis());
        journal.commit(
                Unit.of(
                        new Operation.MoveRun(
                                run, EnumSet.of(RunState.RUNNING), RunState.CANCELLED, "")));
        assertEquals("The next message begins a new conversation.", answer("/new"));
    }

    @Test
    void stopCancelsWhatWorksAndWhatWaitsAndNothingElse() {
        String session = session();
        String works = run(session, RunState.RUNNING);
        String waits = run(session, RunState.ACCEPTED);
        run(session, RunState.SUCCEEDED);
        says("a question for a gateway that is away");
        assertEquals("Stopped: 3.", answer("/STOP"));
        assertEquals(Set.of(works, waits), Set.copyOf(cancelled()));
        assertEquals(List.of(), queued());
        assertEquals(
                "stopped", journal.inboxIn(InboxRow.State.REJECTED, "", 10).getFirst().reason());
    }

    @Test
    void stopInOneConversationLeavesOthers() {
        run(session(), RunState.RUNNING);
        inbox.accept(ID, written(ROOM, "ann", "helper, wait", false), new byte[0]);
        inbox.accept(ID, written(Conversation.direct("other"), "ann", "/stop", false), new byte[0]);
        assertEquals(List.of("Nothing works or waits here."), answers());
        assertEquals(List.of(), cancelled());
        assertEquals(1, queued().size());
    }

    @Test
    void statusTellsTheAgentWhatWorksAndWhatWaits() {
        assertEquals(
                "- Agent: `default`, the default.\n- Nothing works or waits here.",
                answer("/status"));
        String session = session();
        String run = run(session, RunState.RUNNING);
        clock.advance(120_000);
        String told = answer("/status");
        assertTrue(told.contains("- Works (asked 2 min ago)"), told);
        journal.commit(
                Unit.of(
                        new Operation.MoveRun(
                                run,
                                EnumSet.of(RunState.RUNNING),
                                RunState.AWAITING_APPROVAL,
                                "")));
        assertTrue(answer("/status").contains("- Waits for an approval (asked 2 min ago)"));
        String asked = approval(run);
        String code = asked.substring(asked.length() - 6);
        assertTrue(
                answer("/status")
                        .contains(
                                "- Waits for an approval (asked 2 min ago): Run git? (an approver"
                                        + " writes `yes "
                                        + code
                                        + "` or `no "
                                        + code
                                        + "`)"),
                answers().getLast());
    }

    private String approval(String run) {
        String id = IDS.next();
        ApprovalRequestBody body =
                new ApprovalRequestBody(
                        id,
                        "TOOL",
                        "tool:palyra.process.run",
                        1,
                        "git log",
                        new ApprovalRequestBody.Origin("s", run, "call", "default", ANN, "", ""),
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
                                "Run git?", "HIGH", "git log", "policy asks", 900, List.of()),
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
                                        ANN,
                                        "TOOL",
                                        "tool:palyra.process.run",
                                        ApprovalRequestCodec.bytes(body),
                                        1,
                                        clock.millis() + 60_000,
                                        0))));
        return id;
    }

    @Test
    void agentIsChosenForTheConversationWithThePermitOfThePolicy() {
        String session = session();
        assertEquals(
                "Agent: `default`, the default. You may choose with `/agent NAME`: coder, default,"
                        + " helper.",
                answer("/agent"));
        assertEquals(
                "`helper` answers here from the next message on, until `/new`.",
                answer("/agent helper"));
        assertEquals("helper", journal.session(session).orElseThrow().agentId());
        assertTrue(answer("/status").contains("`helper`, that of this conversation"));
        assertTrue(answer("/agent no-such").contains("no agent `no-such`"));
        assertTrue(
                rights.requests().stream()
                        .anyMatch(
                                one ->
                                        one.action().equals("agent.bind")
                                                && one.resource().equals("agent:helper")
                                                && one.principal().id().equals(ANN)));
    }

    @Test
    void agentThatPolicyDeniesIsNotChosenAndTheReasonIsTold() {
        String session = session();
        rights.allowing(
                one -> !one.action().equals("agent.bind") || one.resource().endsWith(":coder"));
        assertTrue(answer("/agent").endsWith("`/agent NAME`: coder."));
        assertEquals(
                "That was not done: Policy does not allow agent.bind.", answer("/agent helper"));
        assertEquals("", journal.session(session).orElseThrow().agentId());
        answer("/agent coder");
        assertEquals("coder", journal.session(session).orElseThrow().agentId());
    }

    @Test
    void agentOfTheRuleStays() {
        session();
        rule("helper", true);
        assertTrue(answer("/agent").contains("the only one of this conversation"));
        assertTrue(answer("/agent coder").contains("`helper` always answers"));
        assertFalse(answers().getLast().contains("rule"), "the words of operators");
        assertFalse(actions().contains("agent.bind"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"session.archive", "run.cancel", "agent.read"})
    void denialIsAnsweredWithItsReasonAndChangesNothing(String action) {
        String session = session();
        run(session, action.equals("run.cancel") ? RunState.RUNNING : RunState.SUCCEEDED);
        rights.deny(action);
        String command =
                Map.of("session.archive", "/new", "run.cancel", "/stop", "agent.read", "/status")
                        .get(action);
        assertEquals("That was not done: Policy does not allow " + action + ".", answer(command));
        assertEquals(0, journal.session(session).orElseThrow().archivedAtMillis());
        assertEquals(List.of(), cancelled());
    }

    /** Who would get no answer to a message gets none to a command. */
    @Test
    void ignoredSenderIsNotObeyed() {
        String session = session();
        run(session, RunState.RUNNING);
        assertEquals(
                "sender_denied",
                inbox.accept(ID, written(DIRECT, "eve", "/stop", false), new byte[0]).reason());
        assertEquals(
                "no_matching_mention_or_dm_policy",
                inbox.accept(ID, written(ROOM, "ann", "/stop", false), new byte[0]).reason());
        rights.deny("run.start");
        assertEquals("denied_by_policy", says("/stop").reason());
        assertEquals(List.of(), answers());
        assertEquals(List.of(), cancelled());
    }

    @Test
    void commandThatComesAgainIsDoneOnce() {
        run(session(), RunState.RUNNING);
        InboundMessage stop = written(DIRECT, "ann", "/stop", false);
        byte[] position = {1};
        assertEquals("command", inbox.accept(ID, stop, position).reason());
        Acceptance again = inbox.accept(ID, stop, new byte[] {2});
        assertEquals(Acceptance.Outcome.KNOWN, again.outcome());
        assertEquals(1, answers().size());
        assertEquals(2, Positions.kept(journal, "fake:main").orElseThrow()[0]);
    }

    /** Between what it did and the row of the message; the next life does it again. */
    @Test
    void crashAfterTheEffectMakesItOnceAndAnswersOnce() {
        String session = session();
        String run = run(session, RunState.RUNNING);
        InboundMessage stop = written(DIRECT, "ann", "/stop", false);
        journal.beforeUnit(
                unit -> {
                    if (unit.operations().stream().anyMatch(Operation.PutInbox.class::isInstance)) {
                        throw new PalyraException(ErrorCode.JOURNAL_UNAVAILABLE, "killed");
                    }
                });
        assertThrows(PalyraException.class, () -> inbox.accept(ID, stop, new byte[] {1}));
        assertEquals(List.of(run), cancelled());
        assertEquals(List.of(), answers());
        journal.acceptUnits();
        inbox = inbox();
        assertEquals("command", inbox.accept(ID, stop, new byte[] {1}).reason());
        assertEquals(List.of(run), cancelled());
        assertEquals(1, answers().size());
    }

    @Test
    void crashAfterANewConversationBeginsNoSecondOne() {
        String session = session();
        InboundMessage begin = written(DIRECT, "ann", "/new", false);
        journal.beforeUnit(
                unit -> {
                    if (unit.operations().stream().anyMatch(Operation.PutInbox.class::isInstance)) {
                        throw new PalyraException(ErrorCode.JOURNAL_UNAVAILABLE, "killed");
                    }
                });
        assertThrows(PalyraException.class, () -> inbox.accept(ID, begin, new byte[0]));
        assertTrue(journal.session(session).orElseThrow().archivedAtMillis() > 0);
        journal.acceptUnits();
        assertEquals("command", inbox.accept(ID, begin, new byte[0]).reason());
        assertEquals(List.of("The next message begins a new conversation."), answers());
    }

    /** While the front is replaced the connector hands the command in again. */
    @Test
    void commandWaitsForTheFrontOfRuns() {
        run(session(), RunState.RUNNING);
        InboundMessage stop = written(DIRECT, "ann", "/stop", false);
        runs.remove(runFront);
        PalyraException away =
                assertThrows(PalyraException.class, () -> inbox.accept(ID, stop, new byte[] {1}));
        assertEquals(ErrorCode.GATEWAY_UNAVAILABLE, away.code());
        assertEquals(List.of(), answers());
        runs.add(runFront, Map.of());
        assertEquals("command", inbox.accept(ID, stop, new byte[] {1}).reason());
        assertEquals(List.of("Stopped: 1."), answers());
    }

    /** What does not pass holds up no connector. */
    @Test
    void defectIsAnsweredAndNotTriedForever() {
        session();
        agents.remove(registry);
        agents.add(
                (AgentRegistry)
                        java.lang.reflect.Proxy.newProxyInstance(
                                AgentRegistry.class.getClassLoader(),
                                new Class<?>[] {AgentRegistry.class},
                                (proxy, method, arguments) -> {
                                    throw new PalyraException(
                                            ErrorCode.CORRUPT, "Agent 'x' cannot be read.");
                                }),
                Map.of());
        assertEquals("That was not done: Agent 'x' cannot be read.", answer("/agent"));
    }

    /** While access control is replaced the connector hands the command in again. */
    @Test
    void commandWaitsForAccessControlAndIsAnsweredWithoutTheGateway() {
        session();
        access.remove(rights);
        PalyraException away = assertThrows(PalyraException.class, () -> says("/stop"));
        assertEquals(ErrorCode.POLICY_UNAVAILABLE, away.code());
        access.add(rights, Map.of());
        agents.remove(registry);
        assertTrue(answer("/status").contains("not known while the gateway is being replaced"));
        assertTrue(answer("/agent helper").startsWith("That was not done: "));
        assertEquals("The next message begins a new conversation.", answer("/new"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/start",
                "/new plan",
                "/new\nand more",
                "see /new",
                "new",
                "/ new",
                "/agent one two",
                "//new",
                "/help me"
            })
    void whatIsNoCommandGoesToTheModel(String text) {
        assertEquals(Acceptance.Outcome.STORED, says(text).outcome());
        assertEquals(1, queued().size());
        assertEquals(List.of(), answers());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"/help", " /HELP ", "/help@palyra_bot", "helper /help", "Helper, /help"})
    void commandIsReadInEachOfItsForms(String text) {
        assertTrue(answer(text).contains("`/stop`"));
    }

    @Test
    void mentionBeforeACommandIsLeftOutInAGroup() {
        for (String text : List.of("@palyra_bot /help", "/help", "/help@palyra_bot")) {
            assertEquals(
                    "command",
                    inbox.accept(ID, written(ROOM, "ann", text, true), new byte[0]).reason());
        }
        assertEquals(
                Acceptance.Outcome.STORED,
                inbox.accept(ID, written(ROOM, "ann", "helper /help@other_bot", false), new byte[0])
                        .outcome());
    }

    @Test
    void commandsThatTheRuleTurnsOffGoToTheModel() {
        rule("", false);
        assertEquals(Acceptance.Outcome.STORED, says("/new").outcome());
        assertEquals(List.of(), answers());
    }
}
