package palyra.journal.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.osgi.framework.BundleContext;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.journal.JournalStatus.State;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.Unit;
import palyra.api.core.keys.KeyPurpose;
import palyra.api.core.keys.Keys;
import palyra.api.core.ops.Finding;
import palyra.api.core.ops.Ops;
import palyra.api.run.RunState;
import palyra.api.run.SessionView;
import palyra.journal.internal.database.Sql;
import palyra.testing.journal.MemoryKeys;
import palyra.testing.wait.Await;

/** The store as the framework starts it. */
class ComponentTest {
    @TempDir Path state;

    private BundleContext context(String bootId) {
        Map<String, String> properties =
                Map.of(Ops.STATE_FOLDER, state.toString(), Ops.BOOT_ID, bootId);
        return (BundleContext)
                Proxy.newProxyInstance(
                        getClass().getClassLoader(),
                        new Class<?>[] {BundleContext.class},
                        (self, method, arguments) ->
                                method.getName().equals("getProperty")
                                        ? properties.get(arguments[0])
                                        : null);
    }

    /** The defaults, but for what is given. */
    private static JournalConfig config(Map<String, Object> given) {
        return (JournalConfig)
                Proxy.newProxyInstance(
                        ComponentTest.class.getClassLoader(),
                        new Class<?>[] {JournalConfig.class},
                        (self, method, arguments) ->
                                given.getOrDefault(method.getName(), method.getDefaultValue()));
    }

    private static JournalComponent start(BundleContext context) {
        return new JournalComponent(context, config(Map.of("keys_wait_millis", 200L)));
    }

    private static void begin(JournalComponent journal, String runId) {
        journal.commit(
                Unit.of(
                        new Operation.InsertSession(
                                new SessionView(
                                        "s-" + runId, "", "", "user:a", "", "", "", 0, 0, 0, "")),
                        new Operation.InsertRun(
                                runId,
                                "s-" + runId,
                                "user:a",
                                "",
                                "",
                                "",
                                "",
                                RunState.RUNNING,
                                1)));
    }

    private static Unit end(String runId) {
        return Unit.of(
                TestStore.append(runId, "bye"),
                new Operation.MoveRun(runId, Set.of(RunState.RUNNING), RunState.SUCCEEDED, ""));
    }

    @Test
    void defaultsAreThoseOfTheSettings() {
        assertEquals(
                JournalSettings.under(state, "boot"),
                JournalConfig.Reader.settings(config(Map.of()), state, "boot"));
    }

    @Test
    void settingsOutOfRangeAreNamed() {
        PalyraException refused =
                assertThrows(
                        PalyraException.class,
                        () ->
                                JournalConfig.Reader.settings(
                                        config(Map.of("read_threads", 0)), state, "boot"));
        assertEquals(ErrorCode.INVALID_ARGUMENT, refused.code());
        assertTrue(refused.getMessage().contains("read.threads"), refused.getMessage());
        assertTrue(refused.getMessage().contains("1 to 64"), refused.getMessage());
    }

    @Test
    void clockThatWentBackBetweenTwoStartsIsAFinding() throws Exception {
        JournalComponent journal = start(context("boot-1"));
        begin(journal, "run");
        assertEquals(List.of(), journal.findings());
        journal.deactivate();
        try (Sql sql = TestStore.direct(state.resolve("journal"))) {
            sql.update("UPDATE meta SET value = value + 3600000 WHERE name = 'wall_millis'");
        }
        JournalComponent again = start(context("boot-2"));
        Finding found =
                Await.value(
                        "the finding",
                        () ->
                                again.findings().stream()
                                        .filter(one -> one.area().equals("clock"))
                                        .findFirst());
        assertEquals(Finding.Severity.WARNING, found.severity());
        assertTrue(found.message().contains("back while the journal was closed"), found.message());
        again.deactivate();
    }

    @Test
    void keepsItsStateUnderTheStateFolder() {
        JournalComponent journal = start(context("boot-1"));
        begin(journal, "run");
        journal.modified(config(Map.of("read_threads", 2)));
        assertEquals(List.of(), journal.findings());
        journal.deactivate();
        assertTrue(Files.exists(state.resolve("journal/journal.db")));
        JournalComponent again = start(context("boot-1"));
        assertEquals(RunState.RUNNING, again.run("run").orElseThrow().state());
        again.deactivate();
    }

