package palyra.console.internal.web;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jakarta.servlet.http.Cookie;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import palyra.api.core.access.SignInClient;
import palyra.console.internal.Seams;
import palyra.console.internal.account.AccountCalls;
import palyra.console.internal.account.AccountPages;
import palyra.console.internal.account.InvitationPages;
import palyra.console.internal.account.PasskeyChallenges;
import palyra.console.internal.account.SignInPages;
import palyra.console.internal.fakes.FakeAccounts;
import palyra.console.internal.fakes.FakeExchange;
import palyra.console.internal.session.ConsoleSettings;
import palyra.console.internal.session.Origins;
import palyra.console.internal.session.Sessions;
import palyra.testing.access.FakeAccess;

/** The guards around every page, each with an attempt to get past it. */
class ConsoleServletTest {
    private static final String COOKIE = "__Host-palyra";
    private static final long TEN_MINUTES = 600_000;

    private final FakeAccounts accounts = new FakeAccounts();
    private final List<String> changed = new ArrayList<>();
    private ConsoleSettings settings =
            ConsoleSettings.of(
                    30, 12, true, new String[] {"https://palyra.example"}, new String[] {});
    private ConsoleServlet servlet;

    @BeforeEach
    void open() {
        Seams seams = Seams.empty();
        FakeAccess access =
                new FakeAccess(FakeAccess.Use.values())
                        .knows("palyra_x", FakeAccess.user("user:operator", "operator"))
                        .allowing(request -> true);
        seams.access().add(access, Map.of());
        seams.accounts().add(accounts, Map.of());
        Origins origins = new Origins(() -> settings);
        Sessions sessions = new Sessions(seams.accounts(), origins);
        AccountCalls calls = new AccountCalls(seams, sessions, origins, () -> settings);
        Router router = new Router();
        new SignInPages(calls).routes(router);
        new InvitationPages(calls).routes(router);
        new PasskeyChallenges(calls).routes(router);
        new AccountPages(calls).routes(router);
        router.get("/console", exchange -> exchange.json(new byte[] {'{', '}'}));
        router.post(
                "/console/change",
                exchange -> {
                    changed.add(exchange.parameter("what"));
                    exchange.seeOther("/console/");
                });
        router.post(
                "/console/sensitive",
                exchange -> {
                    exchange.requireRecentFactor();
                    changed.add(exchange.parameter("what"));
                    exchange.seeOther("/console/");
                });
        Assets assets = new Assets();
        servlet =
                new ConsoleServlet(
                        router,
                        sessions,
                        origins,
                        () -> settings.passwords(),
                        new Pages((viewer, path) -> List.of(), assets, "1"),
                        assets);
    }

