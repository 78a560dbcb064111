package palyra.lib.cedar.internal.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static palyra.lib.cedar.internal.engine.Engines.ENGINE;
import static palyra.lib.cedar.internal.engine.Engines.compile;
import static palyra.lib.cedar.internal.engine.Engines.places;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import palyra.lib.cedar.CedarDecision;
import palyra.lib.cedar.CedarException;
import palyra.lib.cedar.CedarException.Reason;
import palyra.lib.cedar.CedarFile;
import palyra.lib.cedar.CompileRequest;
import palyra.lib.cedar.EntityRef;
import palyra.lib.cedar.PreparedPolicySet;
import palyra.lib.cedar.TemplateLink;
import palyra.testing.wait.Await;

final class OracleTest {
    private static final String ALL = "permit(principal, action, resource);";

    private static String request(String more) {
        return "{\"principal\":{\"type\":\"User\",\"id\":\"a\"},\"action\":{\"type\":\"Action\",\"id\":"
                + "\"view\"},\"resource\":{\"type\":\"Doc\",\"id\":\"d\"}"
                + more
                + "}";
    }

    private static Reason refusal(PreparedPolicySet set, String request) {
        return assertThrows(CedarException.class, () -> set.decide(request)).reason();
    }

    @Test
    void decidesAndNamesThePolicies() {
        String policies =
                ALL
                        + "forbid(principal, action, resource) when { context.hour > 20 };"
                        + "permit(principal, action, resource) when { principal.none };";
        try (PreparedPolicySet set = ENGINE.prepare(compile(policies))) {
            CedarDecision day = set.decide(request(",\"context\":{\"hour\":3}"));
            assertTrue(day.allowed());
            assertEquals(List.of("a.cedar#1"), day.determining());
            assertEquals(
                    List.of("a.cedar:1:143+9 entity `User::\"a\"` does not exist"),
                    places(day.errors()));
            assertEquals("a.cedar#3", day.errors().getFirst().policyId());
            CedarDecision night = set.decide(request(",\"context\":{\"hour\":23}"));
            assertFalse(night.allowed());
            assertEquals(List.of("a.cedar#2"), night.determining());
        }
    }

    @Test
    void deniesByDefaultWithoutNamingAPolicy() {
        try (PreparedPolicySet set = ENGINE.prepare(compile(""))) {
            CedarDecision decision = set.decide(request(""));
            assertFalse(decision.allowed());
            assertEquals(List.of(), decision.determining());
        }
    }

    @Test
    void reportsLinksByTheirIds() {
        String template = "@id(\"t\") permit(principal == ?principal, action, resource);";
        CompileRequest linked =
                CompileRequest.of(
                                List.of(
                                        CedarFile.of(
                                                "a",
                                                ALL.replace(";", " when {1 == 2};") + template)))
                        .withLinks(
                                List.of(
                                        new TemplateLink(
                                                "mine",
                                                "t",
                                                Map.of("?principal", new EntityRef("User", "a")))));
        try (PreparedPolicySet set = ENGINE.prepare(ENGINE.compile(linked))) {
            assertEquals(List.of("mine"), set.decide(request("")).determining());
        }
    }

    @Test
    void validatesRequestsAgainstTheSchemaWhenAsked() {
        CompileRequest typed =
                CompileRequest.of(List.of(CedarFile.of("a", ALL))).withSchema(Engines.schema());
        try (PreparedPolicySet set = ENGINE.prepare(ENGINE.compile(typed))) {
            String right = ",\"context\":{\"hour\":1},\"validateRequest\":true";
            assertTrue(set.decide(request(right)).allowed());
            assertEquals(Reason.REFUSED, refusal(set, request(right.replace("1", "\"x\""))));
            String wrongResource = request(right).replace("\"Doc\"", "\"User\"");
            assertEquals(Reason.REFUSED, refusal(set, wrongResource));
            assertTrue(set.decide(wrongResource.replace("true", "false")).allowed());
        }
    }

    @Test
    void refusesWhatIsNotExactlyARequest() {
        try (PreparedPolicySet set = ENGINE.prepare(compile(ALL))) {
            assertTrue(set.decide(request(",\"context\":{\"a\":1}")).allowed());
            for (String bad :
                    List.of(
                            ",\"context\":{\"a\":1.5}",
                            ",\"context\":{\"a\":1e3}",
                            ",\"context\":{\"a\":null}",
                            ",\"context\":{\"a\":9223372036854775808}",
                            ",\"context\":{\"a\":1,\"a\":2}",
                            ",\"context\":[]",
                            ",\"context\":{\"__entity\":{\"type\":\"User\",\"id\":\"a\"}}",
                            ",\"context\":{\"a\":{\"__entity\":{\"type\":\"User\",\"id\":\"a\"},\"b\":1}}",
                            ",\"context\":{\"a\":{\"__extn\":{\"fn\":\"system\",\"arg\":\"x\"}}}",
                            ",\"context\":{\"a\":{\"__extn\":{\"fn\":\"ip\",\"arg\":\"x\"}}}",
                            ",\"context\":{\"a\":{\"__expr\":\"1\"}}",
                            ",\"context\":{\"a\":\"\\ud800\"}",
                            ",\"context\":{\"a\":" + "[".repeat(70) + "]".repeat(70) + "}",
                            ",\"entities\":{}",
                            ",\"entities\":[1]",
                            ",\"entities\":[{\"uid\":{\"type\":\"U\",\"id\":\"a\"},\"attrs\":{\"x\":null},\"parents\":[]}]",
                            ",\"validateRequest\":true",
                            ",\"validateRequest\":\"no\"",
                            ",\"policies\":{}",
                            ",\"preparsedPolicySetId\":\"x\"",
                            ",\"principal\":{\"type\":\"User\",\"id\":\"b\"}",
                            "} {")) {
                assertEquals(Reason.REFUSED, refusal(set, request(bad)), bad);
            }
            for (String bad :
                    List.of(
                            "",
                            "[]",
                            "null",
                            "{}",
                            request("").replace("\"User\"", "\"U U\""),
                            request("").replace("\"User\"", "1"))) {
                assertEquals(Reason.REFUSED, refusal(set, bad), bad);
            }
        }
    }

