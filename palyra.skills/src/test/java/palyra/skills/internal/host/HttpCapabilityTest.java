package palyra.skills.internal.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.egress.EgressRequest;
import palyra.skills.internal.host.fakes.FakeEgress;
import palyra.skills.internal.host.fakes.Guest;
import palyra.skills.internal.host.fakes.Stage;

final class HttpCapabilityTest {
    private final Stage stage = new Stage();
    private final HostCall call = Stage.call(Stage.grants(), "{}", false);
    private final Guest guest = stage.guest(call);

    private JsonNode get(String url) {
        return guest.ask("http_request", "{\"url\":\"" + url + "\"}");
    }

    @Test
    void anAllowedHostIsReachedOnBehalfOfTheCaller() {
        JsonNode answer = get("https://api.example.com/v1?q=1#part");
        assertEquals(200, answer.path("status").asInt());
        assertEquals("hello", answer.path("body").asText());
        assertEquals("text/plain", answer.path("headers").path("content-type").asText());
        EgressRequest sent = stage.egress.sent.get(0);
        assertEquals("https://api.example.com/v1?q=1", sent.url());
        assertEquals("user:anna", sent.who().principal());
        assertEquals("skill:acme.weather", sent.who().purpose());
        assertEquals("call-1", sent.who().callId());
        assertEquals(0, sent.limits().maxRedirects());
        assertEquals(java.util.Set.of(443), sent.limits().ports());
    }

    @Test
    void aHostThatTheManifestDoesNotNameIsDeniedWithTheMissingGrantAndRecorded() {
        JsonNode answer = get("https://evil.example.org/x");
        assertEquals("denied", Guest.code(answer));
        assertEquals("capabilities.http_egress_allowlist: evil.example.org", Guest.grant(answer));
        assertTrue(stage.egress.sent.isEmpty());
        JsonNode event = stage.journal.events(Denials.TYPE).get(0);
        assertEquals("host_capability_http_request", event.path("function").asText());
        assertEquals("run-1", event.path("runId").asText());
        assertEquals("call-1", event.path("callId").asText());
    }

    @Test
    void tricksWithTheUrlDoNotReachOtherHosts() {
        for (String url :
                List.of(
                        "https://api.example.com@evil.example.org/",
                        "https://api.example.com:443@evil.example.org/",
                        "https://evil.example.org\\\\@api.example.com/",
                        "https://api.example.com.evil.example.org/",
                        "https://wild.example.com/",
                        "https://evilwild.example.com/",
                        "https://api.example.com:8443/",
                        "https://other.example.com/",
                        "https://api.example.com./",
                        "https://127.0.0.1/",
                        "https://[::1]/",
                        "file:///etc/passwd",
                        "//api.example.com/",
                        "https:///x")) {
            String code = Guest.code(get(url));
            assertTrue(code.equals("denied") || code.equals("invalid"), url + ": " + code);
        }
        assertTrue(stage.egress.sent.isEmpty());
        assertEquals(200, get("https://a.b.wild.example.com/").path("status").asInt());
        assertEquals(200, get("https://OTHER.example.com:8443/").path("status").asInt());
        assertEquals(200, get("http://api.example.com/").path("status").asInt());
    }

    @Test
    void redirectsAreReturnedAndNotFollowed() {
        stage.egress.answer(
                request ->
                        FakeEgress.response(
                                302, Map.of("Location", List.of("https://evil.example.org/")), ""));
        JsonNode answer = get("https://api.example.com/");
        assertEquals(302, answer.path("status").asInt());
        assertEquals("https://evil.example.org/", answer.path("headers").path("location").asText());
        assertEquals(1, stage.egress.sent.size());
    }

    @Test
    void aPolicyThatSaysNoNamesItself() {
        stage.egress.answer(
                request -> {
                    throw new PalyraException(ErrorCode.DENIED, "Policy says no.");
                });
        JsonNode answer = get("https://api.example.com/");
        assertEquals("denied", Guest.code(answer));
        assertEquals("policy network.connect host:api.example.com", Guest.grant(answer));
        assertEquals(1, stage.journal.events(Denials.TYPE).size());
    }

    @Test
    void failuresAreValues() {
        Map<ErrorCode, String> codes =
                Map.of(
                        ErrorCode.TIMED_OUT, "timeout",
                        ErrorCode.TOOL_UNAVAILABLE, "unavailable",
                        ErrorCode.POLICY_UNAVAILABLE, "unavailable",
                        ErrorCode.RESOURCE_EXHAUSTED, "limit",
                        ErrorCode.INVALID_ARGUMENT, "invalid");
        codes.forEach(
                (code, name) -> {
                    stage.egress.answer(
                            request -> {
                                throw new PalyraException(code, "It did not work.");
                            });
                    assertEquals(name, Guest.code(get("https://api.example.com/")));
                });
        assertTrue(stage.journal.events(Denials.TYPE).isEmpty());
    }

    @Test
    void headersThatCouldSmuggleAreRefused() {
        for (String headers :
                List.of(
                        "{\"a\":\"b\\r\\nc: d\"}",
                        "{\"a b\":\"c\"}",
                        "{\"Host\":\"evil.example.org\"}",
                        "{\"content-length\":\"1\"}",
                        "{\"A\":\"1\",\"a\":\"2\"}",
                        "{\"a\":1}")) {
            JsonNode answer =
                    guest.ask(
                            "http_request",
                            "{\"url\":\"https://api.example.com/\",\"headers\":" + headers + "}");
            assertEquals("invalid", Guest.code(answer), headers);
        }
        assertTrue(stage.egress.sent.isEmpty());
    }

