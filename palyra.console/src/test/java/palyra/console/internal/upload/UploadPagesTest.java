package palyra.console.internal.upload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.core.access.SignInClient;
import palyra.console.internal.Seams;
import palyra.console.internal.fakes.FakeAccounts;
import palyra.console.internal.fakes.FakeExchange;
import palyra.console.internal.session.ConsoleSettings;
import palyra.console.internal.session.Origins;
import palyra.console.internal.session.Sessions;
import palyra.console.internal.web.Assets;
import palyra.console.internal.web.ConsoleServlet;
import palyra.console.internal.web.Pages;
import palyra.console.internal.web.Router;
import palyra.testing.access.FakeAccess;

/** Who may send a jar, and that no byte is read of those who may not. */
class UploadPagesTest {
    private static final String ADDRESS = "/console/bundles/upload/test.greeter";

    @TempDir Path folder;
    private final FakeAccounts accounts = new FakeAccounts();
    private Set<String> allowed = Set.of("bundle.swap");
    private FakeAccess access;
    private ConsoleServlet servlet;

    @BeforeEach
    void open() {
        Seams seams = Seams.empty();
        access =
                new FakeAccess(FakeAccess.Use.values())
                        .knows("palyra_x", FakeAccess.user("user:operator", "operator"))
                        .allowing(request -> allowed.contains(request.action()));
        seams.access().add(access, Map.of());
        seams.accounts().add(accounts, Map.of());
        ConsoleSettings settings =
                ConsoleSettings.of(30, 12, true, new String[] {}, new String[] {});
        Origins origins = new Origins(() -> settings);
        Router router = new Router();
        new UploadPages(seams, new Uploads(folder, () -> 1)).routes(router);
        Assets assets = new Assets();
        servlet =
                new ConsoleServlet(
                        router,
                        new Sessions(seams.accounts(), origins),
                        origins,
                        () -> true,
                        new Pages((viewer, path) -> List.of(), assets, "1"),
                        assets);
    }

    private FakeExchange served(FakeExchange exchange) throws Exception {
        servlet.service((jakarta.servlet.ServletRequest) exchange.request(), exchange.response());
        return exchange;
    }

    private String session() {
        return accounts.begin(new SignInClient("127.0.0.1", "", "http://localhost:7142", ""))
                .secret();
    }

    private FakeExchange sent(String session) throws Exception {
        FakeExchange page = served(FakeExchange.get(ADDRESS).cookie("__Host-palyra", session));
        Matcher csrf = Pattern.compile("palyra-csrf\" content=\"([^\"]+)").matcher(page.body());
        FakeExchange post = FakeExchange.post(ADDRESS).cookie("__Host-palyra", session);
        post.field("csrf", csrf.find() ? csrf.group(1) : "none");
        post.file = new byte[] {1, 2, 3};
        post.length = 500;
        return post;
    }

    private long files() throws Exception {
        try (Stream<Path> all = Files.list(folder)) {
            return all.count();
        }
    }

    @Test
    void keepsAJarAndLeadsToThePageThatLooksAtIt() throws Exception {
        FakeExchange post = served(sent(session()));
        assertEquals(303, post.status, post.body());
        String location = post.answered.get("Location");
        assertTrue(
                location.matches("/console/panel/bundles/test\\.greeter/jar/[0-9A-Z]{26}"),
                location);
        assertEquals(1, files());
        assertEquals(List.of("bundle.swap"), access.recordedActions());
    }

    @Test
    void readsNoByteOfWhoMayNotSwapBundles() throws Exception {
        FakeExchange post = sent(session());
        allowed = Set.of();
        assertEquals(403, served(post).status);
        assertFalse(post.bodyRead, "the body was read");
        assertEquals(0, files());
        assertEquals(
                403,
                served(FakeExchange.get(ADDRESS).cookie("__Host-palyra", session())).status,
                "nor is there a form");
    }

    @Test
    void readsNoByteWithoutASessionOrFromAnotherOrigin() throws Exception {
        FakeExchange stranger = FakeExchange.post(ADDRESS);
        stranger.length = 500;
        assertEquals(401, served(stranger).status);
        assertFalse(stranger.bodyRead);
        FakeExchange foreign = sent(session()).header("origin", "https://evil.example");
        assertEquals(403, served(foreign).status);
        assertFalse(foreign.bodyRead);
        assertEquals(0, files());
    }

    @Test
    void readsNoByteOfABodyThatIsTooLongOrOfUnknownLength() throws Exception {
        for (long length : new long[] {UploadPages.MOST_REQUEST_BYTES + 1, -1}) {
            FakeExchange post = sent(session());
            post.length = length;
            assertEquals(400, served(post).status);
            assertFalse(post.bodyRead);
        }
        assertEquals(List.of(), access.recordedActions());
    }

    @Test
    void wantsTheTokenOfTheSession() throws Exception {
        FakeExchange post = sent(session());
        post.field("csrf", "guessed");
        assertEquals(403, served(post).status);
        assertEquals(0, files());
    }
}
