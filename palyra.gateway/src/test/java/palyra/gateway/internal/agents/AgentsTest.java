package palyra.gateway.internal.agents;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.access.DecisionSource;
import palyra.api.access.Permit;
import palyra.api.access.Principal;
import palyra.api.access.PrincipalKind;
import palyra.api.core.access.Authorized;
import palyra.api.core.gateway.AgentRegistry.Binding;
import palyra.api.core.gateway.AgentRegistry.Source;
import palyra.api.core.gateway.AgentView;
import palyra.api.core.journal.Journal;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.Unit;
import palyra.api.run.SessionView;
import palyra.api.tape.TapeRecord;
import palyra.journal.internal.JournalFactory;
import palyra.journal.internal.SqliteJournal;
import palyra.keys.internal.BootKeys;
import palyra.shared.gate.Gate;
import palyra.shared.hash.Digests;
import palyra.shared.hash.Ulids;

class AgentsTest {
    private static final Principal OPERATOR =
            new Principal("user:op", PrincipalKind.USER, Set.of("operator"), Set.of(), "test");

    @TempDir Path state;

    private final Gate<Journal> gate = new Gate<>("the journal", ErrorCode.JOURNAL_UNAVAILABLE, 0);
    private SqliteJournal journal;
    private Agents agents;

    @BeforeEach
    void open() {
        journal = JournalFactory.open(state, BootKeys.open(state, Optional.empty()));
        gate.add(journal, Map.of());
        agents = new Agents(gate);
        agents.load();
    }

    @AfterEach
    void close() {
        journal.close();
    }

    private static Authorized permit(String action) {
        Permit permit =
                new Permit(
                        "01J",
                        OPERATOR,
                        action,
                        "",
                        DecisionSource.BUILT_IN_RULES,
                        "",
                        System.currentTimeMillis());
        return new Authorized(
                permit,
                new Operation.Append(
                        "journal", "access_decision", 1, "{}".getBytes(StandardCharsets.UTF_8)));
    }

    private static AgentView agent(String id, String prompt) {
        return new AgentView(
                id, "", prompt, "ignored", "", "", List.of("palyra.echo"), false, 0, 0);
    }

    /** One that cannot be read is refused with its reason, never replaced; the others go on. */
    @Test
    void damagedAgentCostsItself() {
        agents.create(permit("agent.create"), agent("narrow", "Be careful."), false);
        agents.create(permit("agent.create"), agent("other", "Be kind."), false);
        agents.bind(permit("agent.bind"), new Binding("user:bob", "", "narrow"));
        journal.commit(Unit.of(new Operation.PutDocument("agent", "narrow", new byte[] {0, 0, 0})));
        agents = new Agents(gate);
        agents.load();
        assertEquals(1, agents.damage().size());
        assertTrue(agents.damage().getFirst().contains("agent/narrow"));
        assertEquals("other", agents.require("other").agentId());
        assertEquals("default", agents.resolve("user:ann", "", "").agent().agentId());
        for (Runnable needs :
                List.<Runnable>of(
                        () -> agents.forRun("narrow"),
                        () -> agents.require("narrow"),
                        () -> agents.agent("narrow"),
                        () -> agents.create(permit("agent.create"), agent("narrow", "x"), false),
                        () -> agents.resolve("user:bob", "", ""))) {
            assertEquals(ErrorCode.CORRUPT, assertThrows(PalyraException.class, needs::run).code());
        }
        journal.commit(
                Unit.of(new Operation.PutDocument("agent_setting", "default", new byte[] {0})));
        PalyraException unknown = assertThrows(PalyraException.class, agents::load);
        assertTrue(unknown.getMessage().contains("agent_setting/default"), unknown.getMessage());
        agents.delete(permit("agent.delete"), "narrow");
        assertEquals(List.of(), agents.damage());
        agents.create(permit("agent.create"), agent("narrow", "Be careful."), false);
        assertEquals("narrow", agents.forRun("narrow").agentId());
    }

    private long decisions() {
        return journal.tape(TapeRecord.JOURNAL_STREAM, 0, 1_000).stream()
                .filter(record -> record.type().equals("access_decision"))
                .count();
    }

    @Test
    void aFreshInstallationHasOneAgentWithHarmlessTools() {
        assertEquals("default", agents.defaultAgentId());
        assertEquals(
                List.of("palyra.echo", "palyra.sleep"),
                agents.agent("default").orElseThrow().tools());
        agents.load();
        assertEquals(1, agents.agents().size(), "loading again makes no second one");
    }

