package palyra.transport.openai.internal;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.eclipse.jetty.ee10.servlet.ServletContextHandler;
import org.eclipse.jetty.ee10.servlet.ServletHolder;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import palyra.access.internal.AccessCore;
import palyra.api.ErrorCode;
import palyra.api.access.Principal;
import palyra.api.access.PrincipalKind;
import palyra.api.core.access.Access;
import palyra.api.core.access.AccessRequest;
import palyra.api.core.gateway.AgentRegistry;
import palyra.api.core.gateway.AgentView;
import palyra.api.core.gateway.Intake;
import palyra.api.core.journal.Journal;
import palyra.api.core.journal.LiveFeed;
import palyra.api.core.keys.Keys;
import palyra.api.model.ModelProvider;
import palyra.api.run.RunView;
import palyra.api.run.Runs;
import palyra.front.internal.FrontSettings;
import palyra.front.internal.RunFront;
import palyra.gateway.internal.agents.Agents;
import palyra.gateway.internal.engine.EngineHost;
import palyra.gateway.internal.seam.Services;
import palyra.gateway.internal.settings.EngineSettings;
import palyra.journal.internal.JournalFactory;
import palyra.journal.internal.SqliteJournal;
import palyra.keys.internal.BootKeys;
import palyra.shared.gate.Gate;
import palyra.shared.http.AllowedHosts;
import palyra.testing.model.ScriptedModelProvider;
import palyra.testing.wait.Await;
import palyra.transport.openai.internal.http.OpenCalls;

/**
 * The whole gateway without a framework behind a real HTTP server: real journal, keys, access,
 * front and engine, and a scripted model.
 */
final class TestServer implements AutoCloseable {
    static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Principal ROOT =
            new Principal("user:root", PrincipalKind.USER, Set.of("operator"), Set.of(), "test");

    final ScriptedModelProvider model = new ScriptedModelProvider();
    final SqliteJournal journal;
    final AccessCore access;
    final Seams seams = Seams.empty();
    final OpenCalls calls = new OpenCalls(() -> this.settings.bounds());
    final RequestCounts counts = new RequestCounts();
    final HttpClient http = HttpClient.newHttpClient();
    volatile OpenAiSettings settings = usual();
    private final Gate<Journal> journalGate =
            new Gate<>("The journal", ErrorCode.JOURNAL_UNAVAILABLE, 5_000);
    private final Gate<LiveFeed> feedGate =
            new Gate<>("The live feed", ErrorCode.JOURNAL_UNAVAILABLE, 0);
    private final Gate<Keys> keysGate =
            new Gate<>("The key store", ErrorCode.KEYS_UNAVAILABLE, 5_000);
    private final Gate<Intake> intakeGate =
            new Gate<>("The gateway", ErrorCode.GATEWAY_UNAVAILABLE, 0);
    private final Services services = Services.unbound();
    private final Agents agents = new Agents(services.journal());
    private final Server server = new Server();
    private final ServerConnector port = new ServerConnector(server);
    private volatile boolean ready;
    private EngineHost engine;
    private Intake intake;
    private RunFront front;
    private Runs runs;

    TestServer(Path state) throws Exception {
        BootKeys keys = BootKeys.open(state, Optional.empty());
        journal = JournalFactory.open(state, keys);
        journalGate.add(journal, Map.of());
        feedGate.add(journal, Map.of());
        keysGate.add(keys, Map.of());
        access = AccessCore.open(state, journalGate, keysGate, false);
        seams.journal().add(journal, Map.of());
        seams.access().add(Elsewhere.of(Access.class, access), Map.of());
        seams.agents().add(Elsewhere.of(AgentRegistry.class, agents), Map.of());
        services.journal().add(journal, Map.of());
        services.feed().add(journal, Map.of());
        services.keys().add(keys, Map.of());
        services.access().add(Elsewhere.of(Access.class, access), Map.of());
        services.models().add(model, Map.of(ModelProvider.ID_PROPERTY, "scripted"));
        frontComes();
        engineComes();
        port.setHost("127.0.0.1");
        port.setAcceptedSendBufferSize(8_192); // a client that does not read is soon noticed
        server.addConnector(port);
        ServletContextHandler handler = new ServletContextHandler();
        ServletHolder holder =
                new ServletHolder(
                        new OpenAiServlet(
                                seams, () -> Optional.ofNullable(settings), calls, counts));
        holder.setAsyncSupported(true);
        handler.addServlet(holder, "/v1/*");
        server.setHandler(handler);
        server.start();
    }

    static OpenAiSettings usual() {
        return with(new OpenAiSettings.Stream(true, true, false, 15), 64, 16);
    }

    static OpenAiSettings with(OpenAiSettings.Stream stream, int requests, int perPrincipal) {
        return new OpenAiSettings(
                true,
                new AllowedHosts(Set.of()),
                new OpenAiSettings.Conversation(
                        List.of("X-Palyra-Session", "X-OpenWebUI-Chat-Id"),
                        OpenAiSettings.Instructions.CARRY,
                        true,
                        1_000,
                        10),
                stream,
                new OpenAiSettings.Bounds(4_096, 10, requests, perPrincipal, 30, 3_600));
    }

    void engineComes() {
        engine =
                new EngineHost(
                        services,
                        agents,
                        TestServer::engineSettings,
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
        Await.until("the engine to be ready", PATIENCE, () -> ready);
        intake = Elsewhere.of(Intake.class, engine.router());
        intakeGate.add(intake, Map.of());
    }

    private static EngineSettings engineSettings() {
        return new EngineSettings(
                32, 1_000, 4, 8, 1, 1_500, 60_000, 600_000, 20, 5_000, 20, 64, "scripted");
    }

    void engineGoes() {
        intakeGate.remove(intake);
        engine.close();
        ready = false;
    }

    void frontComes() {
        front =
                new RunFront(
                        access, journalGate, feedGate, intakeGate, new FrontSettings(1_000, 500));
        runs = Elsewhere.of(Runs.class, front);
        seams.runs().add(runs, Map.of());
    }

    void frontGoes() {
        seams.runs().remove(runs);
        front.close();
    }

    void agent(String id) {
        agents.create(
                access.authorize(AccessRequest.of(ROOT, "agent.create", "agent:" + id)),
                new AgentView(id, "", "", "", "", "", List.of(), false, 0, 0),
                false);
    }

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

    /** Returns the runs of a principal, newest first. */
    List<RunView> runs(String principal) {
        return front.runs(
                new Principal(
                        principal, PrincipalKind.USER, Set.of("integrator"), Set.of(), "test"),
                "",
                "",
                100);
    }

    int port() {
        return port.getLocalPort();
    }

    HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port() + path))
                .timeout(PATIENCE);
    }

    Client client(String token) {
        return new Client(this, token);
    }

    HttpResponse<String> send(HttpRequest request) {
        try {
            return http.send(request, HttpResponse.BodyHandlers.ofString());
        } catch (java.io.IOException e) {
            throw new java.io.UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    @Override
    public void close() throws Exception {
        calls.closeAll("The test is over.");
        server.stop();
        front.close();
        engine.close();
        model.close();
        access.close();
        journal.close();
    }
}
