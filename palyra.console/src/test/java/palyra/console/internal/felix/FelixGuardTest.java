package palyra.console.internal.felix;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import palyra.api.core.access.SignInClient;
import palyra.console.internal.Seams;
import palyra.console.internal.fakes.FakeAccounts;
import palyra.console.internal.fakes.FakeExchange;
import palyra.console.internal.session.ConsoleSettings;
import palyra.console.internal.session.Origins;
import palyra.console.internal.session.Sessions;
import palyra.testing.access.FakeAccess;

/** Each way past the guard of Felix's Web Console. */
class FelixGuardTest {
    private static final String PAGE = "/console/felix/bundles";

    private final FakeAccounts accounts = new FakeAccounts();
    private Set<String> allowed = Set.of(FelixGuard.ACTION);
    private FelixGuard guard;

    @BeforeEach
    void open() {
        Seams seams = Seams.empty();
        seams.access()
                .add(
                        new FakeAccess(FakeAccess.Use.values())
                                .allowing(request -> allowed.contains(request.action())),
                        Map.of());
        seams.accounts().add(accounts, Map.of());
        ConsoleSettings settings =
                ConsoleSettings.of(30, 12, true, new String[] {}, new String[] {});
        Origins origins = new Origins(() -> settings);
        guard = new FelixGuard(seams, new Sessions(seams.accounts(), origins), origins);
    }

    private FakeExchange signedIn(FakeExchange exchange) {
        return exchange.cookie(
                "__Host-palyra",
                accounts.begin(new SignInClient("127.0.0.1", "", "http://localhost:7142", ""))
                        .secret());
    }

    private Object asked(FakeExchange exchange) {
        return guard.authenticate(exchange.request(), exchange.response());
    }

    @Test
    void letsAnAdministratorLook() {
        FakeExchange page = signedIn(FakeExchange.get(PAGE));
        assertTrue(asked(page).toString().startsWith("user:"));
        String policy = page.answered.get("Content-Security-Policy");
        assertTrue(policy.contains("default-src 'none'"), policy);
        assertTrue(policy.contains("form-action 'none'"), policy);
        assertFalse(policy.contains("unsafe-eval"), policy);
        assertEquals("DENY", page.answered.get("X-Frame-Options"));
    }

    @Test
    void leadsToTheSignInWithoutASession() {
        FakeExchange page = FakeExchange.get(PAGE);
        assertNull(asked(page));
        assertEquals(303, page.status);
        FakeExchange guessed = FakeExchange.get(PAGE).cookie("__Host-palyra", "guessed");
        assertNull(asked(guessed));
        FakeExchange basic =
                FakeExchange.get(PAGE).header("authorization", "Basic YWRtaW46YWRtaW4=");
        assertNull(asked(basic), "its own user and password do not count");
    }

    @Test
    void refusesWhoMayNot() {
        allowed = Set.of("bundle.list", "system.status");
        FakeExchange page = signedIn(FakeExchange.get(PAGE));
        assertNull(asked(page));
        assertEquals(403, page.status);
    }

    @Test
    void refusesEveryChange() {
        FakeExchange post = signedIn(FakeExchange.post(PAGE));
        assertNull(asked(post));
        assertEquals(403, post.status);
        assertTrue(post.body().contains("only shows here"), post.body());
        assertFalse(post.bodyRead);
    }

    @Test
    void refusesAnotherHost() {
        FakeExchange page = signedIn(FakeExchange.get(PAGE)).header("host", "evil.example");
        assertNull(asked(page));
        assertEquals(421, page.status);
    }
}
