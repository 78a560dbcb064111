package palyra.health.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.osgi.service.servlet.runtime.HttpServiceRuntime;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.ops.Finding;
import palyra.shared.http.Reply;
import palyra.shared.http.RequestInfo;
import palyra.testing.access.FakeAccess;

class HttpAuthorizerTest {
    private static final String LOCAL = "127.0.0.1";
    private static final String FAR = "10.0.0.7";
    private static final HttpServiceRuntime RUNTIME = Fakes.of(HttpServiceRuntime.class, Map.of());

    private final FakeAccess access = Fakes.access();
    private final HttpAuthorizer authorizer =
            new HttpAuthorizer(new HealthSettings(true, Set.of("gateway.example"), 4));

    @BeforeEach
    void boundToLoopback() {
        bound("http://127.0.0.1:7142/");
        authorizer.bindAccess(access, Map.of());
    }

    private void bound(String... endpoints) {
        authorizer.bindRuntime(RUNTIME, Map.of("osgi.http.endpoint", endpoints));
    }

    private static RequestInfo call(String method, String host, String authorization) {
        return new RequestInfo(method, host, false, LOCAL, LOCAL, false, authorization);
    }

    private static RequestInfo get(String authorization) {
        return call("GET", "localhost:7142", authorization);
    }

    private Authorization admit(RequestInfo call) {
        return authorizer.authorize(call, "system.status", true);
    }

    private int refusal(RequestInfo call) {
        return refusal(admit(call)).status();
    }

    private static Reply refusal(Authorization admission) {
        return assertInstanceOf(Authorization.Refused.class, admission).reply();
    }

    private void anonymous(RequestInfo call) {
        assertInstanceOf(Authorization.Anonymous.class, admit(call));
    }

    private void known(RequestInfo call) {
        assertInstanceOf(Authorization.Authenticated.class, admit(call));
    }

    @Test
    void aStrangerOnThisMachineGetsTheShortAnswerAndATokenTheLongOne() {
        anonymous(get(null));
        known(get("Bearer palyra_operator"));
        known(get("bearer   palyra_operator "));
    }

