package palyra.policy.internal.decide;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.access.Principal;
import palyra.api.access.PrincipalKind;
import palyra.api.core.access.AccessRequest;
import palyra.lib.cedar.PreparedPolicySet;
import palyra.policy.internal.cedar.Decision;
import palyra.policy.internal.cedar.entity.Entity;
import palyra.policy.internal.cedar.json.EntitiesReader;
import palyra.policy.internal.set.Snapshot;
import palyra.shared.json.StrictJson;

class PolicyRequestTest {
    private final Snapshot shipped = Sets.shipped();
    private final NativeEngineCheck check = new NativeEngineCheck(Sets.gate(), 60_000);

    @AfterEach
    void close() {
        check.close();
    }

    private static AccessRequest request(Principal who, String action, String resource) {
        return new AccessRequest(
                who,
                action,
                resource,
                "user:owner",
                Map.ofEntries(
                        Map.entry("command", "bundle swap"),
                        Map.entry("bundle", "palyra.shell"),
                        Map.entry("arguments", "hunter2"),
                        Map.entry("key", "hunter2"),
                        Map.entry("surface", "grpc"),
                        Map.entry("agent", "main"),
                        Map.entry("origin", "user"),
                        Map.entry("granted", "true"),
                        Map.entry("scope", "once"),
                        Map.entry("channel", "discord:42"),
                        Map.entry("device", "phone"),
                        Map.entry("trusted", "true"),
                        Map.entry("publisher", "acme"),
                        Map.entry("spendTokens", "1000"),
                        Map.entry("spendCostMicros", "70"),
                        Map.entry("spendCalls", "3"),
                        Map.entry("spendPercent", "81"),
                        Map.entry("toSha256", "00ff")));
    }

    /** Every action that there is, about every kind of thing, by all kinds of principals. */
    private List<PolicyRequest> everything() {
        List<PolicyRequest> requests = new ArrayList<>();
        List<String> things =
                List.of(
                        "",
                        "session:1",
                        "run:1",
                        "stream:journal",
                        "principal:user:x",
                        "token:1",
                        "bundle:b",
                        "command:c",
                        "channel:discord:42",
                        "skill:s",
                        "vault:v/k",
                        "pin:p",
                        "key:k",
                        "host:h",
                        "weird:thing",
                        "agent:main",
                        "approval:1");
        for (Entity action : shipped.schema().actionEntities()) {
            String name = action.uid().id();
            if (name.indexOf('.') < 0 || name.equals("tool.execute")) {
                continue;
            }
            for (String thing : things) {
                PrincipalKind kind = PrincipalKind.values()[requests.size() % 4];
                Set<String> groups = Set.of(requests.size() % 3 == 0 ? "operator" : "viewer");
                Principal who = new Principal("device:me", kind, groups, Set.of("a.b"), "token:1");
                requests.add(PolicyRequest.of(request(who, name, thing)));
            }
        }
        requests.add(PolicyRequest.of(Asks.call(Asks.SHELL, "integrator", "viewer")));
        requests.add(
                PolicyRequest.of(
                        Asks.call(Asks.CLOCK, Asks.situation(Asks.facts(), true, "operator"))));
        return requests;
    }

    @Test
    void everyRequestFitsTheSchema() throws Exception {
        try (PreparedPolicySet set = Sets.CEDAR.prepare(Sets.CEDAR.compile(shipped.source()))) {
            for (PolicyRequest request : everything()) {
                ObjectNode json =
                        (ObjectNode) StrictJson.parse(request.nativeJson(), "the request");
                json.put("validateRequest", true);
                // Throws if the request or an entity does not fit.
                set.decide(json.toString());
                EntitiesReader reader = EntitiesReader.by(shipped.schema());
                reader.read(json.get("entities"));
                reader.context(request.action(), json.get("context"));
            }
        }
    }

    @Test
    void evidenceDecidesAgainAsItDidOnBothEngines() {
        int allowed = 0;
        for (PolicyRequest request : everything()) {
            String evidence = request.evidenceJson();
            PolicyRequest again = PolicyRequest.parse(evidence);

            assertEquals(evidence, again.evidenceJson());
            Decision first = shipped.evaluator().decide(request.cedarRequest(shipped));
            assertEquals(first, shipped.evaluator().decide(again.cedarRequest(shipped)));
            assertEquals(
                    List.of(),
                    NativeDecisions.difference(
                                    shipped, again, check.ask(shipped, again).orElseThrow())
                            .stream()
                            .toList());
            allowed += first.allowed() ? 1 : 0;
        }
        assertTrue(allowed > 0, "nothing was allowed, so nothing was compared");
    }

    @Test
    void evidenceIsCanonical() {
        String evidence =
                PolicyRequest.of(Asks.call(Asks.CLOCK, Asks.situation(Asks.facts(), false)))
                        .evidenceJson();

        assertTrue(evidence.startsWith("{\"action\":\"tool.execute\",\"context\":{"), evidence);
        assertTrue(evidence.endsWith("\"v\":1}"), evidence);
        assertTrue(
                evidence.contains(
                        "[\"a.example\",\"b.example\",\"c.example\",\"d.example\",\"e.example\"]"),
                evidence);
    }

    @Test
    void evidenceHoldsNoInputAndNoUnknownFact() {
        for (PolicyRequest request : everything()) {
            assertFalse(request.evidenceJson().contains("hunter2"), request.evidenceJson());
        }
    }

