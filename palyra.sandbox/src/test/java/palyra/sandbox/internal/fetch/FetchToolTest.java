package palyra.sandbox.internal.fetch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.access.CallFacts;
import palyra.api.core.egress.EgressClient;
import palyra.api.core.egress.EgressRequest;
import palyra.api.core.egress.EgressResponse;
import palyra.api.core.tools.ConfinedResult;
import palyra.api.core.tools.ToolExamination;
import palyra.api.core.tools.ToolOrder;
import palyra.api.core.tools.ToolProposed;
import palyra.api.core.vault.Secret;
import palyra.api.tape.TapeEvent.Outcome;
import palyra.api.tool.Capability;
import palyra.api.tool.ToolInvocation;
import palyra.shared.json.StrictJson;
import palyra.shared.vault.SecretUse;

class FetchToolTest {
    /** Answers what a test says. */
    private static final class FakeClient implements EgressClient {
        final List<EgressRequest> sent = new ArrayList<>();
        final Deque<EgressResponse> answers = new ArrayDeque<>();
        PalyraException refusal;

        @Override
        public EgressResponse send(EgressRequest request) {
            sent.add(request);
            if (refusal != null) {
                throw refusal;
            }
            return answers.remove();
        }

        void answer(int status, Map<String, List<String>> headers, byte[] body) {
            answers.add(
                    new EgressResponse(
                            status,
                            headers,
                            "https://a.test/final",
                            "93.184.216.34",
                            new ByteArrayInputStream(body)));
        }

        void answer(String type, String body) {
            answer(
                    200,
                    Map.of("content-type", List.of(type), "set-cookie", List.of("s=1")),
                    body.getBytes(StandardCharsets.UTF_8));
        }
    }

    private static final SecretSource VAULT =
            new SecretSource() {
                @Override
                public boolean available() {
                    return true;
                }

                @Override
                public Secret lend(SecretUse use) {
                    return new LentText("value of " + use.ref() + " for " + use.principal());
                }
            };

    private static final SecretSource NO_VAULT =
            new SecretSource() {
                @Override
                public boolean available() {
                    return false;
                }

                @Override
                public Secret lend(SecretUse use) {
                    throw new PalyraException(ErrorCode.DENIED, "There is no vault.");
                }
            };

    private final FakeClient client = new FakeClient();
    private final FetchTool tool = new FetchTool(client, NO_VAULT);

    private static ToolExamination examine(FetchTool tool, String json) {
        return tool.examine(new ToolProposed(FetchTool.NAME, json, "s", "user:anna", "main"));
    }

    private static ConfinedResult run(FetchTool tool, String json) throws InterruptedException {
        ToolInvocation call =
                new ToolInvocation(
                        "call-1",
                        1,
                        "run-1",
                        "s",
                        "user:anna",
                        json,
                        System.currentTimeMillis() + 30_000);
        return tool.run(ToolOrder.of(FetchTool.NAME, call));
    }

    private JsonNode output(String json) throws InterruptedException {
        ConfinedResult result = run(tool, json);
        assertEquals(Outcome.SUCCEEDED, result.outcome(), result.result().error());
        return StrictJson.parse(result.result().outputJson(), "output");
    }

