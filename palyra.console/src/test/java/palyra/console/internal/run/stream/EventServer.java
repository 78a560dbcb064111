package palyra.console.internal.run.stream;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.eclipse.jetty.ee10.servlet.ServletContextHandler;
import org.eclipse.jetty.ee10.servlet.ServletHolder;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import palyra.api.core.access.SignInClient;
import palyra.api.run.Runs;
import palyra.console.internal.Seams;
import palyra.console.internal.fakes.FakeAccounts;
import palyra.console.internal.fakes.ScriptedRuns;
import palyra.console.internal.session.ConsoleSettings;
import palyra.console.internal.session.Origins;
import palyra.console.internal.session.Sessions;
import palyra.console.internal.web.Assets;
import palyra.console.internal.web.ConsoleServlet;
import palyra.console.internal.web.Pages;
import palyra.console.internal.web.Router;

/** The console's servlet with its event streams behind the HTTP server that the product has. */
final class EventServer implements AutoCloseable {
    /** A connection on which nothing moves for so long is ended by the server. */
    static final int STALL_MILLIS = 1_500;

    private static final Tab.Pace PACE = new Tab.Pace(50, 5, 20, 500, 5);
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    final FakeAccounts accounts = new FakeAccounts();
    final ScriptedRuns runs = new ScriptedRuns();
    final EventsPage events;
    private final Seams seams = Seams.empty();
    private final Server server = new Server();
    private final ServerConnector port = new ServerConnector(server);
    private final HttpClient http = HttpClient.newHttpClient();
    private Runs front = runs.service();

    EventServer() throws Exception {
        ConsoleSettings settings =
                ConsoleSettings.of(30, 12, true, new String[] {}, new String[] {});
        Origins origins = new Origins(() -> settings);
        Sessions sessions = new Sessions(seams.accounts(), origins);
        seams.accounts().add(accounts, Map.of());
        seams.runs().add(front, Map.of());
        events = new EventsPage(seams, sessions, PACE);
        Router router = new Router();
        events.routes(router);
        Assets assets = new Assets();
        ConsoleServlet servlet =
                new ConsoleServlet(
                        router,
                        sessions,
                        origins,
                        () -> true,
                        new Pages((viewer, path) -> List.of(), assets, "1"),
                        assets);
        ServletHolder holder = new ServletHolder(servlet);
        holder.setAsyncSupported(true);
        ServletContextHandler handler = new ServletContextHandler();
        handler.addServlet(holder, "/console/*");
        port.setHost("127.0.0.1");
        port.setIdleTimeout(STALL_MILLIS);
        port.setAcceptedSendBufferSize(8_192); // a browser that does not read is soon noticed
        server.addConnector(port);
        server.setHandler(handler);
        server.start();
    }

    /** Another front comes in place of the one that was. */
    void replaceFront() {
        Runs before = front;
        front = runs.service();
        seams.runs().add(front, Map.of());
        seams.runs().remove(before);
    }

    /** Signs a person of those groups in; returns the secret of the session. */
    String signIn(String... groups) {
        accounts.groups = Set.of(groups);
        return accounts.begin(new SignInClient("127.0.0.1", "", "http://127.0.0.1", "")).secret();
    }

    int port() {
        return port.getLocalPort();
    }

    private HttpRequest request(String secret, String query, String... headers) {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(
                                URI.create(
                                        "http://127.0.0.1:" + port() + "/console/events" + query))
                        .timeout(PATIENCE)
                        .header("Cookie", "__Host-palyra=" + secret);
        return (headers.length == 0 ? request : request.headers(headers)).build();
    }

    /** Asks for a stream that is refused; returns the status and the page. */
    HttpResponse<String> refused(String secret, String query, String... headers) throws Exception {
        return http.send(request(secret, query, headers), HttpResponse.BodyHandlers.ofString());
    }

    /** Opens a stream and reads it. */
    EventReader open(String secret, String query, String... headers) throws Exception {
        HttpResponse<InputStream> response =
                http.send(
                        request(secret, query, headers), HttpResponse.BodyHandlers.ofInputStream());
        if (response.statusCode() != 200) {
            throw new IOException("a stream answers " + response.statusCode());
        }
        return new EventReader(response.body());
    }

    @Override
    public void close() throws Exception {
        events.close();
        server.stop();
        http.shutdownNow();
    }
}
