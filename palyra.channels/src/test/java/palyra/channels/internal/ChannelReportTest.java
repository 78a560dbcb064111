package palyra.channels.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import palyra.api.ErrorCode;
import palyra.api.approval.Approvals;
import palyra.api.channel.ConnectorCapabilities;
import palyra.api.channel.ConnectorId;
import palyra.api.channel.Conversation;
import palyra.api.channel.InboundMessage;
import palyra.api.channel.MessageOrigin;
import palyra.api.channel.Sender;
import palyra.api.command.ExitCodes;
import palyra.api.core.access.Access;
import palyra.api.core.gateway.AgentRegistry;
import palyra.api.core.journal.InboxRow;
import palyra.api.core.journal.Journal;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.OutboxProgress;
import palyra.api.core.journal.OutboxRow;
import palyra.api.core.journal.Unit;
import palyra.api.core.ops.Finding;
import palyra.api.core.vault.Vault;
import palyra.api.run.Runs;
import palyra.api.run.SubmittedMessage;
import palyra.api.run.WhileRunning;
import palyra.channels.internal.approval.Cards;
import palyra.channels.internal.command.ConversationCommands;
import palyra.channels.internal.dispatch.DeadLetters;
import palyra.channels.internal.dispatch.DispatchSettings;
import palyra.channels.internal.files.HeldFiles;
import palyra.channels.internal.inbound.Inbox;
import palyra.channels.internal.inbound.Pairings;
import palyra.channels.internal.inbound.Speakers;
import palyra.channels.internal.route.RouteRule;
import palyra.channels.internal.route.RouteRules;
import palyra.channels.internal.route.TestRules;
import palyra.shared.channel.Outbound;
import palyra.shared.gate.Gate;
import palyra.shared.hash.Ulids;
import palyra.shared.run.SubmissionCodec;
import palyra.shared.vault.SecretLender;
import palyra.testing.channel.FakePlatform;
import palyra.testing.channel.FakePlatform.Fault;
import palyra.testing.command.FakeCommandContext;
import palyra.testing.journal.ManualClock;
import palyra.testing.journal.MemoryJournal;
import palyra.testing.journal.MemoryKeys;
import palyra.testing.wait.Await;

/**
 * What doctor, {@code channels list} and {@code channels status} say, and what is easily missed.
 */
final class ChannelReportTest {
    private static final ConnectorId ID = ConnectorId.parse("fake:main");

    private final Ulids ids = new Ulids();
    private final ManualClock clock = new ManualClock(System.currentTimeMillis());
    private final MemoryJournal journal = new MemoryJournal(new MemoryKeys(), clock, "boot");
    private final Gate<Journal> gate =
            new Gate<>("The journal", ErrorCode.JOURNAL_UNAVAILABLE, 1_000);
    private final Gate<Access> access = new Gate<>("Access", ErrorCode.POLICY_UNAVAILABLE, 0);
    private final Gate<Approvals> approvals =
            new Gate<>("Approvals", ErrorCode.GATEWAY_UNAVAILABLE, 0);
    private final Gate<Runs> runs = new Gate<>("Runs", ErrorCode.GATEWAY_UNAVAILABLE, 0);
    private final Gate<AgentRegistry> agents =
            new Gate<>("Agents", ErrorCode.GATEWAY_UNAVAILABLE, 0);
    private final Pairings pairings = new Pairings(gate, approvals, clock);
    private Set<String> refused = Set.of();
    private final RouteRules rules = new RouteRules(Map::of, () -> refused);
    private final Speakers speakers = new Speakers(access);
    private final Inbox inbox =
            new Inbox(
                    runs,
                    speakers,
                    gate,
                    rules,
                    pairings,
                    new Cards(gate, approvals, speakers, any -> true),
                    new ConversationCommands(runs, approvals, agents, access, gate, clock),
                    id -> true,
                    (id, message) -> "");
    private final ChannelServices services =
            new ChannelServices(
                    gate,
                    runs,
                    inbox,
                    (connector, action, reason) -> "",
                    new SecretLender(
                            access, new Gate<Vault>("Vault", ErrorCode.KEYS_UNAVAILABLE, 0)),
                    () ->
                            new DispatchSettings(
                                    4, 5, 60_000, 60_000, TimeUnit.HOURS.toMillis(1), false),
                    new HeldFiles(Path.of("unused"), gate, () -> 0, clock),
                    clock);
    private final Channels channels = new Channels(services, "boot");
    private final ChannelReport report =
            new ChannelReport(
                    channels,
                    new DeadLetters(gate, name -> channels.find(name).isPresent()),
                    rules,
                    pairings,
                    agents,
                    clock);
    private final FakePlatform platform = new FakePlatform();

    @BeforeEach
    void open() {
        gate.add(journal, Map.of());
        channels.add(platform.connector(ID.toString(), ConnectorCapabilities.of(64)));
        rules.add(rule(""));
    }

    @AfterEach
    void close() {
        channels.close();
    }

    private static RouteRule rule(String agent) {
        return TestRules.rule("r", Map.of("directMessages", "pairing", "agent", agent));
    }

