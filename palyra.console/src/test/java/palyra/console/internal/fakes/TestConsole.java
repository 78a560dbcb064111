package palyra.console.internal.fakes;

import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import palyra.api.core.access.AccessRequest;
import palyra.api.core.access.SignInClient;
import palyra.console.internal.Seams;
import palyra.console.internal.session.ConsoleSettings;
import palyra.console.internal.session.Origins;
import palyra.console.internal.session.Sessions;
import palyra.console.internal.web.Assets;
import palyra.console.internal.web.ConsoleServlet;
import palyra.console.internal.web.Pages;
import palyra.console.internal.web.Router;
import palyra.testing.access.FakeAccess;

/** The console with the routes that a test is about, and a person who may do everything. */
public final class TestConsole {
    private static final String COOKIE = "__Host-palyra";

    /** Also what pages look up to show a form. */
    private static final class Everything extends FakeAccess {
        Everything() {
            super(FakeAccess.Use.values());
        }

        @Override
        public boolean wouldAllow(AccessRequest request) {
            return true;
        }
    }

    public final FakeAccounts accounts = new FakeAccounts();
    private final Sessions sessions;
    private final ConsoleServlet servlet;
    private String secret;

    public TestConsole(BiConsumer<Seams, Router> routes) {
        Seams seams = Seams.empty();
        seams.access().add(new Everything(), Map.of());
        seams.accounts().add(accounts, Map.of());
        ConsoleSettings settings =
                ConsoleSettings.of(30, 12, true, new String[] {}, new String[] {});
        Origins origins = new Origins(() -> settings);
        sessions = new Sessions(seams.accounts(), origins);
        Router router = new Router();
        routes.accept(seams, router);
        Assets assets = new Assets();
        servlet =
                new ConsoleServlet(
                        router,
                        sessions,
                        origins,
                        () -> true,
                        new Pages((viewer, path) -> List.of(), assets, "1"),
                        assets);
        signIn();
    }

    /** Begins a session in the browser, in place of the one that it had. */
    public void signIn() {
        secret =
                accounts.begin(new SignInClient("127.0.0.1", "", "http://localhost:7142", ""))
                        .secret();
    }

    /** Returns the token of the session. */
    public String csrf() {
        return sessions.viewer(secret).orElseThrow().csrf();
    }

    public FakeExchange get(String path) {
        return served(FakeExchange.get(path));
    }

    /** Sends a form of names and values, as a page of the session does. */
    public FakeExchange post(String path, String... fields) {
        FakeExchange post = FakeExchange.post(path).field("csrf", csrf());
        for (int i = 0; i < fields.length; i += 2) {
            post.field(fields[i], fields[i + 1]);
        }
        return served(post);
    }

    /** Answers a request with the browser's session. */
    public FakeExchange served(FakeExchange exchange) {
        exchange.cookie(COOKIE, secret);
        try {
            servlet.service((ServletRequest) exchange.request(), exchange.response());
        } catch (ServletException | IOException e) {
            throw new AssertionError(e);
        }
        return exchange;
    }
}