    @Test
    void whatWasChangedIsThereAfterAStartWithTheDigestOfItsPrompt() {
        agents.create(permit("agent.create"), agent("helper", "Be brief."), true);
        agents.bind(permit("agent.bind"), new Binding("user:a", "", "helper"));
        Agents later = new Agents(gate);
        later.load();
        AgentView read = later.agent("helper").orElseThrow();
        assertEquals(Digests.sha256Hex("Be brief."), read.systemPromptSha256());
        assertEquals("helper", later.defaultAgentId());
        assertEquals(List.of(new Binding("user:a", "", "helper")), later.bindings());
        AgentView changed = later.update(permit("agent.update"), agent("helper", "Be long."));
        assertEquals(Digests.sha256Hex("Be long."), changed.systemPromptSha256());
        assertEquals(read.createdAtMillis(), changed.createdAtMillis());
    }

    @Test
    void keepsProfilesAndReadsAgentsStoredBeforeThereWereAny() {
        agents.create(
                permit("agent.create"),
                new AgentView(
                        "helper", "", "", "", "", "", List.of(), false, 0, 0, "fast", "house"),
                false);
        journal.commit(
                palyra.api.core.journal.Unit.of(
                        new Operation.PutDocument(
                                "agent",
                                "older",
                                "{\"agentId\":\"older\",\"tools\":[\"palyra.echo\"]}"
                                        .getBytes(StandardCharsets.UTF_8))));
        Agents later = new Agents(gate);
        later.load();
        assertEquals("fast", later.require("helper").modelProfile());
        assertEquals("house", later.require("helper").promptProfile());
        assertEquals("", later.require("older").modelProfile());
        assertEquals("", later.require("older").promptProfile());
    }

    @Test
    void noAgentTakesTheNameOfWhoTriesSandboxesByHand() {
        refused(
                ErrorCode.INVALID_ARGUMENT,
                () -> agents.create(permit("agent.create"), agent("operator", ""), false));
        assertEquals(1, agents.agents().size());
    }

    @Test
    void resolvesSessionThenContextThenDefault() {
        agents.create(permit("agent.create"), agent("one", ""), false);
        agents.create(permit("agent.create"), agent("two", ""), false);
        agents.bind(permit("agent.bind"), new Binding("user:a", "", "one"));
        agents.bind(permit("agent.bind"), new Binding("user:a", "ops", "two"));
        assertEquals(Source.DEFAULT, agents.resolve("user:b", "", "").source());
        assertEquals("one", agents.resolve("user:a", "elsewhere", "").agent().agentId());
        assertEquals("two", agents.resolve("user:a", "ops", "").agent().agentId());
        SessionView bound =
                new SessionView(
                        "01J00000000000000000000000",
                        "k",
                        "",
                        "user:a",
                        "",
                        "ops",
                        "one",
                        0,
                        0,
                        0,
                        "");
        assertEquals(
                Source.SESSION_BINDING,
                agents.resolve("user:a", "ops", Optional.of(bound)).source());
        assertTrue(agents.unbind(permit("agent.unbind"), "user:a", "ops"));
        assertFalse(agents.unbind(permit("agent.unbind"), "user:a", "ops"));
        assertEquals("one", agents.resolve("user:a", "ops", "").agent().agentId());
    }

    private String session(String key) {
        String sessionId = new Ulids().next();
        journal.commit(
                Unit.of(
                        new Operation.InsertSession(
                                new SessionView(
                                        sessionId, key, "", "user:a", "", "", "", 0, 0, 0, ""))));
        return sessionId;
    }

    @Test
    void aSessionKeepsTheAgentItWasBoundTo() {
        agents.create(permit("agent.create"), agent("one", ""), false);
        agents.bind(permit("agent.bind"), new Binding("user:a", "", "default"));
        String sessionId = session("work");
        long before = decisions();
        agents.bindSession(permit("agent.bind"), sessionId, "one");
        assertEquals(before + 1, decisions());
        assertEquals("one", agents.resolve("user:a", "", sessionId).agent().agentId());
        assertEquals(Source.SESSION_BINDING, agents.resolve("user:a", "", sessionId).source());
        Agents later = new Agents(gate);
        later.load();
        assertEquals("one", later.resolve("user:a", "", sessionId).agent().agentId());
        later.bindSession(permit("agent.bind"), sessionId, "default");
        assertEquals("default", agents.resolve("user:a", "", sessionId).agent().agentId());
    }