    @Test
    void factsSayWhatWouldBeReached() {
        ToolExamination examined =
                examine(tool, "{\"url\":\"https://EXAMPLE.com.:8443/a?q\",\"method\":\"HEAD\"}");
        CallFacts facts = assertInstanceOf(ToolExamination.Facts.class, examined).facts();
        assertEquals(Set.of("example.com"), facts.hosts());
        assertEquals(Set.of(8_443), facts.ports());
        assertEquals(Set.of("HEAD"), facts.methods());
        assertEquals(Set.of(), facts.writePaths());
        assertEquals(List.of(), client.sent);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "[]",
                "{\"url\":\"\"}",
                "{\"url\":1}",
                "{\"url\":\"ftp://a.test/\"}",
                "{\"url\":\"http://2130706433/\"}",
                "{\"url\":\"http://0x7f.1/\"}",
                "{\"url\":\"http://u:p@a.test/\"}",
                "{\"url\":\"https://a.test/\",\"method\":\"DELETE\"}",
                "{\"url\":\"https://a.test/\",\"method\":\"get\"}",
                "{\"url\":\"https://a.test/\",\"body\":\"x\"}",
                "{\"url\":\"https://a.test/\",\"headers\":{\"a\":1}}",
                "{\"url\":\"https://a.test/\",\"headers\":[]}",
                "{\"url\":\"https://a.test/\",\"max_bytes\":0}",
                "{\"url\":\"https://a.test/\",\"max_bytes\":2097153}",
                "{\"url\":\"https://a.test/\",\"max_bytes\":1.5}",
                "{\"url\":\"https://a.test/\",\"accept_binary\":\"yes\"}",
                "{\"url\":\"https://a.test/\",\"secret_headers\":{\"X\":\"plain\"}}",
                "{\"url\":\"https://a.test/\",\"secret_headers\":{\"X\":\"global/key\"}}",
                "{\"url\":\"https://a.test/\",\"secret_headers\":{\"X\":\"vault:none/key\"}}",
                "{\"url\":\"https://a.test/\",\"secret_headers\":{\"X\":\"vault:key\"}}",
                "{\"url\":\"https://a.test/\",\"secret_headers\":{\"X\":\"vault:global/key\"}}",
            })
    void whatIsNotUsableIsRefusedBeforeAnybodyDecides(String json) throws Exception {
        assertInstanceOf(ToolExamination.Refused.class, examine(tool, json));
        ConfinedResult result = run(tool, json);
        assertEquals(Outcome.FAILED, result.outcome());
        assertEquals(List.of(), client.sent);
    }

    @Test
    void aPageIsFetched() throws Exception {
        client.answer("text/html; charset=utf-8", "<p>héllo");
        JsonNode output =
                output(
                        "{\"url\":\"https://a.test/x\",\"headers\":{\"X-A\":\"1\"},"
                                + "\"method\":\"POST\",\"body\":\"b\"}");
        assertEquals(200, output.path("status").asInt());
        assertEquals("https://a.test/final", output.path("url").asText());
        assertEquals("<p>héllo", output.path("body").asText());
        assertEquals("text/html", output.path("content_type").asText());
        assertEquals(9, output.path("bytes").asInt());
        assertFalse(output.path("truncated").asBoolean());
        assertFalse(output.path("headers").has("set-cookie"));
        EgressRequest sent = client.sent.get(0);
        assertEquals("POST", sent.method());
        assertEquals(Map.of("X-A", "1"), sent.headers());
        assertEquals("palyra.http.fetch", sent.who().purpose());
        assertEquals("user:anna", sent.who().principal());
        assertEquals("call-1", sent.who().callId());
        assertEquals(Set.of(443), sent.limits().ports());
        assertEquals(0, sent.limits().maxRedirects());
    }

    @Test
    void theEnforcementSaysWhatWasConnectedTo() throws Exception {
        client.answer("text/plain", "x");
        ConfinedResult result = run(tool, "{\"url\":\"https://a.test/\"}");
        assertEquals("builtin", result.executor());
        assertEquals(
                "strict client=egress host=a.test address=93.184.216.34 port=443",
                result.enforcement());
        client.refusal = new PalyraException(ErrorCode.DENIED, "No.");
        ConfinedResult refused = run(tool, "{\"url\":\"https://a.test/\"}");
        assertEquals(Outcome.FAILED, refused.outcome());
        assertEquals("No.", refused.result().error());
        assertTrue(refused.enforcement().contains("address=none"), refused.enforcement());
    }

    @Test
    void aLongBodyIsCutOff() throws Exception {
        client.answer("application/json", "0123456789");
        JsonNode output = output("{\"url\":\"https://a.test/\",\"max_bytes\":4}");
        assertEquals("0123", output.path("body").asText());
        assertTrue(output.path("truncated").asBoolean());
        assertEquals(4, output.path("bytes").asInt());
    }

    @Test
    void aBodyThatIsNoTextMustBeAskedFor() throws Exception {
        byte[] image = {(byte) 0x89, 'P', 'N', 'G'};
        Map<String, List<String>> png = Map.of("content-type", List.of("image/png"));
        client.answer(200, png, image);
        ConfinedResult refused = run(tool, "{\"url\":\"https://a.test/\"}");
        assertEquals(Outcome.FAILED, refused.outcome());
        assertTrue(refused.result().error().contains("image/png"), refused.result().error());
        client.answer(200, png, image);
        JsonNode output = output("{\"url\":\"https://a.test/\",\"accept_binary\":true}");
        assertEquals("base64", output.path("encoding").asText());
        assertEquals(Base64.getEncoder().encodeToString(image), output.path("body").asText());
        client.answer(200, png, new byte[0]);
        assertEquals(
                "image/png",
                output("{\"url\":\"https://a.test/\",\"method\":\"HEAD\"}")
                        .path("content_type")
                        .asText());
        client.answer(200, Map.of(), "?".getBytes(StandardCharsets.UTF_8));
        assertEquals(Outcome.FAILED, run(tool, "{\"url\":\"https://a.test/\"}").outcome());
    }

    @Test
    void textsAreDecodedByTheirCharset() throws Exception {
        client.answer(
                200,
                Map.of("content-type", List.of("text/plain; Charset=\"ISO-8859-1\"")),
                new byte[] {'h', (byte) 0xe9});
        assertEquals("hé", output("{\"url\":\"https://a.test/\"}").path("body").asText());
        client.answer(
                200,
                Map.of("content-type", List.of("application/vnd.x+json; charset=nonsense")),
                new byte[] {'"', (byte) 0xff, '"'});
        assertEquals("\"\ufffd\"", output("{\"url\":\"https://a.test/\"}").path("body").asText());
    }

    @Test
    void aFieldThatIsNotKnownIsIgnoredAndTold() throws Exception {
        client.answer("text/plain", "there");
        JsonNode output = output("{\"url\":\"https://a.test/\",\"mehtod\":\"POST\"}");
        assertEquals("GET", client.sent.get(0).method());
        assertTrue(
                output.path("note").asText().contains("'mehtod' (did you mean 'method'?)"),
                output.toString());
    }

    @Test
    void aRedirectIsFollowedOnlyWhereThePolicyWasAskedAbout() throws Exception {
        client.answer(302, Map.of("location", List.of("/next")), new byte[0]);
        client.answer("text/plain", "there");
        assertEquals("there", output("{\"url\":\"https://a.test/\"}").path("body").asText());
        assertEquals("https://a.test/next", client.sent.get(1).url());
        for (String elsewhere :
                List.of(
                        "https://b.test/",
                        "http://a.test/",
                        "https://a.test:8443/",
                        "//b.test",
                        "https://a.test@b.test/")) {
            int before = client.sent.size();
            client.answer(302, Map.of("location", List.of(elsewhere)), new byte[0]);
            JsonNode output = output("{\"url\":\"https://a.test/\"}");
            assertEquals(302, output.path("status").asInt());
            assertEquals(elsewhere, output.path("headers").path("location").asText());
            assertEquals(before + 1, client.sent.size());
        }
        for (int i = 0; i < 6; i++) {
            client.answer(302, Map.of("location", List.of("/loop")), new byte[0]);
        }
        assertEquals(302, output("{\"url\":\"https://a.test/\"}").path("status").asInt());
        client.answer(307, Map.of("location", List.of("/again")), new byte[0]);
        JsonNode post = output("{\"url\":\"https://a.test/\",\"method\":\"POST\",\"body\":\"x\"}");
        assertEquals(307, post.path("status").asInt());
    }

    @Test
    void secretsComeFromTheVaultAndOnlyThere() throws Exception {
        assertEquals(Set.of(Capability.NETWORK), tool.descriptor().capabilities());
        String json =
                "{\"url\":\"https://a.test/\",\"secret_headers\":{\"X-Key\":\"vault:global/key\"}}";
        ToolExamination.Refused refused =
                assertInstanceOf(ToolExamination.Refused.class, examine(tool, json));
        assertEquals("fetch.no_vault", refused.reasonCode());
        FetchTool withVault = new FetchTool(client, VAULT);
        assertTrue(withVault.descriptor().capabilities().contains(Capability.SECRETS_READ));
        ToolExamination.Facts facts =
                assertInstanceOf(ToolExamination.Facts.class, examine(withVault, json));
        assertEquals(Set.of("vault:global/key"), facts.facts().secrets());
        client.answer("text/plain", "x");
        ConfinedResult result = run(withVault, json);
        assertEquals(
                Map.of("X-Key", "value of vault:global/key for user:anna"),
                client.sent.get(0).secretHeaders());
        assertFalse(result.result().outputJson().contains("value of"));
    }

    @Test
    void whatItIsForIsToldAndTheValueOverwritten() throws Exception {
        List<SecretUse> uses = new ArrayList<>();
        List<LentText> lent = new ArrayList<>();
        SecretSource vault =
                new SecretSource() {
                    @Override
                    public boolean available() {
                        return true;
                    }

                    @Override
                    public Secret lend(SecretUse use) {
                        uses.add(use);
                        lent.add(new LentText("tok"));
                        return lent.get(lent.size() - 1);
                    }
                };
        client.answer("text/plain", "x");
        String json =
                "{\"url\":\"https://a.test/\",\"secret_headers\":"
                        + "{\"X-Key\":\"vault:principal:user:anna/key\"}}";
        run(new FetchTool(client, vault), json);
        assertEquals("user:anna", uses.get(0).principal());
        assertEquals("run-1", uses.get(0).runId());
        assertEquals("call-1", uses.get(0).callId());
        assertEquals("palyra.http.fetch", uses.get(0).purpose());
        assertEquals("user:anna", uses.get(0).question().owner());
        assertEquals("vault:principal:user:anna/key", uses.get(0).question().resource());
        assertEquals(0, lent.get(0).value()[0]);
    }

    @Test
    void aSecretThatNoHeaderCanHoldOrThatIsDeniedEndsTheCallWithoutItsValue() throws Exception {
        String json =
                "{\"url\":\"https://a.test/\",\"secret_headers\":{\"X\":\"vault:global/key\"}}";
        for (String value : List.of("line\nend", "n\u00fcl", "a\u0000b")) {
            ConfinedResult result =
                    run(new FetchTool(client, source(() -> new LentText(value))), json);
            assertEquals(Outcome.FAILED, result.outcome());
            assertFalse(result.result().error().contains(value), result.result().error());
        }
        ConfinedResult denied =
                run(
                        new FetchTool(
                                client,
                                source(
                                        () -> {
                                            throw new PalyraException(ErrorCode.DENIED, "Not you.");
                                        })),
                        json);
        assertEquals("Not you.", denied.result().error());
        assertEquals(List.of(), client.sent);
    }

    private static SecretSource source(Supplier<Secret> secret) {
        return new SecretSource() {
            @Override
            public boolean available() {
                return true;
            }

            @Override
            public Secret lend(SecretUse use) {
                return secret.get();
            }
        };
    }

    @Test
    void anInterruptedCallIsInterrupted() {
        client.refusal = new PalyraException(ErrorCode.CANCELLED, "was interrupted");
        Thread.currentThread().interrupt();
        assertThrows(InterruptedException.class, () -> run(tool, "{\"url\":\"https://a.test/\"}"));
        assertFalse(Thread.interrupted());
    }

    @Test
    void withoutAnOrderItDoesNotRun() {
        assertThrows(PalyraException.class, () -> tool.execute(null));
    }
}
