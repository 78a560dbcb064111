package palyra.channels.internal.route;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.channel.ConnectorId;

final class RouteRulesTest {
    private static final ConnectorId ID = ConnectorId.parse("fake:main");

    private Map<String, List<String>> configured =
            Map.of("a", List.of("fake:*"), "b", List.of("fake:main"));
    private Set<String> refused = Set.of();
    private final RouteRules rules = new RouteRules(() -> configured, () -> refused);

    private static RouteRule rule(String name, String connector) {
        return TestRules.rule(
                name, Map.of("connectors", new String[] {connector}, "directMessages", "allow"));
    }

    private void refused(String reason) {
        PalyraException refusal = assertThrows(PalyraException.class, () -> rules.require(ID));
        assertEquals(ErrorCode.GATEWAY_UNAVAILABLE, refusal.code());
        assertTrue(refusal.getMessage().contains(reason), refusal.getMessage());
    }

    @Test
    void nothingIsDecidedUntilEveryConfiguredRuleIsThere() {
        rules.add(rule("a", "fake:*"));
        refused("The rule b is configured and not in force");
        RouteRule second = rule("b", "fake:main");
        rules.add(second);
        assertEquals(2, rules.require(ID).rules().size());
        rules.remove(second); // it is changed
        refused("The rule b is configured and not in force");
        configured = Map.of("a", List.of("fake:*"));
        assertEquals(1, rules.require(ID).rules().size());
    }

    /** It may be the one that denies: without it, what it is for is not decided. */
    @Test
    void ruleThatIsRefusedHoldsUpWhatItMayBeForAndNothingElse() {
        rules.add(rule("a", "*"));
        configured = Map.of("a", List.of("*"), "b", List.of("other:main", "bogus"));
        assertEquals(1, rules.require(ID).rules().size());
        assertThrows(PalyraException.class, () -> rules.require(ConnectorId.parse("other:main")));
        configured = Map.of("a", List.of("*"), "b", List.of());
        refused("The rule b is configured and not in force");
        assertEquals(List.of("b"), rules.awaited());
    }

    /** What it says now may be for any connector, whatever it said before. */
    @Test
    void ruleOfWhichTheNewestContentIsRefusedIsNotInForce() {
        rules.add(rule("a", "fake:*"));
        rules.add(rule("b", "other:main"));
        configured = Map.of("a", List.of("fake:*"), "b", List.of("other:main"));
        assertEquals(2, rules.require(ID).rules().size());
        refused = Set.of("b");
        refused("The rule b is configured and not in force");
        assertEquals("b", rules.awaited(ID).orElseThrow());
        assertEquals(List.of("b"), rules.awaited());
        refused = Set.of();
        assertEquals(2, rules.require(ID).rules().size());
    }

    @Test
    void withoutARuleForTheConnectorNothingIsTaken() {
        configured = Map.of("a", List.of("fake:*"));
        rules.add(rule("a", "other:*"));
        refused("No rule is for fake:main");
    }
}