    @Test
    void refusesEntitiesWhoseAncestorsWouldFillTheMemory() {
        try (PreparedPolicySet set = ENGINE.prepare(compile(ALL))) {
            for (int step : List.of(1, -1)) {
                assertTrue(set.decide(request(chain(1_000, 1_000, step))).allowed());
                assertEquals(Reason.REFUSED, refusal(set, request(chain(4_000, 4_000, step))));
                assertEquals(Reason.REFUSED, refusal(set, request(chain(1_000, 999, step))));
                assertEquals(Reason.REFUSED, refusal(set, request(chain(4_000, 3_999, step))));
            }
            assertEquals(Reason.REFUSED, refusal(set, request(chain(10_001, 20_000, 100_000))));
        }
    }

    /** Entities that each have the next as a parent; with a last below the count, a cycle. */
    private static String chain(int count, int last, int step) {
        StringBuilder chain = new StringBuilder(",\"entities\":[");
        for (int i = 0; i < count; i++) {
            int id = step > 0 ? i : count - 1 - i;
            chain.append(i == 0 ? "" : ",")
                    .append("{\"uid\":{\"type\":\"U\",\"id\":\"")
                    .append(id)
                    .append("\"},\"attrs\":{},\"parents\":[{\"type\":\"U\",\"id\":\"")
                    .append(id == last ? 0 : id + Math.abs(step))
                    .append("\"}]}");
        }
        return chain.append("]").toString();
    }

    @Test
    void tellsNothingOfTheRequestInErrors() {
        try (PreparedPolicySet set = ENGINE.prepare(compile(ALL))) {
            for (String hidden :
                    List.of(
                            ",\"context\":{\"hidden\":1.5}",
                            ",\"context\":{\"a\":{\"__extn\":{\"fn\":\"ip\",\"arg\":\"hidden\"}}}",
                            ",\"entities\":[{\"uid\":{\"type\":\"hidden hidden\",\"id\":\"hidden\"},\"attrs\":{},\"parents\":[]}]",
                            ",\"hidden\":1")) {
                String message =
                        assertThrows(CedarException.class, () -> set.decide(request(hidden)))
                                .getMessage();
                assertFalse(message.contains("hidden"), message);
            }
        }
    }

    @Test
    void answersNothingAfterClosing() {
        PreparedPolicySet set = ENGINE.prepare(compile(ALL));
        assertTrue(set.decide(request("")).allowed());
        int before = ENGINE.status().preparedSets();
        set.close();
        set.close();
        assertEquals(before - 1, ENGINE.status().preparedSets());
        assertEquals(Reason.CLOSED, refusal(set, request("")));
    }

    @Test
    void doesNotPrepareWhatHasErrors() {
        assertEquals(
                Reason.REFUSED,
                assertThrows(CedarException.class, () -> ENGINE.prepare(compile("nonsense")))
                        .reason());
    }

    @Test
    void refusesMoreSetsThanConfiguredAndFreesForgottenOnes() {
        CedarEngine engine = new CedarEngine(Engines.settings(), 8);
        List<PreparedPolicySet> held = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            held.add(engine.prepare(compile(ALL)));
        }
        assertEquals(
                Reason.BUSY,
                assertThrows(CedarException.class, () -> engine.prepare(compile(ALL))).reason());
        held.getFirst().close();
        engine.prepare(compile(ALL)).close();
        held.clear();
        Await.until(
                "forgotten sets to be freed",
                Duration.ofSeconds(60),
                () -> {
                    System.gc();
                    return engine.status().preparedSets() == 0;
                });
        engine.close();
    }

    @Test
    void keepsASetThroughGarbageCollectionsWhileItIsUsed() {
        PreparedPolicySet set = ENGINE.prepare(compile(ALL));
        for (int i = 0; i < 20; i++) {
            System.gc();
            assertTrue(set.decide(request("")).allowed());
        }
        set.close();
    }

    /** What native code says when it fails must never read as an allow. */
    @Test
    void takesOnlyAWholeDecisionForOne() {
        DecisionReader reader =
                new DecisionReader(
                        Sources.read(
                                CompileRequest.of(List.of(CedarFile.of("a", ALL))),
                                Engines.settings().limits()),
                        Map.of());
        Map<String, Object> none = Map.of("reason", List.of(), "errors", List.of());
        Map<String, Object> one = Map.of("reason", List.of("p0"), "errors", List.of());
        Map<String, Object> foreign = Map.of("reason", List.of("p7"), "errors", List.of());
        assertTrue(reader.read(answer("success", "allow", one)).allowed());
        for (Map<String, Object> bad :
                List.of(
                        answer("failure", "allow", one),
                        answer("success", "Allow", one),
                        answer("success", "allow", none),
                        answer("success", "allow", foreign),
                        answer("success", "allow", Map.of()),
                        Map.<String, Object>of("type", "success"),
                        Map.<String, Object>of())) {
            assertThrows(CedarException.class, () -> reader.read(bad), bad.toString());
        }
    }

    private static Map<String, Object> answer(
            String type, String decision, Map<String, Object> diagnostics) {
        return Map.of(
                "type", type, "response", Map.of("decision", decision, "diagnostics", diagnostics));
    }
}