    private FakeExchange served(FakeExchange exchange) {
        try {
            servlet.service(exchange.request(), exchange.response());
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        return exchange;
    }

    /** Returns the cookie of a session that began. */
    private String session() {
        return accounts.begin(new SignInClient("127.0.0.1", "", "http://localhost:7142", ""))
                .secret();
    }

    private String csrf(String session) {
        FakeExchange page = served(FakeExchange.get("/console/account").cookie(COOKIE, session));
        Matcher found = Pattern.compile("palyra-csrf\" content=\"([^\"]+)").matcher(page.body());
        assertTrue(found.find(), page.body());
        return found.group(1);
    }

    private FakeExchange signIn(String password) {
        return FakeExchange.post("/console/sign-in")
                .field("account", "alice")
                .field("password", password);
    }

    /** Streams of many tabs are connections that the server keeps for those who are signed in. */
    @Test
    void aConnectionCountsAsItsSessionsAndOneWithoutAsAStrangers() {
        String session = session();
        FakeExchange page = served(FakeExchange.get("/console").cookie(COOKIE, session));
        assertEquals(List.of(accounts.sessions.get(session).sessionId()), page.credentials);
        FakeExchange forged = served(FakeExchange.get("/console").cookie(COOKIE, "secret-99"));
        assertEquals(List.of(""), forged.credentials);
        FakeExchange asset =
                served(FakeExchange.get("/console/static/console.css").cookie(COOKIE, session));
        assertEquals(List.of(), asset.credentials);
    }

    /** The server's own exceptions for such parameters are no errors of this gateway. */
    @Test
    void parametersThatCannotBeReadAreTheRequestsFault() {
        for (FakeExchange sent :
                List.of(
                        signIn(FakeAccounts.PASSWORD),
                        FakeExchange.get("/console/sign-in"),
                        FakeExchange.post("/console/change").cookie(COOKIE, session()))) {
            sent.unreadable = new IllegalStateException("%zz is no byte");
            FakeExchange answer = served(sent);
            assertEquals(400, answer.status, answer.body());
            assertTrue(answer.body().contains("cannot be read"), answer.body());
            assertFalse(answer.body().contains("%zz"), answer.body());
        }
        assertEquals(List.of(), changed);
    }

    // ---- Signing in ----

    @Test
    void aSignInGivesAHostCookieThatNoScriptReads() {
        FakeExchange in = served(signIn(FakeAccounts.PASSWORD));
        assertEquals(303, in.status);
        assertEquals("/console/", in.answered.get("Location"));
        Cookie cookie = in.given.get(0);
        assertEquals(COOKIE, cookie.getName());
        assertTrue(cookie.isHttpOnly() && cookie.getSecure());
        assertEquals("/", cookie.getPath());
        assertEquals("Strict", cookie.getAttribute("SameSite"));
        assertEquals(null, cookie.getDomain());
        assertEquals(200, served(FakeExchange.get("/console").cookie(COOKIE, "secret-1")).status);
    }

    @Test
    void aWrongPasswordIsSaidAndGivesNothing() {
        FakeExchange in = served(signIn("wrong"));
        assertEquals(401, in.status);
        assertTrue(in.given.isEmpty());
        assertTrue(in.body().contains("not right"));
        assertTrue(in.body().contains("value=\"alice\""), "the name is kept");
        assertFalse(in.body().contains("wrong\""), "the password is not");
    }

    @Test
    void aSessionThatABrowserHadBeforeEndsWhenAnotherBegins() {
        String before = session();
        FakeExchange in =
                served(
                        signIn(FakeAccounts.PASSWORD)
                                .cookie(COOKIE, before)
                                .field("csrf", csrf(before)));
        assertNotEquals(before, in.given.get(0).getValue());
        assertFalse(accounts.sessions.containsKey(before));
        FakeExchange planted =
                served(signIn(FakeAccounts.PASSWORD).cookie(COOKIE, "chosen-by-a-stranger"));
        assertNotEquals("chosen-by-a-stranger", planted.given.get(0).getValue());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://evil.example/",
                "//evil.example/",
                "/console/../../evil",
                "/console//evil.example",
                "/console/\\evil.example",
                "/\\evil.example",
                "/console/x\r\nSet-Cookie: a=b",
                "/console/ x",
                "javascript:alert(1)",
                "/elsewhere",
                "/console/sign-out",
                "/console/invitation/alice.x"
            })
    void aSignInLeadsToPagesOfTheConsoleAlone(String to) {
        FakeExchange in = served(signIn(FakeAccounts.PASSWORD).field("to", to));
        assertEquals("/console/", in.answered.get("Location"));
    }

    @Test
    void aSignInGoesOnWithThePageThatWasAskedFor() {
        FakeExchange asked = served(FakeExchange.get("/console/account"));
        assertEquals("/console/sign-in?to=%2Fconsole%2Faccount", asked.answered.get("Location"));
        FakeExchange in = served(signIn(FakeAccounts.PASSWORD).field("to", "/console/runs/1?a=b"));
        assertEquals("/console/runs/1?a=b", in.answered.get("Location"));
    }

    @Test
    void passwordsDoNotCountWhenTheOperatorSaysSo() {
        settings = ConsoleSettings.of(30, 12, false, new String[0], new String[0]);
        FakeExchange in = served(signIn(FakeAccounts.PASSWORD));
        assertEquals(403, in.status);
        assertTrue(accounts.sessions.isEmpty());
        FakeExchange accepted =
                served(
                        FakeExchange.post("/console/invitation/alice.secret")
                                .field("password", "twelve letters")
                                .field("again", "twelve letters"));
        assertEquals(403, accepted.status);
        assertTrue(accounts.sessions.isEmpty());
    }

    @Test
    void theBootstrapTokenMakesNoSecondAccount() {
        FakeExchange first =
                FakeExchange.post("/console/sign-in/first")
                        .field("token", "palyra_x")
                        .field("account", "mallory");
        assertEquals(403, served(first).status);
        assertTrue(first.body().contains("There is an account already"));
        accounts.empty = true;
        FakeExchange made =
                served(
                        FakeExchange.post("/console/sign-in/first")
                                .field("token", "palyra_x")
                                .field("account", " Alice "));
        assertEquals("/console/invitation/alice.secret", made.answered.get("Location"));
    }