    @Test
    void aSecretIsPutIntoAHeaderAndTheModuleNeverSeesIt() {
        stage.vault.put("skill:acme.weather", "api_token", "s3cret");
        JsonNode opened = guest.ask("secret_open", "{\"scope\":\"skill\",\"key\":\"api_token\"}");
        assertEquals(20_000, opened.path("handle").asInt());
        JsonNode answer =
                guest.ask(
                        "http_request",
                        "{\"url\":\"https://api.example.com/\",\"secret_headers\":"
                                + "{\"Authorization\":{\"secret\":20000,\"prefix\":\"Bearer \"}}}");
        assertEquals(200, answer.path("status").asInt());
        EgressRequest sent = stage.egress.sent.get(0);
        assertEquals(Map.of("authorization", "Bearer s3cret"), sent.secretHeaders());
        assertFalse(sent.headers().containsValue("Bearer s3cret"));
        assertEquals("vault.get", stage.access.requests().get(0).action());
        assertEquals(
                "vault:skill:acme.weather/api_token", stage.access.requests().get(0).resource());
    }

    @Test
    void sendsASecretToNoHostThatTheManifestDoesNotBindItTo() {
        stage.vault.put("skill:acme.weather", "api_token", "s3cret");
        guest.ask("secret_open", "{\"key\":\"api_token\"}");
        for (String url :
                new String[] {
                    "https://other.example.com:8443/", "https://a.wild.example.com/",
                }) {
            JsonNode answer =
                    guest.ask(
                            "http_request",
                            "{\"url\":\""
                                    + url
                                    + "\",\"secret_headers\":"
                                    + "{\"Authorization\":{\"secret\":20000}}}");
            assertEquals("denied", Guest.code(answer), url);
            assertEquals(
                    200,
                    guest.ask("http_request", "{\"url\":\"" + url + "\"}").path("status").asInt(),
                    "the host itself is granted");
        }
        assertTrue(stage.egress.sent.stream().allMatch(sent -> sent.secretHeaders().isEmpty()));
    }

    @Test
    void connectsToNoOtherHostOnceTheValueOfASecretWasRead() {
        stage.vault.put("global", "readable", "s3cret");
        String other = "{\"url\":\"https://other.example.com:8443/\"}";
        assertEquals(200, guest.ask("http_request", other).path("status").asInt());
        guest.ask("secret_open", "{\"scope\":\"global\",\"key\":\"readable\"}");
        guest.ask("secret_value", "{\"handle\":20001}");
        assertEquals("denied", Guest.code(guest.ask("http_request", other)));
        assertEquals(
                200,
                guest.ask("http_request", "{\"url\":\"https://api.example.com/\"}")
                        .path("status")
                        .asInt());
    }

    @Test
    void aHandleThatWasNotOpenedIsRefused() {
        stage.vault.put("skill:acme.weather", "api_token", "s3cret");
        JsonNode answer =
                guest.ask(
                        "http_request",
                        "{\"url\":\"https://api.example.com/\",\"secret_headers\":"
                                + "{\"Authorization\":{\"secret\":20000}}}");
        assertEquals("invalid", Guest.code(answer));
        assertTrue(stage.egress.sent.isEmpty());
    }

    @Test
    void aSecretThatCannotStandInAHeaderIsRefusedWithoutShowingIt() {
        stage.vault.put("skill:acme.weather", "api_token", "line1\r\nx: y");
        guest.ask("secret_open", "{\"key\":\"api_token\"}");
        JsonNode answer =
                guest.ask(
                        "http_request",
                        "{\"url\":\"https://api.example.com/\",\"secret_headers\":"
                                + "{\"Authorization\":{\"secret\":20000}}}");
        assertEquals("invalid", Guest.code(answer));
        assertFalse(answer.toString().contains("line1"));
    }

    @Test
    void bodiesThatAreNoTextGoAndComeAsBase64() {
        byte[] raw = {(byte) 0xff, 0, 1};
        stage.egress.answer(request -> FakeEgress.response(200, Map.of(), raw));
        String base64 = Base64.getEncoder().encodeToString(raw);
        JsonNode answer =
                guest.ask(
                        "http_request",
                        "{\"method\":\"POST\",\"url\":\"https://api.example.com/\","
                                + "\"body_base64\":\""
                                + base64
                                + "\"}");
        assertEquals(base64, answer.path("body_base64").asText());
        assertEquals(3, stage.egress.sent.get(0).body().length);
    }

    @Test
    void onlyMethodsThatMayChangeSomethingCountAsEffects() {
        get("https://api.example.com/");
        assertFalse(call.close());
        HostCall other = Stage.call(Stage.grants(), "{}", false);
        stage.guest(other)
                .ask(
                        "http_request",
                        "{\"method\":\"POST\",\"url\":\"https://api.example.com/\",\"body\":\"x\"}");
        assertTrue(other.close());
        assertEquals("x", new String(stage.egress.sent.get(1).body(), StandardCharsets.UTF_8));
    }

    @Test
    void unknownMethodsAreRefused() {
        JsonNode answer =
                guest.ask(
                        "http_request",
                        "{\"method\":\"CONNECT\",\"url\":\"https://api.example.com/\"}");
        assertEquals("invalid", Guest.code(answer));
    }
}