    private void put(String surface, OutboxRow.State state) {
        Outbound message = Outbound.of("message", "hello", Conversation.direct("a"), "");
        journal.commit(
                Unit.of(
                        new Operation.PutOutbox(
                                new OutboxRow(
                                        ids.next(),
                                        "",
                                        surface,
                                        "a",
                                        message.bytes(),
                                        state,
                                        OutboxProgress.NONE,
                                        0,
                                        0))));
    }

    private boolean tells(String words) {
        return report.findings().stream().map(Finding::message).anyMatch(it -> it.contains(words));
    }

    private int run(FakeCommandContext context, String name) throws Exception {
        return context.run(
                ChannelCommands.all(channels, services, pairings, report, rules).stream()
                        .filter(command -> command.spec().name().equals(name))
                        .findFirst()
                        .orElseThrow());
    }

    private static FakeCommandContext link(String connector, String ask) {
        return FakeCommandContext.builder()
                .positionals(connector, "42", "user:anna")
                .flag("approver")
                .option("ask", ask)
                .build();
    }

    @Test
    void whatThePlatformDoesNotTakeIsToldAfterHalfAMinute() {
        platform.fail("a", Fault.SERVER_ERROR);
        put(ID.toString(), OutboxRow.State.PENDING);
        Channel channel = channels.find(ID.toString()).orElseThrow();
        Await.until(
                "the reason",
                () -> channel.dispatcher().waitingReason().equals("the platform failed"));
        assertEquals("", report.trouble(channel));
        clock.advance(31_000);
        assertTrue(tells("waits for 31 seconds to be sent: the platform failed"));
        assertTrue(report.trouble(channel).contains("the platform failed"));
    }

    @Test
    void deadLettersOfAConnectorThatIsGoneAreCounted() {
        put("gone:main", OutboxRow.State.UNKNOWN);
        put("gone:main", OutboxRow.State.FAILED);
        assertTrue(tells("2 messages of gone:main are dead letters"));
        assertFalse(tells("of fake:main are dead letters"));
    }

    @Test
    void aConnectorThatGivesNoMoreCodesIsTold() {
        for (int i = 0; i < Pairings.MOST_CODES; i++) {
            assertFalse(tells("further senders get none"));
            inbox.accept(
                    ID,
                    InboundMessage.written(
                            "m" + i,
                            new Sender("s" + i, "", false, true),
                            Conversation.direct("d" + i),
                            "hello",
                            false,
                            0),
                    new byte[0]);
        }
        assertTrue(tells("further senders get none"));
    }

    @Test
    void aRuleThatNamesNoAgentThereIsIsTold() {
        rules.add(rule("missing"));
        assertFalse(tells("does not exist"), "it is not known which there are");
        agents.add(
                (AgentRegistry)
                        Proxy.newProxyInstance(
                                getClass().getClassLoader(),
                                new Class<?>[] {AgentRegistry.class},
                                (proxy, method, arguments) -> Optional.empty()),
                Map.of());
        assertTrue(tells("names the agent missing, which does not exist"));
    }

    @Test
    void aRuleThatIsNotInForceIsTold() {
        assertEquals("", report.trouble(channels.find(ID.toString()).orElseThrow()));
        refused = Set.of("r");
        assertTrue(tells("The rule r is configured and not in force, so nothing is taken"));
    }

    @Test
    void aLinkToAConnectorThatIsNotThereIsNoted() throws Exception {
        FakeCommandContext there = link(ID.toString(), "42");
        assertEquals(ExitCodes.OK, run(there, "identity link"));
        assertEquals(List.of(), there.output().notes());
        FakeCommandContext missing = link("fake:mian", "42");
        assertEquals(ExitCodes.OK, run(missing, "identity link"));
        assertEquals(
                List.of(
                        "No connector is called fake:mian; the link counts once one is. See"
                                + " channels list."),
                missing.output().notes());
    }

    @Test
    void approvalsAreNotPutToAGroup() throws Exception {
        Sender anna = new Sender("42", "Anna", false, true);
        String message = ids.next();
        String run = ids.next();
        journal.commit(
                Unit.of(
                        new Operation.PutInbox(
                                new InboxRow(
                                        message,
                                        ID.toString(),
                                        "/m1",
                                        "service:fake:main:in:g1",
                                        SubmissionCodec.storedBytes(inGroup(anna), Set.of()),
                                        InboxRow.State.ROUTED,
                                        run,
                                        "",
                                        0,
                                        "g1",
                                        anna.id()))));
        FakeCommandContext link = link(ID.toString(), "g1");
        assertFalse(run(link, "identity link") == ExitCodes.OK);
        String told = link.output().notes().toString();
        assertTrue(told.contains("Conversation g1 of fake:main is a group"), told);
    }

    private static SubmittedMessage inGroup(Sender sender) {
        return new SubmittedMessage(
                ID.toString(),
                "m1",
                "",
                "session",
                "",
                ID.toString(),
                "",
                "hello",
                "",
                false,
                "",
                "",
                false,
                "",
                false,
                new MessageOrigin(new Conversation("g1", "", false, ""), sender, "", "", ""),
                WhileRunning.QUEUE);
    }
}