    @Test
    void signingOutEndsTheSessionAtTheGateway() {
        String secret = session();
        FakeExchange out =
                served(
                        FakeExchange.post("/console/sign-out")
                                .cookie(COOKIE, secret)
                                .field("csrf", csrf(secret)));
        assertEquals(1, accounts.ended.size());
        assertEquals(0, out.given.get(0).getMaxAge());
        assertEquals(303, served(FakeExchange.get("/console").cookie(COOKIE, secret)).status);
    }

    // ---- Around every page ----

    @Test
    void pagesCannotBeFramedCachedOrSniffed() {
        FakeExchange page = served(FakeExchange.get("/console/sign-in"));
        String policy = page.answered.get("Content-Security-Policy");
        assertTrue(policy.contains("frame-ancestors 'none'") && policy.contains("base-uri 'none'"));
        assertTrue(policy.contains("require-trusted-types-for 'script'"));
        assertFalse(policy.contains("unsafe"));
        assertEquals("DENY", page.answered.get("X-Frame-Options"));
        assertEquals("nosniff", page.answered.get("X-Content-Type-Options"));
        assertEquals("no-store", page.answered.get("Cache-Control"));
        assertEquals("same-origin", page.answered.get("Referrer-Policy"));
        assertFalse(page.answered.containsKey("Strict-Transport-Security"));
    }

    private FakeExchange change(String secret) {
        return FakeExchange.post("/console/change")
                .cookie(COOKIE, secret)
                .field("what", "it")
                .field("csrf", csrf(secret));
    }

    @Test
    void aChangeNeedsTheTokenOfItsOwnSession() {
        String secret = session();
        String others = csrf(session());
        assertEquals(303, served(change(secret)).status);
        assertEquals(1, changed.size());
        for (String wrong : List.of("", others, secret, csrf(secret) + "x")) {
            assertEquals(403, served(change(secret).field("csrf", wrong)).status, wrong);
        }
        assertEquals(403, served(change(secret).header("X-Palyra-Csrf", "x")).status);
        assertEquals(1, changed.size());
    }

    @Test
    void aChangeByAPageOfAnotherOriginIsRefused() {
        String secret = session();
        List<FakeExchange> attempts =
                List.of(
                        change(secret).without("origin"),
                        change(secret).header("origin", "null"),
                        change(secret).header("origin", "https://localhost:7142"),
                        change(secret).header("origin", "http://localhost:7143"),
                        change(secret).header("origin", "http://evil.example"),
                        change(secret).header("origin", "https://palyra.example"),
                        change(secret).header("sec-fetch-site", "cross-site"),
                        change(secret).header("sec-fetch-site", "same-site"),
                        signIn(FakeAccounts.PASSWORD).header("origin", "http://evil.example"));
        for (FakeExchange attempt : attempts) {
            assertEquals(403, served(attempt).status, attempt.headers.toString());
            assertTrue(attempt.given.isEmpty());
        }
        assertTrue(changed.isEmpty());
    }

    @Test
    void aHostThatIsNotTheConsolesOwnIsRefused() {
        for (String host :
                List.of("evil.example:7142", "localhost.evil", "", "palyra.example:80")) {
            FakeExchange page = served(FakeExchange.get("/console/sign-in").header("host", host));
            assertEquals(421, page.status, host);
        }
        for (String host : List.of("127.0.0.1:7142", "[::1]:7142", "localhost", "palyra.example")) {
            assertEquals(
                    200,
                    served(FakeExchange.get("/console/sign-in").header("host", host)).status,
                    host);
        }
    }

    @Test
    void whatCameOverTheNetworkWithoutTlsIsRefused() {
        FakeExchange from = signIn(FakeAccounts.PASSWORD).header("host", "palyra.example");
        from.remote = "192.0.2.7";
        FakeExchange to = signIn(FakeAccounts.PASSWORD).header("host", "palyra.example");
        to.local = "192.0.2.8";
        for (FakeExchange plain : List.of(from, to)) {
            assertEquals(403, served(plain).status);
            assertTrue(plain.given.isEmpty());
            assertTrue(plain.body().contains("only over TLS"), plain.body());
        }
        assertTrue(accounts.clients.isEmpty(), "no password was looked at");

        FakeExchange page = FakeExchange.get("/console/sign-in").header("host", "palyra.example");
        page.remote = "192.0.2.7";
        page.secure = true;
        assertEquals(200, served(page).status);
    }

