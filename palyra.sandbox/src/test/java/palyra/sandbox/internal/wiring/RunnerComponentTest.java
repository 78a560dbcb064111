package palyra.sandbox.internal.wiring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceRegistration;
import palyra.api.command.Command;
import palyra.api.core.access.Confinement.Tier;
import palyra.api.core.ops.Finding;
import palyra.api.core.ops.FindingSource;
import palyra.api.core.ops.Metric;
import palyra.api.core.ops.MetricSource;
import palyra.api.core.ops.Ops;
import palyra.api.core.sandbox.BackendStatus;
import palyra.api.tool.Tool;
import palyra.sandbox.internal.canary.CanaryJournal;
import palyra.sandbox.internal.process.Configurations;
import palyra.sandbox.internal.run.FakeBackend;
import palyra.testing.journal.MemoryJournal;
import palyra.testing.journal.MemoryKeys;
import palyra.testing.wait.Await;

/** The component with its services, configuration and seams. */
@Timeout(300)
class RunnerComponentTest {
    @TempDir Path folder;
    private final List<Object> registered = new ArrayList<>();
    private final List<Object> described = new ArrayList<>();
    private final MemoryJournal journal = new MemoryJournal();
    private RunnerComponent component;
    private boolean active;

    @BeforeEach
    void open() {
        component = new RunnerComponent(context(), Configurations.of(Map.of()));
        component.bindJournal(journal, Map.of());
        component.bindKeys(new MemoryKeys(), Map.of());
        component.activate();
        component.bindReadiness(() -> 1); // the gateway is up
        active = true;
    }

    @AfterEach
    void close() {
        if (active) {
            component.deactivate();
        }
    }

    private BundleContext context() {
        return (BundleContext)
                Proxy.newProxyInstance(
                        RunnerComponentTest.class.getClassLoader(),
                        new Class<?>[] {BundleContext.class},
                        (proxy, method, arguments) ->
                                switch (method.getName()) {
                                    case "getProperty" ->
                                            arguments[0].equals(Ops.STATE_FOLDER)
                                                    ? folder.resolve("state").toString()
                                                    : null;
                                    case "registerService" -> registration(arguments[1]);
                                    default ->
                                            throw new UnsupportedOperationException(
                                                    method.getName());
                                });
    }

    private ServiceRegistration<?> registration(Object service) {
        registered.add(service);
        return (ServiceRegistration<?>)
                Proxy.newProxyInstance(
                        RunnerComponentTest.class.getClassLoader(),
                        new Class<?>[] {ServiceRegistration.class},
                        (proxy, method, arguments) -> {
                            switch (method.getName()) {
                                case "unregister" -> registered.remove(service);
                                case "setProperties" -> described.add(service);
                                default ->
                                        throw new UnsupportedOperationException(method.getName());
                            }
                            return null;
                        });
    }

    private <T> List<T> services(Class<T> type) {
        return registered.stream().filter(type::isInstance).map(type::cast).toList();
    }

    /** What reads descriptions is told that they may have changed. */
    @Test
    void aChangedConfigurationChangesThePropertiesOfEachTool() {
        component.modified(Configurations.of(Map.of()));
        assertEquals(services(Tool.class), described);
    }

    @Test
    void offersToolsCommandsFindingsAndMetricsAndTakesThemBack() {
        assertEquals(
                new TreeSet<>(
                        Set.of(
                                "palyra.fs.apply_patch",
                                "palyra.fs.edit_file",
                                "palyra.fs.list_dir",
                                "palyra.fs.read_file",
                                "palyra.fs.search",
                                "palyra.fs.write_file",
                                "palyra.process.run",
                                "palyra.process.start",
                                "palyra.process.status",
                                "palyra.process.stop",
                                "palyra.process.shell")),
                services(Tool.class).stream()
                        .map(tool -> tool.descriptor().name())
                        .collect(Collectors.toCollection(TreeSet::new)));
        assertEquals(4, services(Command.class).size());
        assertEquals(1, services(FindingSource.class).size());
        assertEquals(1, services(MetricSource.class).size());
        component.deactivate();
        active = false;
        assertEquals(List.of(), registered);
        Await.until(
                "threads to end",
                Duration.ofSeconds(30),
                () ->
                        Thread.getAllStackTraces().keySet().stream()
                                .noneMatch(
                                        thread -> thread.getName().startsWith("palyra-sandbox-")));
    }

