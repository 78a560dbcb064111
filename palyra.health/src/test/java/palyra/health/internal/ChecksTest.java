package palyra.health.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.felix.hc.api.HealthCheck;
import org.apache.felix.hc.api.Result;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import palyra.api.core.journal.Journal;
import palyra.api.core.journal.JournalStatus;
import palyra.api.core.keys.Keys;
import palyra.api.core.ops.LoopSource;
import palyra.api.core.ops.LoopView;
import palyra.api.core.ops.Metric;
import palyra.api.core.ops.Readiness;
import palyra.api.model.ModelProvider;

class ChecksTest {
    private static Journal journal(JournalStatus.State state) {
        return Fakes.of(
                Journal.class,
                Map.of("status", arguments -> new JournalStatus(state, "why", 0, 0, 0, 1)));
    }

    private static void assertStatus(Result.Status expected, HealthCheck check) {
        assertEquals(expected, check.execute().getStatus());
    }

    @ParameterizedTest
    @CsvSource({
        "OPEN, OK, OK",
        "READ_ONLY, WARN, CRITICAL",
        "DISK_FULL, WARN, CRITICAL",
        "STOPPED, CRITICAL, CRITICAL",
    })
    void theJournalsStateDecides(
            JournalStatus.State state, Result.Status alive, Result.Status ready) {
        JournalNotStoppedCheck live = new JournalNotStoppedCheck();
        live.bindJournal(journal(state), Map.of());
        assertStatus(alive, live);
        JournalOpenCheck open = new JournalOpenCheck();
        open.bindJournal(journal(state), Map.of());
        assertStatus(ready, open);
    }

    @Test
    void aJournalThatIsAwayIsNotReadyButNoReasonToRestart() {
        Journal journal = journal(JournalStatus.State.OPEN);
        JournalNotStoppedCheck live = new JournalNotStoppedCheck();
        assertStatus(Result.Status.WARN, live);
        JournalOpenCheck open = new JournalOpenCheck();
        assertStatus(Result.Status.TEMPORARILY_UNAVAILABLE, open);
        open.bindJournal(journal, Map.of());
        assertStatus(Result.Status.OK, open);
        open.unbindJournal(journal);
        assertStatus(Result.Status.TEMPORARILY_UNAVAILABLE, open);
    }

    @Test
    void whatIsAwayIsNotReady() {
        KeysCheck keys = new KeysCheck();
        Keys service = Fakes.of(Keys.class, Map.of());
        assertStatus(Result.Status.TEMPORARILY_UNAVAILABLE, keys);
        keys.bindKeys(service);
        assertStatus(Result.Status.OK, keys);
        keys.unbindKeys(service);
        assertStatus(Result.Status.TEMPORARILY_UNAVAILABLE, keys);

        AccessCheck access = new AccessCheck();
        assertStatus(Result.Status.TEMPORARILY_UNAVAILABLE, access);
        access.bindAccess(Fakes.access());
        assertStatus(Result.Status.OK, access);

        GatewayCheck gateway = new GatewayCheck();
        assertStatus(Result.Status.TEMPORARILY_UNAVAILABLE, gateway);
        gateway.bindReadiness(Fakes.of(Readiness.class, Map.of()));
        assertStatus(Result.Status.OK, gateway);
    }

    @Test
    void oneOfTwoModelsIsEnough() {
        ModelCheck check = new ModelCheck();
        ModelProvider one = Fakes.of(ModelProvider.class, Map.of());
        ModelProvider two = Fakes.of(ModelProvider.class, Map.of());
        check.bindModelProvider(one);
        check.bindModelProvider(two);
        check.unbindModelProvider(one);
        assertStatus(Result.Status.OK, check);
        check.unbindModelProvider(two);
        assertStatus(Result.Status.TEMPORARILY_UNAVAILABLE, check);
    }

    @ParameterizedTest
    @CsvSource({
        Bundle.ACTIVE + ", OK",
        Bundle.STARTING + ", OK",
        Bundle.STOPPING + ", CRITICAL",
    })
    void theFrameworkMustNotBeStopping(int state, Result.Status expected) {
        Bundle system = Fakes.of(Bundle.class, Map.of("getState", arguments -> state));
        BundleContext context =
                Fakes.of(BundleContext.class, Map.of("getBundle", arguments -> system));
        assertStatus(expected, new FrameworkCheck(context));
    }

    private static LoopSource loop(String name, boolean essential, LoopView.State state) {
        return () ->
                List.of(
                        new LoopView(
                                name,
                                "test",
                                essential,
                                state,
                                Instant.EPOCH,
                                2,
                                "AssertionError: made up",
                                Instant.EPOCH,
                                1_500));
    }

    @ParameterizedTest
    @CsvSource({
        "RUNNING, true, OK, 1.0",
        "STOPPED, true, OK, 0.0",
        "BACKING_OFF, true, CRITICAL, 0.0",
        "STALLED, true, CRITICAL, 0.0",
        "BACKING_OFF, false, OK, 0.0",
        "STALLED, false, OK, 0.0",
    })
    void anEssentialLoopThatFailsIsNotReadyAndIsNamed(
            LoopView.State state, boolean essential, Result.Status expected, double up) {
        LoopCollector collector = new LoopCollector();
        LoopsCheck check = new LoopsCheck(collector);
        assertStatus(Result.Status.OK, check);
        LoopSource source = loop("palyra-x", essential, state);
        collector.bindLoopSource(source, Map.of());
        Result result = check.execute();
        assertEquals(expected, result.getStatus());
        assertEquals(
                expected != Result.Status.OK,
                result.toString().contains("palyra-x is " + state),
                result::toString);
        assertEquals(
                Map.of(
                        "palyra_loop_up", up,
                        "palyra_loop_restarts_total", 2.0,
                        "palyra_loop_last_beat_seconds", 1.5),
                collector.metrics().stream()
                        .filter(metric -> metric.labels().equals(Map.of("loop", "palyra-x")))
                        .collect(Collectors.toMap(Metric::name, Metric::value)));
        collector.unbindLoopSource(source);
        assertEquals(List.of(), collector.metrics());
    }
}
