package palyra.console.internal.web;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import palyra.console.internal.fakes.FakeExchange;
import palyra.console.internal.fakes.TestConsole;

/** What a person sends after the session ended is kept in the page, and secrets are not. */
class ResendTest {
    private static final String TYPED = "a <b>long</b> \"text\"";
    private static final String SHOWN = "value=\"a &lt;b>long&lt;/b> &#34;text&#34;\"";

    private final List<String> changed = new ArrayList<>();
    private final TestConsole console =
            new TestConsole(
                    (seams, router) -> {
                        router.get("/console/change", exchange -> exchange.seeOther("/console/"));
                        router.post("/console/change", this::change);
                    });

    private void change(Exchange exchange) {
        changed.add(exchange.parameter("text"));
        exchange.seeOther("/console/");
    }

    private static FakeExchange typed(String csrf) {
        return FakeExchange.post("/console/change").field("csrf", csrf).field("text", TYPED);
    }

    @Test
    void anEndedSessionGivesAPageWithEveryFieldAndDoesNothing() {
        String csrf = console.csrf();
        console.accounts.sessions.clear();
        FakeExchange page = console.served(typed(csrf));
        assertEquals(401, page.status);
        assertNull(page.answered.get("HX-Redirect"));
        assertTrue(page.body().contains("Your session has ended"), page.body());
        assertTrue(page.body().contains("action=\"/console/change\""), page.body());
        assertTrue(page.body().contains(SHOWN), page.body());
        assertFalse(page.body().contains(csrf), page.body());
        assertEquals(List.of(), changed);
    }

    /** The token of the ended session counts no more, so the page asks once again, with the new. */
    @Test
    void afterASignInItIsSentAgainWithTheTokenOfTheNewSession() {
        String before = console.csrf();
        console.accounts.sessions.clear();
        console.signIn();
        FakeExchange page = console.served(typed(before));
        assertEquals(403, page.status);
        assertEquals(List.of(), changed);
        assertTrue(page.body().contains(SHOWN), page.body());
        assertTrue(
                page.body().contains("name=\"csrf\" value=\"" + console.csrf() + "\""),
                page.body());
        assertEquals(303, console.served(typed(console.csrf())).status);
        assertEquals(List.of(TYPED), changed);
    }

    @Test
    void aScriptIsToldWhatToSayAndTheTokenAndNotLedAway() {
        String before = console.csrf();
        console.accounts.sessions.clear();
        FakeExchange ended = console.served(typed(before).header("HX-Request", "true"));
        assertEquals(401, ended.status);
        assertNull(ended.answered.get("HX-Redirect"));
        assertFalse(ended.body().contains("<html"), ended.body());
        assertTrue(ended.body().contains("Sign in in another tab"), ended.body());
        FakeExchange part =
                console.served(FakeExchange.get("/console/change").header("HX-Request", "true"));
        assertEquals(401, part.status);
        assertNull(part.answered.get("HX-Redirect"));
        assertTrue(part.answered.get("X-Palyra-Problem").startsWith("Your%20session"));
        console.signIn();
        FakeExchange other = console.served(typed(before).header("HX-Request", "true"));
        assertEquals(403, other.status);
        assertEquals(console.csrf(), other.answered.get("X-Palyra-Csrf"));
        assertTrue(other.answered.get("X-Palyra-Problem").contains("again"));
    }

    @Test
    void secretsAreLeftOutAndThenNothingIsSentAgain() {
        console.accounts.sessions.clear();
        FakeExchange page =
                console.served(
                        typed("x")
                                .field("password", "hidden-1")
                                .field("again", "hidden-2")
                                .field("api_TOKEN", "hidden-3")
                                .field("new_client", "hidden-4")
                                .field("prove_password", "hidden-5")
                                .field("value", "hidden-6")
                                .field("not_kept", "value"));
        assertEquals(401, page.status);
        assertFalse(page.body().contains("hidden-"), page.body());
        assertTrue(page.body().contains("secrets and files are not kept"), page.body());
        assertFalse(page.body().contains("Send this again"), page.body());
        assertTrue(page.body().contains("long"), page.body());
    }

    /** Else it would put words into a form that the person then sends. */
    @Test
    void aPageOfAnotherOriginFillsNoForm() {
        String csrf = console.csrf();
        console.accounts.sessions.clear();
        List<FakeExchange> attempts =
                List.of(
                        typed(csrf).without("origin"),
                        typed(csrf).header("origin", "https://evil.example"),
                        typed(csrf).header("sec-fetch-site", "cross-site"));
        for (boolean signedIn : new boolean[] {false, true}) {
            if (signedIn) {
                console.signIn();
            }
            for (FakeExchange attempt : attempts) {
                FakeExchange page = console.served(attempt);
                assertEquals(403, page.status);
                assertFalse(page.body().contains("&lt;b>long"), page.body());
                assertNull(page.answered.get("X-Palyra-Csrf"));
            }
        }
        assertEquals(List.of(), changed);
    }

    @Test
    void aStrangersFormHasABoundBeforeItIsRead() {
        console.accounts.sessions.clear();
        FakeExchange longer = typed("x");
        longer.length = FormBound.MOST_BYTES + 1;
        assertEquals(400, console.served(longer).status);
        assertFalse(longer.bodyRead);
    }
}
