package palyra.policy.internal.cedar;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import palyra.lib.cedar.PolicySetLimits;
import palyra.policy.internal.cedar.value.CedarFormatException;

final class PolicySetCompilerTest {
    private static final String ALL = "{'op':'All'}";

    private static String policy(String principal, String action, String conditions) {
        return ("{'effect':'permit','principal':"
                        + principal
                        + ",'action':"
                        + action
                        + ",'resource':"
                        + ALL
                        + ",'conditions':["
                        + conditions
                        + "]}")
                .replace('\'', '"');
    }

    private static String set(String policy) {
        return "{\"staticPolicies\":{\"p\":" + policy + "}}";
    }

    private static String when(String body) {
        return set(policy(ALL, ALL, "{'kind':'when','body':" + body + "}"));
    }

    private static PolicySet compile(String json) {
        return new PolicySetCompiler(PolicySetLimits.STANDARD).compile(json);
    }

    private static String refusal(String json) {
        return assertThrows(CedarFormatException.class, () -> compile(json)).getMessage();
    }

    @Test
    void compilesAPlainPolicy() {
        assertEquals(1, compile(set(policy(ALL, ALL, ""))).policies().size());
        assertEquals(0, compile("{}").policies().size());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '#',
            value = {
                "{'Var':'subject'} # no variable",
                "{'frobnicate':{'left':{'Value':1},'right':{'Value':1}}} # no operator or function",
                "{'unknown':[{'Value':'x'}]} # no operator or function",
                "{'Slot':'?principal'} # scope only",
                "{'==':{'left':{'Value':1}}} # \"right\" is missing",
                "{'==':{'left':{'Value':1},'right':{'Value':1},'x':1}} # not known here",
                "{'Value':null} # no Cedar value for null",
                "{'Value':1.5} # not an integer",
                "{'Value':9223372036854775808} # not an integer",
                "{'Value':1,'Var':'context'} # exactly one key",
                "{} # exactly one key",
                "{'Value':{'__entity':{'type':'A B','id':'x'}}} # not a Cedar name",
                "{'Value':{'__entity':{'type':'A','id':'x'},'y':1}} # must stand alone",
                "{'Value':{'__extn':{'fn':'ip','arg':'x'}}} # invalid IP address",
                "{'is':{'left':{'Var':'principal'},'entity_type':'A::'}} # not an entity type",
                "{'like':{'left':{'Value':'a'},'pattern':[{'Star':1}]}} # not known here"
            })
    void refusesWhatItDoesNotKnow(String body, String reason) {
        String message = refusal(when(body));
        assertTrue(message.contains(reason), message);
        assertTrue(message.contains("policy p"), message);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '#',
            value = {
                "{'op':'has'} # not known in a scope",
                "{'op':'=='} # expected one entity",
                "{'op':'==','entity':{'type':'A','id':'b'},'slot':'?principal'} # expected one",
                "{'op':'in','entities':[]} # not possible here",
                "{'op':'in','entities':[{'type':'A','id':'b'},{'type':'A','id':'c'}]} # not possible",
                "{'op':'==','slot':'?resource'} # not possible here",
                "{'op':'All','entity':{'type':'A','id':'b'}} # not known here",
                "{'op':'==','slot':'?principal'} # the slots given are"
            })
    void refusesScopesItDoesNotKnow(String principal, String reason) {
        String message = refusal(set(policy(principal, ALL, "")));
        assertTrue(message.contains(reason), message);
    }

    @Test
    void refusesBrokenSets() {
        assertTrue(refusal("{").contains("not valid JSON"));
        String plain = policy(ALL, ALL, "");
        String twice = "{\"staticPolicies\":{\"p\":" + plain + ",\"p\":" + plain + "}}";
        assertTrue(refusal(twice).contains("Duplicate"), refusal(twice));
        assertTrue(refusal("{} {}").contains("after its end"));
        assertTrue(refusal("{\"staticPolicies\":[]}").contains("expected an object"));
        assertTrue(refusal("[]").contains("expected an object"));
        assertTrue(refusal("{\"policies\":{}}").contains("not known here"));
        assertTrue(
                refusal(set(policy(ALL, "{'op':'is','entity_type':'A'}", ""))).contains("action"));
        assertTrue(refusal(when("1").replace("when", "if")).contains("when or unless"));
        assertTrue(
                refusal(set(policy(ALL, ALL, "")).replace("permit", "allow")).contains("neither"));
    }

