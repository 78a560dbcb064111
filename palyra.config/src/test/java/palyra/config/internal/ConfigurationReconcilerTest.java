package palyra.config.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ConfigurationReconcilerTest {
    private static final Target TARGET = new Target(Samples.PID, "");
    private final Samples.FakeCatalogue catalogue = new Samples.FakeCatalogue(Samples.schema());
    private final ConfigurationReconciler reconciler =
            new ConfigurationReconciler(source -> Optional.empty());

    private ConfigurationReconciler.Plan plan(Source... sources) {
        return reconciler.plan(List.of(sources), catalogue);
    }

    /** Plans, expects one step, and carries it out. */
    private ConfigurationReconciler.Step step(Source... sources) {
        ConfigurationReconciler.Plan plan = plan(sources);
        assertEquals(1, plan.steps().size(), () -> plan.toString());
        reconciler.done(plan.steps().get(0));
        return plan.steps().get(0);
    }

    private void nothing(Source... sources) {
        ConfigurationReconciler.Plan plan = plan(sources);
        assertTrue(plan.steps().isEmpty(), () -> plan.toString());
    }

    private static Map<String, Object> values(ConfigurationReconciler.Step step) {
        return step.values().orElseThrow();
    }

    @Test
    void mergesTheLayersKeyByKey() {
        Source override = Overrides.parse("palyra.sample:name=three").sources().get(0);
        ConfigurationReconciler.Step step =
                step(
                        override,
                        Samples.operator("{\"port\": 2, \"name\": \"two\"}"),
                        Samples.shipped("{\"port\": 1, \"name\": \"one\", \"enabled\": true}"));
        assertEquals(Map.of("port", 2, "name", "three", "enabled", true), values(step));
        Map<String, ConfigurationReconciler.Setting> settings = reconciler.settings().get(TARGET);
        assertEquals(Layer.OVERRIDE, settings.get("name").from().layer());
        assertEquals(Layer.OPERATOR, settings.get("port").from().layer());
        assertEquals(Layer.SHIPPED, settings.get("enabled").from().layer());
    }

    @Test
    void doesNothingTwice() {
        step(Samples.operator("{\"port\": 2}"));
        nothing(Samples.operator("{\"port\": 2}"));
    }

    @Test
    void offersAgainWhatWasNotCarriedOut() {
        assertEquals(1, plan(Samples.operator("{\"port\": 2}")).steps().size());
        assertEquals(1, plan(Samples.operator("{\"port\": 2}")).steps().size());
    }

    @Test
    void aBadFileKeepsTheLastGoodOneAndACorrectedOneTakesEffect() {
        step(Samples.shipped("{\"name\": \"one\"}"), Samples.operator("{\"port\": 2}"));
        ConfigurationReconciler.Plan bad =
                plan(Samples.shipped("{\"name\": \"one\"}"), Samples.operator("{\"port\": 0}"));
        assertTrue(bad.steps().isEmpty());
        assertEquals(1, bad.problems().size());
        ConfigurationReconciler.Step other =
                step(Samples.shipped("{\"name\": \"new\"}"), Samples.operator("{\"port\": 0}"));
        assertEquals(
                Map.of("name", "new", "port", 2),
                values(other),
                "a good layer changes while the bad one keeps its last good state");
        ConfigurationReconciler.Step cured =
                step(Samples.shipped("{\"name\": \"new\"}"), Samples.operator("{\"port\": 3}"));
        assertEquals(Map.of("name", "new", "port", 3), values(cured));
    }

    @Test
    void aFileThatWasNeverGoodLeavesTheLowerLayersInForce() {
        ConfigurationReconciler.Step step =
                step(Samples.shipped("{\"port\": 1}"), Samples.operator("{\"port\": 0}"));
        assertEquals(Map.of("port", 1), values(step));
    }

    @Test
    void aRemovedFileFallsBackToTheLowerLayers() {
        step(Samples.shipped("{\"port\": 1}"), Samples.operator("{\"port\": 2}"));
        assertEquals(Map.of("port", 1), values(step(Samples.shipped("{\"port\": 1}"))));
        assertEquals(Optional.empty(), step().values());
        nothing();
    }

    @Test
    void whatNoBundleDeclaresWaitsForOne() {
        catalogue.withdraw(Samples.PID);
        ConfigurationReconciler.Plan plan = plan(Samples.operator("{\"port\": 2}"));
        assertTrue(plan.steps().isEmpty());
        assertTrue(plan.problems().get(0).message().contains("no bundle declares PID"));
        catalogue.declare(Samples.schema());
        assertEquals(Map.of("port", 2), values(step(Samples.operator("{\"port\": 2}"))));
    }

    @Test
    void whatIsInForceStaysWhenItsBundleGoes() {
        step(Samples.operator("{\"port\": 2}"));
        catalogue.withdraw(Samples.PID);
        ConfigurationReconciler.Plan plan = plan(Samples.operator("{\"port\": 2}"));
        assertTrue(plan.steps().isEmpty());
        assertEquals(1, plan.problems().size());
        nothing(Samples.operator("{\"port\": 3}"));
        assertEquals(Optional.empty(), step().values(), "removing the file needs no bundle");
    }

    @Test
    void aFileThatANewVersionOfTheBundleRefusesStaysInForce() {
        step(Samples.operator("{\"port\": 2}"));
        catalogue.declare(
                Samples.schema(
                        Samples.PID,
                        false,
                        Samples.bounded("port", AttributeType.INTEGER, "10", "20")));
        ConfigurationReconciler.Plan plan = plan(Samples.operator("{\"port\": 2}"));
        assertTrue(plan.steps().isEmpty());
        assertEquals(1, plan.problems().size());
    }

    @Test
    void whatIsRequiredMayComeFromAnyLayerButMustCome() {
        catalogue.declare(
                Samples.schema(
                        Samples.PID,
                        false,
                        Samples.required("url"),
                        Samples.attribute("name", AttributeType.STRING)));
        ConfigurationReconciler.Plan plan = plan(Samples.operator("{\"name\": \"x\"}"));
        assertTrue(plan.steps().isEmpty());
        assertTrue(plan.problems().get(0).message().contains("'url'"));
        step(Samples.shipped("{\"url\": \"u\"}"), Samples.operator("{\"name\": \"x\"}"));
        nothing(Samples.operator("{\"name\": \"x\"}"));
        assertEquals("u", reconciler.settings().get(TARGET).get("url").value());
    }

    @Test
    void whatAnEarlierStartLeftIsKeptWhileItsFileIsBad() {
        reconciler.inherit(Set.of(TARGET));
        nothing(Samples.shipped("{\"port\": 1}"), Samples.operator("{\"port\": 0}"));
        assertEquals(
                Map.of("port", 5),
                values(step(Samples.shipped("{\"port\": 1}"), Samples.operator("{\"port\": 5}"))));
    }

    @Test
    void whatAnEarlierStartLeftWithoutAFileIsDeleted() {
        reconciler.inherit(Set.of(TARGET));
        assertEquals(Optional.empty(), step().values());
    }

    @Test
    void tellsTheNamesOfTheKeysThatChanged() {
        Change first = step(Samples.operator("{\"port\": 2, \"name\": \"xx\"}")).changes().get(0);
        assertEquals(Set.of("port", "name"), first.keys());
        Source next = Samples.operator("{\"port\": 3, \"name\": \"xx\", \"enabled\": true}");
        Change second = step(next).changes().get(0);
        assertEquals(Set.of("port", "enabled"), second.keys());
        assertEquals(next.sha256(), second.sha256());
        Change third = step().changes().get(0);
        assertTrue(third.removed());
        assertEquals(Set.of("port", "name", "enabled"), third.keys());
    }

    @Test
    void anEmptyObjectIsAConfigurationToo() {
        assertEquals(Map.of(), values(step(Samples.operator("{}"))));
        nothing(Samples.operator("{}"));
    }
}