    @Test
    void onlyLiveSessionsAreBoundAndOnlyToAgentsThatExist() {
        String sessionId = session("work");
        String archived = session("old");
        journal.commit(Unit.of(new Operation.ArchiveSession(archived)));
        long before = decisions();
        refused(
                ErrorCode.NOT_FOUND,
                () -> agents.bindSession(permit("agent.bind"), sessionId, "nobody"));
        for (String none : List.of(archived, "01J00000000000000000000000", "x")) {
            refused(
                    ErrorCode.NOT_FOUND,
                    () -> agents.bindSession(permit("agent.bind"), none, "default"));
        }
        refused(
                ErrorCode.INVALID_ARGUMENT,
                () -> agents.bindSession(permit("agent.bind"), "", "default"));
        refused(
                ErrorCode.DENIED,
                () -> agents.bindSession(permit("agent.read"), sessionId, "default"));
        assertEquals(before, decisions());
        assertEquals("", journal.session(sessionId).orElseThrow().agentId());
    }

    @Test
    void refusesWithAReasonAndChangesNothing() {
        agents.create(permit("agent.create"), agent("one", ""), false);
        long before = decisions();
        refused(
                ErrorCode.ALREADY_EXISTS,
                () -> agents.create(permit("agent.create"), agent("one", "x"), false));
        refused(
                ErrorCode.NOT_FOUND,
                () -> agents.update(permit("agent.update"), agent("nobody", "")));
        refused(
                ErrorCode.NOT_FOUND,
                () -> agents.bind(permit("agent.bind"), new Binding("user:a", "", "nobody")));
        refused(
                ErrorCode.NOT_FOUND,
                () -> agents.setDefault(permit("agent.set_default"), "nobody"));
        refused(ErrorCode.CONFLICT, () -> agents.delete(permit("agent.delete"), "default"));
        refused(ErrorCode.DENIED, () -> agents.delete(permit("agent.read"), "one"));
        refused(ErrorCode.INVALID_ARGUMENT, () -> agent("Not An Id", ""));
        assertEquals(before, decisions());
        assertEquals(2, agents.agents().size());
    }

    @Test
    void refusesNamesThatMisleadOrRunIntoOneAnother() {
        for (String principal :
                List.of("", "no body", "user:a/ops", "user:\u202e", "x".repeat(129))) {
            refused(
                    ErrorCode.INVALID_ARGUMENT,
                    () -> agents.bind(permit("agent.bind"), new Binding(principal, "", "default")));
            refused(ErrorCode.INVALID_ARGUMENT, () -> agents.resolve(principal, "", ""));
            refused(
                    ErrorCode.INVALID_ARGUMENT,
                    () -> agents.unbind(permit("agent.unbind"), principal, ""));
        }
        for (AgentView bad :
                List.of(
                        new AgentView("a", "", "", "", "x y", "", List.of(), false, 0, 0),
                        new AgentView("a", "", "", "", "", "m\n", List.of(), false, 0, 0),
                        new AgentView("a", "two\nlines", "", "", "", "", List.of(), false, 0, 0),
                        new AgentView("a", "", "", "", "", "", List.of("No Tool!"), false, 0, 0))) {
            refused(
                    ErrorCode.INVALID_ARGUMENT,
                    () -> agents.create(permit("agent.create"), bad, false));
        }
        assertEquals(1, agents.agents().size());
        assertEquals(List.of(), agents.bindings());
        assertEquals(0, decisions());
    }

    private static void refused(ErrorCode code, Runnable call) {
        PalyraException e = assertThrows(PalyraException.class, call::run);
        assertEquals(code, e.code(), e.getMessage());
    }

    @Test
    void everyChangeStandsInTheJournalWithItsPermission() {
        long before = decisions();
        agents.create(permit("agent.create"), agent("one", ""), false);
        agents.setDefault(permit("agent.set_default"), "one");
        agents.delete(permit("agent.delete"), "default");
        assertEquals(before + 3, decisions());
        assertEquals("one", agents.resolve("user:a", "", "").agent().agentId());
        Agents later = new Agents(gate);
        later.load();
        assertEquals(List.of("one"), later.agents().stream().map(AgentView::agentId).toList());
    }

    @Test
    void beforeItsFirstLookItSaysThatTheGatewayStarts() {
        refused(ErrorCode.GATEWAY_UNAVAILABLE, () -> new Agents(gate).agents());
    }
}