    @Test
    void refusesBrokenLinks() {
        String template = policy("{'op':'==','slot':'?principal'}", ALL, "");
        String sets =
                "{\"staticPolicies\":{\"p\":%s},\"templates\":{\"%s\":%s},\"templateLinks\":["
                        + "{\"templateId\":\"%s\",\"newId\":\"%s\",\"values\":{%s}}]}";
        String plain = policy(ALL, ALL, "");
        String value = "\"?principal\":{\"type\":\"User\",\"id\":\"a\"}";
        assertEquals(
                2,
                compile(sets.formatted(plain, "t", template, "t", "l", value)).policies().size());
        assertTrue(
                refusal(sets.formatted(plain, "t", template, "u", "l", value))
                        .contains("no template u"));
        assertTrue(
                refusal(sets.formatted(plain, "t", template, "t", "p", value))
                        .contains("the id p"));
        assertTrue(
                refusal(sets.formatted(plain, "p", template, "p", "l", value))
                        .contains("the id p"));
        assertTrue(
                refusal(sets.formatted(plain, "t", template, "t", "l", "")).contains("needed are"));
    }

    @Test
    void boundsDepthSizeAndNumber() {
        assertTrue(refusal(when(nested(500))).contains("nested deeper than 200"));
        assertEquals(1, compile(when(nested(190))).policies().size());
        assertTrue(refusal(when(nested(9_000))).contains("nested deeper than 200"));
        assertTrue(refusal(when(wide(30_000))).contains("more than 20000 expressions"));
        assertTrue(refusal(when(chain(15_000))).contains("nesting depth"));
        String two =
                "{\"staticPolicies\":{\"a\":%s,\"b\":%s}}"
                        .formatted(policy(ALL, ALL, ""), policy(ALL, ALL, ""));
        CedarFormatException tooMany =
                assertThrows(
                        CedarFormatException.class,
                        () ->
                                new PolicySetCompiler(
                                                PolicySetLimits.STANDARD.withPolicies(1, 10, 10))
                                        .compile(two));
        assertTrue(tooMany.getMessage().contains("at most 1"), tooMany.getMessage());
        assertThrows(
                IllegalArgumentException.class,
                () -> PolicySetLimits.STANDARD.withPolicies(1, 1, 201));
    }

    @Test
    void longChainsAreNotDeep() {
        PolicySet set = compile(when(chain(4_000)));
        assertTrue(new Evaluator(set).decide(Policies.request(Map.of("b", true))).allowed());
    }

    /** Half of the usual stack is enough for the deepest policy that is accepted. */
    @Test
    void theDeepestPolicyNeedsLittleStack() throws Exception {
        FutureTask<Boolean> task =
                new FutureTask<>(
                        () -> {
                            Evaluator evaluator = new Evaluator(compile(when(nested(196))));
                            return evaluator.decide(Policies.request(Map.of("b", true))).allowed();
                        });
        Thread small = new Thread(null, task, "small-stack", 512 << 10);
        small.start();
        assertTrue(task.get(60, TimeUnit.SECONDS));
    }

    /** An even number of negations. */
    private static String nested(int depth) {
        return "{'!':{'arg':".repeat(depth)
                + "{'.':{'left':{'Var':'context'},'attr':'b'}}"
                + "}}".repeat(depth);
    }

    private static String wide(int length) {
        return "{'Set':[" + "{'Value':1},".repeat(length) + "{'Value':1}]}";
    }

    private static String chain(int length) {
        String leaf = "{'.':{'left':{'Var':'context'},'attr':'b'}}";
        return "{'&&':{'left':".repeat(length) + leaf + (",'right':" + leaf + "}}").repeat(length);
    }
}
