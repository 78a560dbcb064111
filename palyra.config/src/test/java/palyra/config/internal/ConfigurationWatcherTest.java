package palyra.config.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.osgi.service.component.runtime.ServiceComponentRuntime;
import org.osgi.service.component.runtime.dto.ComponentConfigurationDTO;
import org.osgi.service.component.runtime.dto.ComponentDescriptionDTO;
import palyra.api.ErrorCode;
import palyra.api.core.journal.Journal;
import palyra.api.core.ops.Finding;
import palyra.api.core.ops.LoopView;
import palyra.api.core.ops.Metric;
import palyra.api.tape.TapeRecord;
import palyra.shared.gate.Gate;
import palyra.testing.journal.MemoryJournal;

class ConfigurationWatcherTest {
    private static final Target TARGET = new Target(Samples.PID, "");

    @TempDir Path temp;
    private final Samples.FakeCatalogue catalogue = new Samples.FakeCatalogue(Samples.schema());
    private final FakeInstallation installation = new FakeInstallation();
    private final Gate<Journal> gate = new Gate<>("the journal", ErrorCode.JOURNAL_UNAVAILABLE, 0);
    private final ChangeRecorder recorder = new ChangeRecorder(gate);
    private Path shipped;
    private Path operator;
    private ConfigurationWatcher watcher;

    /** Configuration Admin as far as it matters here. */
    static final class FakeInstallation implements ConfigurationSink {
        final Map<Target, Map<String, Object>> installed = new ConcurrentHashMap<>();
        final AtomicInteger failures = new AtomicInteger();

        @Override
        public Set<Target> managedTargets() {
            return Set.copyOf(installed.keySet());
        }

        @Override
        public void put(Target target, Map<String, Object> values) throws IOException {
            if (failures.getAndUpdate(n -> Math.max(0, n - 1)) > 0) {
                throw new IOException("asked to fail");
            }
            installed.put(target, values);
        }

        @Override
        public void delete(Target target) {
            installed.remove(target);
        }
    }

    @BeforeEach
    void prepare() throws IOException {
        shipped = Files.createDirectory(temp.resolve("shipped"));
        operator = Files.createDirectory(temp.resolve("operator"));
    }

    @AfterEach
    void stop() {
        if (watcher != null) {
            watcher.stop();
        }
        assertTrue(
                Thread.getAllStackTraces().keySet().stream()
                        .noneMatch(t -> t.getName().equals(ConfigurationWatcher.THREAD_NAME)));
    }

    private void begin(String overrides) {
        watcher =
                new ConfigurationWatcher(
                        List.of(
                                new ConfigurationFolder(Layer.SHIPPED, shipped),
                                new ConfigurationFolder(
                                        Layer.OPERATOR,
                                        operator,
                                        new LastGood(Optional.of(temp.resolve("kept"))))),
                        Optional.of(temp),
                        Overrides.parse(overrides),
                        catalogue,
                        installation,
                        recorder,
                        10);
        watcher.start();
    }

    private void write(Path folder, String text) throws IOException {
        Path aside = Files.writeString(temp.resolve("aside"), text);
        Files.move(aside, folder.resolve(TARGET.fileName()), StandardCopyOption.REPLACE_EXISTING);
    }

    private Map<String, Object> inForce() {
        return installation.installed.get(TARGET);
    }

    private void until(BooleanSupplier condition) {
        Deadline.within(
                Duration.ofSeconds(10), condition, "still " + inForce() + " " + watcher.view());
    }

