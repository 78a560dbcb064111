package palyra.gateway.internal.settings;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import palyra.api.PalyraException;
import palyra.api.core.journal.BudgetAmount;
import palyra.api.model.ModelCaller;

/** What operators configure about models. */
class SettingsTest {
    private static final ModelCaller ANNA =
            new ModelCaller("user:anna", Set.of(), "helper", "s", "discord:42");

    @Test
    void readsTargetsOfWhichTheModelMayHaveSlashes() {
        assertEquals(
                new ModelTarget("openai", "gpt-4o-mini"), ModelTarget.parse("openai/gpt-4o-mini"));
        assertEquals(
                new ModelTarget("router", "meta/llama"), ModelTarget.parse("router/meta/llama"));
        assertEquals(new ModelTarget("deterministic", ""), ModelTarget.parse("deterministic"));
        assertThrows(PalyraException.class, () -> ModelTarget.parse("/x"));
        assertThrows(PalyraException.class, () -> ModelTarget.parse("a b/x"));
    }

    @Test
    void refusesProfilesThatCannotBeMeant() {
        ModelTarget target = ModelTarget.parse("a/b");
        assertThrows(PalyraException.class, () -> new ModelProfile("p", List.of(), 0, 0, Map.of()));
        assertThrows(
                PalyraException.class,
                () -> new ModelProfile("p", List.of(target, target), 0, 0, Map.of()));
        assertThrows(
                PalyraException.class,
                () -> new ModelProfile("p", List.of(target), 100, 100, Map.of()));
        assertThrows(PalyraException.class, () -> ModelProfile.options("temperature"));
        assertThrows(PalyraException.class, () -> ModelProfile.options("a=1", "a=2"));
        assertEquals(Map.of("a", "b=c"), ModelProfile.options("a=b=c"));
    }

    @Test
    void countsMoneyInMillionthsRoundedUpAndNeverOverflows() {
        Price price = new Price("p", "openai", "gpt-*", 150_000, 75_000, 600_000);
        assertEquals(1, price.cost(1, 0, 0), "what is below a millionth is one");
        assertEquals(150_000 + 600_000, price.cost(1_000_000, 0, 1_000_000));
        assertEquals(75_000, price.cost(1_000_000, 1_000_000, 0));
        assertEquals(75_000, price.cost(1_000_000, 5_000_000, 0), "cached is part of the input");
        assertEquals(
                Long.MAX_VALUE,
                new Price("p", "x", "*", Long.MAX_VALUE, 0, 0).cost(Long.MAX_VALUE, 0, 0));
        assertEquals(2_500_000, Money.micros("cost", "2.50"));
        assertEquals(1, Money.micros("cost", "0.0000001"));
        assertThrows(PalyraException.class, () -> Money.micros("cost", "-1"));
        assertThrows(PalyraException.class, () -> Money.micros("cost", "1e9"));
        assertEquals("2.50", Money.text(2_500_000));
        assertEquals("0.000001", Money.text(1));
        assertEquals("10.00", Money.text(10_000_000));
    }

    @Test
    void mostExactPriceWins() {
        Price any = new Price("any", "openai", "*", 1, 1, 1);
        Price exact = new Price("exact", "openai", "gpt-4o*", 2, 2, 2);
        ModelSettings settings = ModelSettings.of(List.of(any, exact));
        assertEquals("exact", settings.price(ModelTarget.parse("openai/gpt-4o-mini")).get().name());
        assertEquals("any", settings.price(ModelTarget.parse("openai/o3")).get().name());
        assertEquals(Optional.empty(), settings.price(ModelTarget.parse("other/o3")));
    }

    @Test
    void budgetKnowsWhoseAccountACallIsCountedIn() {
        assertEquals(Optional.of("principal:user:anna"), budget("principal:*").subject(ANNA));
        assertEquals(Optional.of("agent:helper"), budget("agent:helper").subject(ANNA));
        assertEquals(Optional.of("channel:discord:42"), budget("channel:discord:*").subject(ANNA));
        assertEquals(Optional.of("all"), budget("all").subject(ANNA));
        assertEquals(Optional.empty(), budget("principal:user:bob").subject(ANNA));
        assertEquals(Optional.empty(), budget("channel:*").subject(ModelCaller.UNKNOWN));
        assertThrows(PalyraException.class, () -> budget("anybody"));
        assertThrows(
                PalyraException.class,
                () -> new Budget("b", "all", Budget.Per.DAY, BudgetAmount.NONE));
    }

    private static Budget budget(String who) {
        return new Budget("b", who, Budget.Per.DAY, new BudgetAmount(1, 0, 0));
    }

    @Test
    void starStandsForAnyText() {
        assertTrue(Glob.fits("*", ""));
        assertTrue(Glob.fits("a*c*e", "abcde"));
        assertTrue(Glob.fits("*mini", "gpt-4o-mini"));
        assertFalse(Glob.fits("a*c", "abcd"));
        assertFalse(Glob.fits("", "a"));
        assertFalse(Glob.fits("a*a", "a"));
        assertTrue(Glob.fits("*a*a*a*b", "a".repeat(5_000) + "b"));
    }

    @Test
    void fileThatCannotBeUsedIsNeverTakenForNoFile() {
        SettingsSeam seam = new SettingsSeam();
        BudgetComponent component =
                new BudgetComponent(
                        configured(Map.of("who", "everybody")),
                        Map.of("service.pid", "palyra.gateway.budget~daily"));
        seam.bindConfigured(component);
        assertEquals("daily", seam.now().broken().get(0).name());
        component.modified(
                configured(Map.of("who", "all", "maxCost", "5.00")),
                Map.of("service.pid", "palyra.gateway.budget~daily"));
        assertEquals(5_000_000, seam.now().budgets().get(0).cap().costMicros());
        seam.unbindConfigured(component);
        assertEquals(ModelSettings.NONE, seam.now());
    }

    private static BudgetConfiguration configured(Map<String, Object> given) {
        return BudgetConfiguration.class.cast(
                Proxy.newProxyInstance(
                        BudgetConfiguration.class.getClassLoader(),
                        new Class<?>[] {BudgetConfiguration.class},
                        (proxy, method, args) ->
                                given.getOrDefault(method.getName(), method.getDefaultValue())));
    }
}