    @Test
    void leaseOfTheStartBeforeIsFree() {
        JournalComponent journal = start(context("boot-1"));
        journal.takeLease("engine", "boot-1/gateway", 600_000);
        journal.deactivate();
        JournalComponent swapped = start(context("boot-1"));
        assertThrows(
                PalyraException.class, () -> swapped.takeLease("engine", "boot-1/other", 600_000));
        swapped.deactivate();
        JournalComponent restarted = start(context("boot-2"));
        assertEquals(2, restarted.takeLease("engine", "boot-2/gateway", 600_000).epoch());
        restarted.deactivate();
    }

    @Test
    void runEndsOnlyWhileTheKeyStoreIsThere() {
        JournalComponent journal = start(context("boot-1"));
        begin(journal, "run");
        PalyraException refused =
                assertThrows(PalyraException.class, () -> journal.commit(end("run")));
        assertEquals(ErrorCode.KEYS_UNAVAILABLE, refused.code());
        assertEquals(RunState.RUNNING, journal.run("run").orElseThrow().state());
        assertEquals(0, journal.headSeq("run"));
        Keys keys = new MemoryKeys();
        journal.bindKeys(keys, Map.of());
        journal.commit(end("run"));
        assertTrue(journal.verifyStream("run", () -> false).intact());
        journal.unbindKeys(keys);
        assertThrows(PalyraException.class, () -> journal.verifyStream("run", () -> false));
        journal.deactivate();
    }

    @Test
    void endOfARunWaitsForTheKeyStoreToComeBack() throws Exception {
        JournalComponent journal = new JournalComponent(context("boot-1"), config(Map.of()));
        begin(journal, "run");
        CompletableFuture<?> ended = journal.submit(end("run")).toCompletableFuture();
        Await.until(
                "the writer to wait",
                () ->
                        journal.metrics().stream()
                                .filter(m -> m.name().equals("palyra_journal_queue_depth"))
                                .allMatch(m -> m.value() == 0));
        journal.bindKeys(new MemoryKeys(), Map.of());
        ended.get(10, TimeUnit.SECONDS);
        assertEquals(RunState.SUCCEEDED, journal.run("run").orElseThrow().state());
        journal.deactivate();
    }

    @Test
    void keyStoreThatFailsRefusesTheUnitAlone() {
        JournalComponent journal = start(context("boot-1"));
        Keys broken =
                (Keys)
                        Proxy.newProxyInstance(
                                getClass().getClassLoader(),
                                new Class<?>[] {Keys.class},
                                (self, method, arguments) -> {
                                    if (method.getName().equals("sign")) {
                                        assertEquals(KeyPurpose.TAPE_HEAD, arguments[0]);
                                        throw new IllegalStateException("broken");
                                    }
                                    return null;
                                });
        journal.bindKeys(broken, Map.of());
        begin(journal, "run");
        PalyraException refused =
                assertThrows(PalyraException.class, () -> journal.commit(end("run")));
        assertEquals(ErrorCode.INTERNAL, refused.code());
        assertEquals(State.OPEN, journal.status().state());
        assertEquals(0, journal.headSeq("run"));
        journal.deactivate();
    }

    @Test
    void stoppedStoreIsAFindingForTheDoctor() throws Exception {
        Files.createDirectories(state.resolve("journal"));
        Files.write(state.resolve("journal/journal.db"), new byte[10_000]);
        JournalComponent journal = start(context("boot-1"));
        Await.until("the store to stop", () -> !journal.findings().isEmpty());
        journal.awaitOpening();
        Finding finding = journal.findings().getFirst();
        assertEquals(Finding.Severity.ERROR, finding.severity());
        assertTrue(finding.message().contains("STOPPED"), finding.message());
        journal.deactivate();
    }

    @Test
    void withoutAStateFolderItDoesNotStart() {
        BundleContext bare =
                (BundleContext)
                        Proxy.newProxyInstance(
                                getClass().getClassLoader(),
                                new Class<?>[] {BundleContext.class},
                                (self, method, arguments) -> null);
        PalyraException refused = assertThrows(PalyraException.class, () -> start(bare));
        assertTrue(refused.getMessage().contains(Ops.STATE_FOLDER));
    }
}