    @Test
    void theApprovalFlagAloneTellsTheTwoEvaluationsApart() {
        PolicyRequest asked = PolicyRequest.of(Asks.call(Asks.SHELL, "integrator"));
        PolicyRequest granted = asked.withApproval(true);

        assertFalse(asked.approved());
        assertTrue(granted.approved());
        assertSame(asked, asked.withApproval(false));
        assertEquals(
                asked.evidenceJson().replace("\"granted\":false", "\"granted\":true"),
                granted.evidenceJson());
        assertEquals(asked.evidenceJson(), granted.withApproval(false).evidenceJson());
    }

    @Test
    void aQuestionAboutAnActionHasNoApproval() {
        PolicyRequest request =
                PolicyRequest.of(
                        Asks.ask(Asks.me("operator"), "approval.decide", "approval:1", ""));

        assertSame(request, request.withApproval(true));
        assertFalse(request.approved());
    }

    @Test
    void namesInsideNamesStayWhatTheyAre() {
        PolicyRequest request =
                PolicyRequest.of(
                        Asks.ask(Asks.me(), "run.read", "run:\"}, {\"type\":\"User\"", Asks.ME));

        assertEquals(
                request.evidenceJson(), PolicyRequest.parse(request.evidenceJson()).evidenceJson());
        assertEquals("\"}, {\"type\":\"User\"", request.resource().id());
    }

    @Test
    void sensitiveIsWhatTheSchemaOrTheToolSays() {
        assertTrue(request("bundle.swap").sensitive(shipped));
        assertTrue(request("policy.reload").sensitive(shipped));
        assertTrue(request("vault.get").sensitive(shipped));
        assertFalse(request("run.start").sensitive(shipped));
        assertFalse(request("system.status").sensitive(shipped));
        assertTrue(PolicyRequest.of(Asks.call(Asks.SHELL)).sensitive(shipped));
        assertFalse(PolicyRequest.of(Asks.call(Asks.CLOCK)).sensitive(shipped));
        // What does not say that it is harmless is not.
        String without =
                PolicyRequest.of(Asks.call(Asks.CLOCK))
                        .evidenceJson()
                        .replace(",\"sensitive\":false", "");
        assertTrue(PolicyRequest.parse(without).sensitive(shipped));
    }

    private static PolicyRequest request(String action) {
        return PolicyRequest.of(Asks.ask(Asks.me("operator"), action, "", ""));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "[]",
                "null",
                "{}",
                "{\"v\":1}",
                "{\"v\":2,\"principal\":{\"type\":\"User\",\"id\":\"u\"},\"action\":\"a.b\","
                        + "\"resource\":{\"type\":\"Run\",\"id\":\"\"},\"context\":{},\"entities\":[]}",
                "{\"v\":1,\"principal\":{\"type\":\"Us er\",\"id\":\"u\"},\"action\":\"a.b\","
                        + "\"resource\":{\"type\":\"Run\",\"id\":\"\"},\"context\":{},\"entities\":[]}",
                "{\"v\":1,\"principal\":{\"type\":\"User\",\"id\":\"u\"},\"action\":\"a.b\","
                        + "\"resource\":{\"type\":\"Run\",\"id\":\"\"},\"context\":[],\"entities\":[]}",
                "{\"v\":1,\"principal\":{\"type\":\"User\",\"id\":\"u\"},\"action\":\"a.b\","
                        + "\"resource\":{\"type\":\"Run\",\"id\":\"\"},\"context\":{\"n\":1.5},"
                        + "\"entities\":[]}",
                "{\"v\":1,\"principal\":{\"type\":\"User\",\"id\":\"u\"},\"action\":\"a.b\","
                        + "\"resource\":{\"type\":\"Run\",\"id\":\"\"},"
                        + "\"context\":{\"n\":9007199254740993},\"entities\":[]}",
                "{\"v\":1,\"principal\":{\"type\":\"User\",\"id\":\"u\"},\"action\":\"a.b\","
                        + "\"resource\":{\"type\":\"Run\",\"id\":\"\"},\"context\":{\"ip\":"
                        + "{\"__extn\":{\"fn\":\"ip\",\"arg\":\"127.0.0.1\"}}},\"entities\":[]}",
                "{\"v\":1,\"principal\":{\"type\":\"User\",\"id\":\"u\"},\"action\":\"a.b\","
                        + "\"resource\":{\"type\":\"Run\",\"id\":\"\"},\"context\":{},\"entities\":[],"
                        + "\"more\":1}",
                "{\"v\":1,\"principal\":{\"type\":\"User\",\"id\":\"u\"},\"action\":\"a.b\","
                        + "\"resource\":{\"type\":\"Run\",\"id\":\"\"},\"context\":{},\"entities\":["
                        + "{\"uid\":{\"type\":\"A\",\"id\":\"1\"},\"attrs\":{},\"parents\":["
                        + "{\"type\":\"A\",\"id\":\"1\"}]}]}"
            })
    void whatIsNoEvidenceIsRefused(String json) {
        PalyraException refusal =
                assertThrows(PalyraException.class, () -> PolicyRequest.parse(json));

        assertEquals(ErrorCode.INVALID_ARGUMENT, refusal.code());
    }
}