    private void untilKept(String text) {
        if (!gate.isPresent()) {
            assertFalse(Files.exists(temp.resolve("kept").resolve(TARGET.fileName())));
            gate.add(new MemoryJournal(), Map.of());
        }
        Path copy = temp.resolve("kept").resolve(TARGET.fileName());
        until(
                () -> {
                    try {
                        return Files.exists(copy) && Files.readString(copy).equals(text);
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                });
    }

    /** A component that fails to start with port 6. */
    private ServiceComponentRuntime runtime() {
        ComponentDescriptionDTO component = new ComponentDescriptionDTO();
        component.name = "sample";
        component.configurationPid = new String[] {Samples.PID};
        return (ServiceComponentRuntime)
                Proxy.newProxyInstance(
                        getClass().getClassLoader(),
                        new Class<?>[] {ServiceComponentRuntime.class},
                        (self, method, arguments) ->
                                switch (method.getName()) {
                                    case "getComponentDescriptionDTOs" -> List.of(component);
                                    case "getComponentConfigurationDTOs" -> List.of(state());
                                    default -> null;
                                });
    }

    private ComponentConfigurationDTO state() {
        ComponentConfigurationDTO state = new ComponentConfigurationDTO();
        boolean refused = inForce() != null && Integer.valueOf(6).equals(inForce().get("port"));
        state.state =
                refused
                        ? ComponentConfigurationDTO.FAILED_ACTIVATION
                        : ComponentConfigurationDTO.ACTIVE;
        state.failure =
                refused ? "X\nCaused by: palyra.api.PalyraException: port is 6\n\tat y" : null;
        state.properties = Map.of();
        return state;
    }

    private List<Finding> findings() {
        return new ConfigurationReport(watcher, recorder::waiting).findings();
    }

    private double metric(String name) {
        return new ConfigurationReport(watcher, recorder::waiting)
                .metrics().stream()
                        .filter(m -> m.name().equals(name))
                        .mapToDouble(Metric::value)
                        .sum();
    }

    @Test
    void everythingIsInForceWhenTheStartReturns() throws IOException {
        write(shipped, "{\"port\": 1, \"name\": \"one\"}");
        write(operator, "{\"port\": 2}");
        begin("palyra.sample:enabled=true");
        assertEquals(Map.of("port", 2, "name", "one", "enabled", true), inForce());
        assertTrue(findings().isEmpty());
        assertEquals(3, metric("palyra_config_sources"));
    }

    @Test
    void aChangedFileTakesEffectABadOneDoesNotAndARemovedOneFallsBack() throws IOException {
        write(shipped, "{\"port\": 1}");
        begin("");
        write(operator, "{\"port\": 2}");
        until(() -> Map.of("port", 2).equals(inForce()));
        write(operator, "{\"port\": \"two\"}");
        until(() -> findings().size() == 1);
        assertEquals(Map.of("port", 2), inForce());
        assertEquals(Finding.Severity.ERROR, findings().get(0).severity());
        assertEquals(1, metric("palyra_config_problems"));
        assertEquals(1, metric("palyra_config_refused_total"));
        write(operator, "{\"port\": 3}");
        until(() -> Map.of("port", 3).equals(inForce()));
        until(() -> findings().isEmpty());
        Files.delete(operator.resolve(TARGET.fileName()));
        until(() -> Map.of("port", 1).equals(inForce()));
        Files.delete(shipped.resolve(TARGET.fileName()));
        until(() -> inForce() == null);
    }

    /**
     * A restart with a broken file must not fall back to defaults, which may delete what is kept.
     */
    @Test
    void aBadFileKeepsWhatWasInForceOverARestart() throws IOException {
        write(operator, "{\"port\": 2}");
        begin("");
        assertEquals(Map.of("port", 2), inForce());
        untilKept("{\"port\": 2}");
        watcher.stop();
        installation.installed.clear();
        write(operator, "{\"port\": 5,}");
        begin("");
        assertEquals(Map.of("port", 2), inForce());
        assertEquals(Finding.Severity.ERROR, findings().get(0).severity());
        write(operator, "{\"port\": 5}");
        until(() -> Map.of("port", 5).equals(inForce()));
        until(() -> findings().isEmpty());
        untilKept("{\"port\": 5}");
        watcher.stop();
        installation.installed.clear();
        write(operator, "{\"port\": \"five\"}");
        begin("");
        assertEquals(Map.of("port", 5), inForce());
        watcher.stop();
        installation.installed.clear();
        Files.delete(operator.resolve(TARGET.fileName()));
        begin("");
        assertNull(inForce());
        write(operator, "{");
        until(() -> findings().size() == 1);
        assertNull(inForce(), "what was removed does not come back");
    }

    @Test
    void whatAComponentRefusesIsNotKeptAndTheLastGoodOneComesBack() throws IOException {
        write(operator, "{\"port\": 2}");
        begin("");
        watcher.outcomes().add(runtime());
        untilKept("{\"port\": 2}");
        write(operator, "{\"port\": 6}");
        until(() -> findings().size() == 1 && Map.of("port", 2).equals(inForce()));
        assertTrue(findings().getFirst().message().endsWith("port is 6."));
        untilKept("{\"port\": 2}");
        watcher.stop();
        installation.installed.clear();
        begin("");
        watcher.outcomes().add(runtime());
        until(() -> findings().size() == 1 && Map.of("port", 2).equals(inForce()));
        write(operator, "{\"port\": 7}");
        until(() -> Map.of("port", 7).equals(inForce()));
        until(() -> findings().isEmpty());
        untilKept("{\"port\": 7}");
    }

    /** What is kept beside is checked like the file: it may be from another version of a bundle. */
    @Test
    void aCopyThatIsRefusedItselfCountsForNothing() throws IOException {
        write(operator, "{\"port\": 2}");
        begin("");
        untilKept("{\"port\": 2}");
        watcher.stop();
        installation.installed.clear();
        write(operator, "{");
        Files.writeString(temp.resolve("kept").resolve(TARGET.fileName()), "{\"port\": true}");
        begin("");
        assertNull(inForce());
        assertEquals(1, findings().size());
    }

    @Test
    void looksOnAfterAnErrorAndSaysThatThereWasOne() throws IOException {
        begin("");
        write(operator, "{\"port\": 2}");
        until(() -> Map.of("port", 2).equals(inForce()));
        assertEquals(0, watcher.loop().restarts());
        AtomicBoolean failing = new AtomicBoolean(true);
        watcher.onDecision(
                () -> {
                    if (failing.getAndSet(false)) {
                        throw new AssertionError("made up");
                    }
                });
        write(operator, "{\"port\": 3}");
        until(() -> watcher.loop().restarts() == 1);
        write(operator, "{\"port\": 4}");
        until(() -> Map.of("port", 4).equals(inForce()));
        assertEquals("AssertionError: made up", watcher.loop().lastFailure());
        assertEquals(
                List.of(ConfigurationWatcher.THREAD_NAME),
                new ConfigurationReport(watcher, recorder::waiting)
                        .loops().stream().map(LoopView::name).toList());
    }

    @Test
    void neverWritesToTheOperatorsFiles() throws IOException {
        write(operator, "{ \"port\":\t2 }\n\n");
        Path file = operator.resolve(TARGET.fileName());
        var before = Files.getLastModifiedTime(file);
        begin("");
        write(shipped, "{\"name\": \"one\"}");
        until(() -> inForce().size() == 2);
        assertEquals("{ \"port\":\t2 }\n\n", Files.readString(file));
        assertEquals(before, Files.getLastModifiedTime(file));
        try (var files = Files.list(operator)) {
            assertEquals(1, files.count());
        }
    }

    @Test
    void whatNoBundleDeclaresIsAppliedWhenOneDoes() throws IOException {
        catalogue.withdraw(Samples.PID);
        write(operator, "{\"port\": 2}");
        begin("");
        assertNull(inForce());
        assertEquals(1, findings().size());
        catalogue.declare(Samples.schema());
        until(() -> Map.of("port", 2).equals(inForce()));
    }

    @Test
    void whatAnEarlierStartLeftWithoutAFileIsGone() throws IOException {
        installation.installed.put(new Target("palyra.old", ""), Map.of());
        installation.installed.put(TARGET, Map.of("port", 1));
        write(operator, "{\"port\": 2}");
        begin("");
        assertEquals(Map.of(TARGET, Map.of("port", 2)), installation.installed);
    }

    @Test
    void triesAgainWhenConfigurationAdminRefuses() throws IOException {
        installation.failures.set(3);
        write(operator, "{\"port\": 2}");
        begin("");
        assertEquals(1, findings().size());
        until(() -> Map.of("port", 2).equals(inForce()));
        until(() -> findings().isEmpty());
    }

    @Test
    void recordsChangesOnceTheJournalArrives() throws IOException {
        MemoryJournal journal = new MemoryJournal();
        write(operator, "{\"port\": 2, \"token\": \"vault:hidden\"}");
        begin("");
        until(() -> recorder.waiting() == 1);
        gate.add(journal, Map.of());
        until(() -> recorder.waiting() == 0);
        List<TapeRecord> events = journal.records(TapeRecord.JOURNAL_STREAM);
        assertEquals(1, events.size());
        String event = new String(events.getFirst().payload(), StandardCharsets.UTF_8);
        assertTrue(event.contains("\"keys\":[\"port\",\"token\"]"), event);
        assertFalse(event.contains("hidden"), event);
    }
}
