package palyra.transport.grpc.internal.service;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import palyra.access.internal.AccessCore;
import palyra.api.ErrorCode;
import palyra.api.access.Principal;
import palyra.api.access.PrincipalKind;
import palyra.api.approval.Approvals;
import palyra.api.core.access.Access;
import palyra.api.core.access.AccessRequest;
import palyra.api.core.gateway.AgentRegistry;
import palyra.api.core.gateway.Intake;
import palyra.api.core.journal.Journal;
import palyra.api.core.journal.LiveFeed;
import palyra.api.core.journal.TapeVerifier;
import palyra.api.core.journal.VerificationReport;
import palyra.api.core.keys.Keys;
import palyra.api.model.ModelProvider;
import palyra.api.run.Runs;
import palyra.front.internal.FrontSettings;
import palyra.front.internal.RunFront;
import palyra.front.internal.approval.ApprovalFront;
import palyra.gateway.internal.agents.Agents;
import palyra.gateway.internal.engine.EngineHost;
import palyra.gateway.internal.seam.Services;
import palyra.gateway.internal.settings.EngineSettings;
import palyra.journal.internal.JournalFactory;
import palyra.journal.internal.SqliteJournal;
import palyra.keys.internal.BootKeys;
import palyra.shared.gate.Gate;
import palyra.testing.model.ScriptedModelProvider;
import palyra.testing.wait.Await;
import palyra.transport.grpc.internal.Seams;
import palyra.transport.grpc.internal.server.ServiceTestServer;

/**
 * The whole gateway without a framework, behind a real gRPC server: real journal, keys, access,
 * front and engine, and a scripted model. Each part can go and come back.
 */
final class TestGateway implements AutoCloseable {
    private static final Principal ROOT =
            new Principal("user:root", PrincipalKind.USER, Set.of("operator"), Set.of(), "test");

    final ScriptedModelProvider model = new ScriptedModelProvider();
    final SqliteJournal journal;
    final AccessCore access;
    final Seams seams;
    final FixedRules rules = new FixedRules();
    final BootKeys keys;
    private final Gate<Journal> journalGate =
            new Gate<>("The journal", ErrorCode.JOURNAL_UNAVAILABLE, 5_000);
    private final Gate<LiveFeed> feedGate =
            new Gate<>("The live feed", ErrorCode.JOURNAL_UNAVAILABLE, 0);
    private final Gate<Keys> keysGate =
            new Gate<>("The key store", ErrorCode.KEYS_UNAVAILABLE, 5_000);
    private final Gate<Intake> intakeGate =
            new Gate<>("The gateway", ErrorCode.GATEWAY_UNAVAILABLE, 0);
    private final Services services = Services.unbound();
    private final ServiceTestServer server;
    private final AtomicLong eventsTaken = new AtomicLong();
    private volatile boolean ready;
    volatile long firstMessageMillis = 60_000;
    private TapeVerifier verifier;
    private EngineHost engine;
    private Intake intake;
    private AgentRegistry agents;
    private RunFront front;
    private Runs runs;
    private Approvals approvals;

    /** Everything but an engine is there. */
    TestGateway(Path state) {
        keys = BootKeys.open(state, Optional.empty());
        journal = JournalFactory.open(state, keys);
        journalGate.add(journal, Map.of());
        feedGate.add(journal, Map.of());
        keysGate.add(keys, Map.of());
        access = AccessCore.open(state, journalGate, keysGate, false);
        seams = Seams.empty(() -> ready);
        seams.journal().add(journal, Map.of());
        verifier = Elsewhere.of(TapeVerifier.class, journal);
        seams.verifier().add(verifier, Map.of());
        seams.rules().add(rules, Map.of());
        seams.access().add(Elsewhere.of(Access.class, access), Map.of());
        services.journal().add(journal, Map.of());
        services.feed().add(journal, Map.of());
        services.keys().add(keys, Map.of());
        services.access().add(Elsewhere.of(Access.class, access), Map.of());
        services.models().add(model, Map.of(ModelProvider.ID_PROPERTY, "scripted"));
        frontComes();
        server =
                ServiceTestServer.start(
                        seams,
                        new GatewayServiceImpl(seams, () -> firstMessageMillis),
                        new ApprovalsServiceImpl(seams),
                        new VaultServiceImpl(seams));
    }