    private List<Finding> findings() {
        return services(FindingSource.class).get(0).findings();
    }

    private boolean found(Finding.Severity severity, String part) {
        return findings().stream()
                .anyMatch(one -> one.severity() == severity && one.message().contains(part));
    }

    @Test
    void doctorHearsOfAbsentRefusingAndFailingSandboxes() {
        assertTrue(found(Finding.Severity.WARNING, "no sandbox of tier C"));
        FakeBackend backend = new FakeBackend(Tier.C, folder);
        backend.status = BackendStatus.refusing("bwrap is missing.", "Install it.", Map.of());
        component.bindBackend(backend, Map.of());
        assertFalse(found(Finding.Severity.WARNING, "no sandbox of tier C"));
        assertFalse(found(Finding.Severity.ERROR, "is stopped"), "it says itself why it refuses");
        backend.status = BackendStatus.ready(Map.of(), "f");
        Await.until(
                "the test", // it confines nothing
                Duration.ofSeconds(120),
                () -> found(Finding.Severity.ERROR, "is stopped"));
        assertEquals(Finding.Severity.ERROR, findings().get(0).severity(), "worst first");
        List<Metric> metrics = services(MetricSource.class).get(0).metrics();
        assertTrue(
                metrics.stream()
                        .anyMatch(
                                metric ->
                                        metric.name().equals("palyra_sandbox_proven")
                                                && metric.value() == 0));
        assertTrue(metrics.stream().anyMatch(one -> one.name().equals("palyra_sandbox_sessions")));
        component.unbindBackend(backend);
        assertTrue(found(Finding.Severity.WARNING, "no sandbox of tier C"));
    }

    @Test
    void changedConfigurationCountsAndOneThatIsNoGoodDoesNot() {
        component.modified(
                Configurations.of(
                        Map.of(
                                "permitMissing",
                                new String[] {"cgroup", "landlock"},
                                "allowInterpreters",
                                true)));
        assertTrue(found(Finding.Severity.WARNING, "without landlock"));
        assertTrue(found(Finding.Severity.INFO, "Interpreters"));
        assertThrows(
                RuntimeException.class,
                () -> component.modified(Configurations.of(Map.of("maxRunning", 0))));
        assertTrue(found(Finding.Severity.WARNING, "without landlock"));
    }

    @Test
    void sandboxIsTestedAsSoonAsItAppears() {
        FakeBackend backend = new FakeBackend(Tier.B, folder);
        component.bindBackend(backend, Map.of());
        Await.until(
                "the record",
                Duration.ofSeconds(120),
                () -> !journal.events(CanaryJournal.TYPE).isEmpty());
        component.unbindBackend(backend);
    }

    /** As when a changed file was refused: commands go on, and nothing is tested again. */
    @Test
    void configurationThatSaysTheSameDisturbsNothing() {
        FakeBackend backend = new FakeBackend(Tier.B, folder);
        component.bindBackend(backend, Map.of());
        Await.until(
                "the record",
                Duration.ofSeconds(120),
                () -> !journal.events(CanaryJournal.TYPE).isEmpty() && !isBeingTested());
        component.modified(Configurations.of(Map.of()));
        assertFalse(isBeingTested());
        component.modified(Configurations.of(Map.of("maxRunning", 5)));
        assertTrue(isBeingTested());
        component.unbindBackend(backend);
    }

    private boolean isBeingTested() {
        return services(FindingSource.class).getFirst().findings().stream()
                .anyMatch(finding -> finding.message().contains("being tested"));
    }
}
