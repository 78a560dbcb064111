package palyra.gateway.internal.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Proxy;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.command.ExitCodes;
import palyra.api.core.journal.BudgetAmount;
import palyra.api.core.journal.BudgetRow;
import palyra.api.core.journal.Journal;
import palyra.gateway.internal.settings.Budget;
import palyra.gateway.internal.settings.BudgetComponent;
import palyra.gateway.internal.settings.BudgetConfiguration;
import palyra.gateway.internal.settings.ModelProfileComponent;
import palyra.gateway.internal.settings.ModelProfileConfiguration;
import palyra.gateway.internal.settings.PriceComponent;
import palyra.gateway.internal.settings.PriceConfiguration;
import palyra.gateway.internal.settings.SettingsSeam;
import palyra.shared.gate.Gate;
import palyra.testing.command.FakeCommandContext;

/** What operators see of profiles, prices and budgets. */
class ModelCommandsTest {
    private final SettingsSeam seam = new SettingsSeam();
    private final Gate<Journal> journal =
            new Gate<>("the journal", ErrorCode.JOURNAL_UNAVAILABLE, 0);
    private final CommandServices services =
            new CommandServices(
                    seam,
                    journal,
                    target -> target.provider().equals("openai"),
                    target ->
                            target.provider().equals("openai")
                                    ? Map.of(
                                            "circuit", "open",
                                            "openUntil", "2026-01-01T00:00:30Z",
                                            "failure", "SERVER",
                                            "failedAt", "2026-01-01T00:00:00Z")
                                    : Map.of(),
                    () -> List.of("deterministic", "openai"),
                    "EUR");

    private static <A> A configured(Class<A> type, Map<String, Object> given) {
        return type.cast(
                Proxy.newProxyInstance(
                        type.getClassLoader(),
                        new Class<?>[] {type},
                        (proxy, method, args) ->
                                given.getOrDefault(method.getName(), method.getDefaultValue())));
    }

    private static Map<String, Object> pid(String kind, String name) {
        return Map.of("service.pid", "palyra.gateway." + kind + "~" + name);
    }

    @BeforeEach
    void configure() {
        seam.bindConfigured(
                new ModelProfileComponent(
                        configured(
                                ModelProfileConfiguration.class,
                                Map.of("targets", new String[] {"openai/gpt-4o", "other/x"})),
                        pid("model", "fast")));
        seam.bindConfigured(
                new PriceComponent(
                        configured(
                                PriceConfiguration.class,
                                Map.of(
                                        "provider", "openai",
                                        "inputPerMillion", "2.50",
                                        "outputPerMillion", "10")),
                        pid("price", "openai")));
        seam.bindConfigured(budget("daily", "principal:*"));
    }

    private static BudgetComponent budget(String name, String who) {
        return new BudgetComponent(
                configured(BudgetConfiguration.class, Map.of("who", who, "maxCost", "5.00")),
                pid("budget", name));
    }

    private void spent(String period) {
        BudgetRow row =
                new BudgetRow(
                        1,
                        "daily",
                        "principal:user:anna",
                        period,
                        new BudgetAmount(0, 5_000_000, 0),
                        new BudgetAmount(1_000, 2_500_000, 3),
                        BudgetAmount.NONE,
                        50,
                        System.currentTimeMillis());
        journal.add(
                (Journal)
                        Proxy.newProxyInstance(
                                Journal.class.getClassLoader(),
                                new Class<?>[] {Journal.class},
                                (proxy, method, args) -> List.of(row)),
                Map.of());
    }

    @Test
    void listsTheTargetsOfAProfileInOrderWithPresenceCircuitFailureAndPrice() {
        FakeCommandContext context = FakeCommandContext.builder().build();
        assertEquals(ExitCodes.OK, new ModelsListCommand(services).run(context));
        assertEquals(
                List.of(
                        List.of(
                                "fast",
                                "1",
                                "openai/gpt-4o",
                                "present",
                                "open until 2026-01-01T00:00:30Z",
                                "SERVER at 2026-01-01T00:00:00Z",
                                "any",
                                "default",
                                "2.50, 2.50, 10.00 EUR"),
                        List.of(
                                "fast", "2", "other/x", "absent", "none", "none", "any", "default",
                                "none")),
                context.output().tables().get(0).rows());
    }

    @Test
    void listsBudgetsAndFailsWhenOneCannotBeUsed() {
        FakeCommandContext context = FakeCommandContext.builder().build();
        assertEquals(ExitCodes.OK, new BudgetsListCommand(services).run(context));
        assertEquals(
                List.of(List.of("daily", "principal:*", "day", "5.00 EUR", "in force")),
                context.output().tables().get(0).rows());
        seam.bindConfigured(budget("wrong", "everybody"));
        FakeCommandContext again = FakeCommandContext.builder().build();
        assertEquals(ExitCodes.FAILED, new BudgetsListCommand(services).run(again));
        assertTrue(
                again.output().tables().get(0).rows().get(1).get(4).startsWith("cannot be used"));
    }

    @Test
    void showsABudgetWithItsAccountsOfToday() {
        spent(Budget.day(Instant.now()));
        FakeCommandContext context = FakeCommandContext.builder().positionals("daily").build();
        assertEquals(ExitCodes.OK, new BudgetsShowCommand(services).run(context));
        assertEquals(5_000_000L, context.output().fieldSets().get(0).get("maxCostMicros"));
        List<String> account = context.output().tables().get(0).rows().get(0);
        assertEquals("principal:user:anna", account.get(1));
        assertEquals("1000 tokens, 2.50 EUR, 3 calls", account.get(3));
        assertEquals("50", account.get(6));
    }

    @Test
    void saysWhichBudgetsThereAreNot() {
        FakeCommandContext context = FakeCommandContext.builder().positionals("none").build();
        assertEquals(
                ErrorCode.NOT_FOUND,
                assertThrows(
                                PalyraException.class,
                                () -> new BudgetsShowCommand(services).run(context))
                        .code());
    }
}