    @Test
    void aPublicUrlIsAnOriginOfItsOwnWithTls() {
        FakeExchange in =
                served(
                        signIn(FakeAccounts.PASSWORD)
                                .header("host", "palyra.example")
                                .header("origin", "https://palyra.example"));
        assertEquals(303, in.status);
        assertEquals("https://palyra.example", accounts.clients.get(0).origin());
        assertTrue(in.answered.containsKey("Strict-Transport-Security"));
    }

    @Test
    void aSessionThatHasEndedLeadsToTheSignIn() {
        String secret = session();
        String csrf = csrf(secret);
        accounts.sessions.clear();
        assertEquals(303, served(FakeExchange.get("/console").cookie(COOKIE, secret)).status);
        FakeExchange change =
                FakeExchange.post("/console/change").cookie(COOKIE, secret).field("csrf", csrf);
        assertEquals(401, served(change).status);
        assertTrue(changed.isEmpty());
    }

    @Test
    void whatAPageLoadsByItselfIsNoAction() {
        String secret = session();
        served(FakeExchange.get("/console").cookie(COOKIE, secret));
        served(FakeExchange.get("/console").header("HX-Request", "true").cookie(COOKIE, secret));
        served(FakeExchange.get("/console/events").cookie(COOKIE, secret));
        assertEquals(List.of(true, false, false), accounts.activity);
    }

    // ---- A factor in the middle of a change ----

    private FakeExchange sensitive(String secret) {
        return FakeExchange.post("/console/sensitive")
                .cookie(COOKIE, secret)
                .field("what", "typed <b>text</b> & \"more\"")
                .field("csrf", csrf(secret));
    }

    @Test
    void aSensitiveChangeAsksForAFactorAndKeepsWhatWasTyped() {
        accounts.provenMillis -= TEN_MINUTES;
        String secret = session();
        FakeExchange asked = served(sensitive(secret));
        assertEquals(401, asked.status);
        assertTrue(changed.isEmpty());
        assertTrue(asked.body().contains("action=\"/console/sensitive\""));
        assertTrue(
                asked.body().contains("value=\"typed &lt;b>text&lt;/b> &amp; &#34;more&#34;\""),
                asked.body());
        FakeExchange wrong = served(sensitive(secret).field("prove_password", "wrong"));
        assertTrue(wrong.body().contains("not right"));
        assertFalse(wrong.body().contains("value=\"wrong\""));
        assertTrue(changed.isEmpty());
        FakeExchange right =
                served(sensitive(secret).field("prove_password", FakeAccounts.PASSWORD));
        assertEquals(303, right.status);
        assertEquals(List.of("typed <b>text</b> & \"more\""), changed);
        assertEquals(303, served(sensitive(secret)).status, "for five minutes none is asked");
    }

    @Test
    void aProofWithoutTheTokenOfTheSessionIsNone() {
        accounts.provenMillis -= TEN_MINUTES;
        String secret = session();
        FakeExchange attempt =
                served(
                        sensitive(secret)
                                .field("csrf", "x")
                                .field("prove_password", FakeAccounts.PASSWORD));
        assertEquals(403, attempt.status);
        assertTrue(changed.isEmpty());
        assertEquals(401, served(sensitive(secret)).status);
    }

    @Test
    void theAccountPageAsksBeforeItOpensAWayIn() {
        accounts.provenMillis -= TEN_MINUTES;
        String secret = session();
        for (String path : List.of("password", "passkey", "passkey/remove")) {
            FakeExchange attempt =
                    FakeExchange.post("/console/account/" + path)
                            .cookie(COOKIE, secret)
                            .field("csrf", csrf(secret))
                            .field("password", "another password")
                            .field("again", "another password");
            assertEquals(401, served(attempt).status, path);
            assertTrue(attempt.body().contains("Is it you?"), path);
        }
    }

    @Test
    void readsNoFormThatIsTooLongOrOfUnknownLength() {
        FakeExchange longer = signIn(FakeAccounts.PASSWORD);
        longer.length = FormBound.MOST_BYTES + 1;
        assertEquals(400, served(longer).status);
        assertFalse(longer.bodyRead, "the body was read");
        FakeExchange chunked = signIn(FakeAccounts.PASSWORD).header("transfer-encoding", "chunked");
        assertEquals(400, served(chunked).status);
        assertFalse(chunked.bodyRead, "the body was read");
        FakeExchange usual = signIn(FakeAccounts.PASSWORD);
        usual.length = FormBound.MOST_BYTES;
        assertEquals(303, served(usual).status);
    }
}