    /** The engine and the agents arrive. */
    TestGateway engineComes() {
        Agents registry = new Agents(services.journal());
        engine =
                new EngineHost(
                        services,
                        registry,
                        TestGateway::settings,
                        "test/" + System.nanoTime(),
                        new EngineHost.ReadyListener() {
                            @Override
                            public void ready() {
                                ready = true;
                            }

                            @Override
                            public void notReady() {
                                ready = false;
                            }
                        });
        engine.start();
        Await.until("the engine to be ready", Patience.LONG, () -> ready);
        intake = Elsewhere.of(Intake.class, engine.router());
        agents = Elsewhere.of(AgentRegistry.class, registry);
        intakeGate.add(intake, Map.of());
        seams.agents().add(agents, Map.of());
        return this;
    }

    private static EngineSettings settings() {
        return new EngineSettings(
                32, 1_000, 4, 8, 1, 1_500, 60_000, 600_000, 20, 5_000, 20, 64, "scripted");
    }

    /** The engine goes, as in an update of its bundle. */
    void engineGoes() {
        intakeGate.remove(intake);
        seams.agents().remove(agents);
        engine.close();
        ready = false;
    }

    /** A front arrives. */
    void frontComes() {
        front =
                new RunFront(
                        access, journalGate, feedGate, intakeGate, new FrontSettings(1_000, 500));
        runs = Elsewhere.of(Runs.class, front);
        approvals =
                Elsewhere.of(
                        Approvals.class,
                        new ApprovalFront(
                                access, journalGate, keysGate, System::currentTimeMillis));
        seams.runs().add(runs, Map.of());
        seams.approvals().add(approvals, Map.of());
    }

    /** The front goes, as in an update of its bundle. */
    void frontGoes() {
        seams.runs().remove(runs);
        seams.approvals().remove(approvals);
        front.close();
    }

    /** The journal goes for a while; what has it in hand keeps it. */
    void journalGoes() {
        journalGate.remove(journal);
        feedGate.remove(journal);
    }

    /** The journal is back. */
    void journalComes() {
        journalGate.add(journal, Map.of());
        feedGate.add(journal, Map.of());
    }

    /** Verifies something in its own way. */
    interface Verification {
        VerificationReport of(String streamId, BooleanSupplier cancelled);
    }

    /** Puts another verifier of runs in place of the journal's. */
    TapeVerifier verifier(Verification verification) {
        seams.verifier().remove(verifier);
        verifier =
                new TapeVerifier() {
                    @Override
                    public VerificationReport verifyStream(
                            String streamId, BooleanSupplier cancelled) {
                        return verification.of(streamId, cancelled);
                    }

                    @Override
                    public VerificationReport verifyRange(
                            String streamId, long from, long to, BooleanSupplier cancelled) {
                        return verification.of(streamId, cancelled);
                    }

                    @Override
                    public VerificationReport verifyAll(
                            Extent extent, Progress progress, BooleanSupplier cancelled) {
                        throw new AssertionError("nobody verifies everything here");
                    }
                };
        seams.verifier().add(verifier, Map.of());
        return verifier;
    }

    /** From now on the events that followers take are counted. */
    void countEvents() {
        frontGoes();
        frontComes();
        seams.runs().remove(runs);
        runs = Elsewhere.of(Runs.class, CountedFollowing.of(front, eventsTaken));
        seams.runs().add(runs, Map.of());
    }

    long eventsTaken() {
        return eventsTaken.get();
    }

    /** Returns how many runs are being followed. */
    int following() {
        return front.following();
    }

    /** Returns a new token of a principal. */
    String token(String principal, String... groups) {
        return token(principal, Set.of(), groups);
    }

    String token(String principal, Set<String> scopes, String... groups) {
        return access.createToken(
                        access.authorize(AccessRequest.of(ROOT, "access.token.create", "")),
                        "test",
                        principal,
                        Set.of(groups),
                        scopes,
                        0)
                .secret();
    }

    /** Revokes every token of a principal. */
    void revoke(String principal) {
        access
                .tokens(access.authorizeAndRecord(AccessRequest.of(ROOT, "access.token.list", "")))
                .stream()
                .filter(token -> token.principal().equals(principal))
                .forEach(
                        token ->
                                access.revokeToken(
                                        access.authorize(
                                                AccessRequest.of(ROOT, "access.token.revoke", "")),
                                        token.tokenId()));
    }

    /** Returns a client of a principal in one group. */
    Client client(String principal, String group) {
        return client(token(principal, group));
    }

    Client client(String token) {
        return new Client(address(), token);
    }

    InetSocketAddress address() {
        return server.address();
    }

    @Override
    public void close() {
        server.close();
        front.close();
        if (engine != null) {
            engine.close();
        }
        model.close();
        access.close();
        journal.close();
    }
}
