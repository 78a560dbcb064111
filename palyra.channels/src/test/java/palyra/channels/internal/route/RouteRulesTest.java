package palyra.channels.internal.route;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.channel.ConnectorId;
import palyra.api.run.WhileRunning;
import palyra.testing.journal.ManualClock;

final class RouteRulesTest {
    private static final ConnectorId ID = ConnectorId.parse("fake:main");

    private final ManualClock clock = new ManualClock(1_000);
    private Set<String> configured = Set.of("a", "b");
    private final RouteRules rules = new RouteRules(() -> configured, clock);

    private static RouteRule rule(String name, String connector) {
        return new RouteRule(
                name,
                0,
                List.of(connector),
                Set.of(),
                true,
                List.of(),
                Set.of(),
                Set.of(),
                RouteRule.DirectMessages.ALLOW,
                RouteRule.Broadcast.DENY,
                false,
                false,
                "",
                "",
                true,
                WhileRunning.QUEUE,
                0);
    }

    private void refused(String reason) {
        PalyraException refusal = assertThrows(PalyraException.class, () -> rules.require(ID));
        assertEquals(ErrorCode.GATEWAY_UNAVAILABLE, refusal.code());
        assertTrue(refusal.getMessage().contains(reason), refusal.getMessage());
    }

    @Test
    void nothingIsDecidedUntilEveryConfiguredRuleIsThere() {
        rules.add(rule("a", "fake:*"));
        refused("The rule b is being read");
        RouteRule second = rule("b", "fake:main");
        rules.add(second);
        assertEquals(2, rules.require(ID).rules().size());
        rules.remove(second); // it is changed
        refused("The rule b is being read");
        configured = Set.of("a");
        assertEquals(1, rules.require(ID).rules().size());
    }

    @Test
    void ruleThatIsRefusedHoldsTheOthersUpForAWhileOnly() {
        rules.add(rule("a", "fake:*"));
        refused("The rule b is being read");
        clock.advance(RouteRules.PATIENCE_MILLIS);
        assertEquals(1, rules.require(ID).rules().size());
        rules.add(rule("b", "fake:*"));
        assertEquals(2, rules.require(ID).rules().size());
    }

    @Test
    void withoutARuleForTheConnectorNothingIsTaken() {
        configured = Set.of("a");
        rules.add(rule("a", "other:*"));
        refused("No rule is for fake:main");
    }
}