    @ParameterizedTest
    @ValueSource(strings = {"POST", "PUT", "DELETE", "OPTIONS", "TRACE", "PATCH", "get", "X"})
    void refusesEveryMethodButGetAndHead(String method) {
        Reply reply = refusal(admit(call(method, "localhost", "Bearer palyra_operator")));
        assertEquals(405, reply.status());
        assertEquals("GET, HEAD", reply.headers().get("Allow"));
        anonymous(call("HEAD", "localhost", null));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "evil.example",
                "evil.example:7142",
                "localhost.evil.example",
                "10.0.0.9",
                "",
                "[::2]",
                "gateway.example.evil"
            })
    void refusesRequestsThatAreAddressedToSomebodyElse(String host) {
        assertEquals(421, refusal(call("GET", host, null)));
        assertEquals(421, refusal(call("GET", host, "Bearer palyra_operator")));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "localhost",
                "localhost:7142",
                "127.0.0.1:7142",
                "[::1]:7142",
                "gateway.example",
                "Gateway.Example:443",
                "gateway.example."
            })
    void takesItsOwnNamesAndThoseConfigured(String host) {
        anonymous(call("GET", host, null));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Bearer palyra_wrong",
                "Bearer ",
                "Bearer",
                "palyra_operator",
                "Basic b3A6cGE=",
                "",
                "Bearer palyra_operator x",
                "Bearer palyra_opérator"
            })
    void aBadCredentialIsRefusedAndNotTakenForNone(String header) {
        Reply reply = refusal(admit(get(header)));
        assertEquals(401, reply.status());
        assertEquals("Bearer realm=\"palyra\"", reply.headers().get("WWW-Authenticate"));
        String body = new String(reply.body(), StandardCharsets.UTF_8);
        assertFalse(body.contains("palyra_wrong"), body);
    }

    @Test
    void aVeryLongCredentialIsRefused() {
        assertEquals(401, refusal(get("Bearer " + "a".repeat(513))));
    }

    @Test
    void aKnownCallerWithoutPermissionIsDenied() {
        assertEquals(403, refusal(get("Bearer palyra_nobody")));
    }

    @Test
    void withoutAccessControlOnlyStrangersOfThisMachineGetTheShortAnswer() {
        authorizer.unbindAccess(access);
        anonymous(get("Bearer palyra_operator"));
        Authorization strict =
                authorizer.authorize(get("Bearer palyra_operator"), "metrics.read", false);
        assertEquals(503, refusal(strict).status());
        authorizer.bindAccess(access, Map.of());
        known(get("Bearer palyra_operator"));
    }

    @Test
    void aFailingAccessControlIsNoPermission() {
        access.failAuthentication(new PalyraException(ErrorCode.JOURNAL_UNAVAILABLE, "away"));
        anonymous(get("Bearer palyra_operator"));
        access.failAuthentication(new IllegalStateException("defect"));
        anonymous(get("Bearer palyra_operator"));
        assertEquals(
                503,
                refusal(authorizer.authorize(get("Bearer palyra_operator"), "metrics.read", false))
                        .status());
        access.failAuthentication(null);
        known(get("Bearer palyra_operator"));
    }

    @Test
    void whereStrangersGetNothingATokenIsNeeded() {
        assertEquals(401, refusal(authorizer.authorize(get(null), "metrics.read", false)).status());
    }

    @Test
    void boundBeyondThisMachineEverybodyNeedsAToken() {
        bound("http://127.0.0.1:7142/", "https://10.0.0.1:7142/");
        assertEquals(401, refusal(get(null)));
        known(get("Bearer palyra_operator"));
    }

    @Test
    void whereTheServerListensIsNotKnownEverybodyNeedsAToken() {
        authorizer.unbindRuntime(RUNTIME);
        assertEquals(401, refusal(get(null)));
        known(get("Bearer palyra_operator"));
        bound("http://127.0.0.1:7142/");
        anonymous(get(null));
    }

    @Test
    void aRuntimeThatWasReplacedTakesNothingAlong() {
        HttpServiceRuntime successor = Fakes.of(HttpServiceRuntime.class, Map.of());
        authorizer.bindRuntime(successor, Map.of("osgi.http.endpoint", "http://127.0.0.1:7143/"));
        authorizer.unbindRuntime(RUNTIME);
        anonymous(get(null));
    }

    @Test
    void fromElsewhereOnlyOverTls() {
        bound("http://10.0.0.1:7142/");
        String token = "Bearer palyra_operator";
        RequestInfo plain =
                new RequestInfo("GET", "10.0.0.1", false, "10.0.0.1", FAR, false, token);
        assertEquals(403, refusal(plain));
        RequestInfo secure =
                new RequestInfo("GET", "10.0.0.1", true, "10.0.0.1", FAR, false, token);
        known(secure);
        RequestInfo nameless =
                new RequestInfo("GET", "10.0.0.1", true, "10.0.0.1", FAR, false, null);
        assertEquals(401, refusal(nameless));
    }

    @Test
    void whatAProxyPassesOnIsNotOfThisMachine() {
        RequestInfo forwarded =
                new RequestInfo("GET", "localhost", false, LOCAL, LOCAL, true, null);
        assertEquals(401, refusal(forwarded));
    }

    @ParameterizedTest
    @NullSource
    @ValueSource(strings = {"", "unknown"})
    void anAddressThatCannotBeReadIsNotOfThisMachine(String address) {
        RequestInfo call = new RequestInfo("GET", "localhost", true, LOCAL, address, false, null);
        assertEquals(401, refusal(call));
    }

    @Test
    void findsItselfExposed() {
        assertTrue(authorizer.findings().isEmpty());
        bound("http://0.0.0.0:7142/");
        assertEquals(Finding.Severity.ERROR, authorizer.findings().get(0).severity());
        bound("https://10.0.0.1:7142/");
        assertEquals(Finding.Severity.WARNING, authorizer.findings().get(0).severity());
    }
}
