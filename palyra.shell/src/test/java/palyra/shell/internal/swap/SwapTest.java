package palyra.shell.internal.swap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.osgi.framework.Bundle;
import org.osgi.framework.PrototypeServiceFactory;
import org.osgi.framework.ServiceRegistration;
import org.osgi.framework.wiring.BundleRevision;
import org.osgi.framework.wiring.BundleWiring;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.command.ExitCodes;
import palyra.api.core.journal.Committed;
import palyra.api.core.journal.Journal;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.Unit;
import palyra.shared.bundles.LifecycleLock;
import palyra.shell.internal.fakes.FrameworkFixture;
import palyra.shell.internal.fakes.FrameworkFixture.Jar;
import palyra.shell.internal.fakes.Partial;
import palyra.shell.internal.fakes.ShellAccess;
import palyra.shell.internal.fakes.parts.Brooder;
import palyra.shell.internal.fakes.parts.Greeter;
import palyra.shell.internal.fakes.parts.Listener;
import palyra.shell.internal.fakes.parts.Sulker;
import palyra.shell.internal.host.Seams;
import palyra.testing.access.FakeAccess;
import palyra.testing.command.FakeCommandContext;
import palyra.testing.wait.Await;

@SuppressWarnings({"unused", "EffectivelyPrivate"}) // methods of partial services
@Timeout(120)
class SwapTest {
    private static final String NAME = "test.greeter";
    private static final String SERVICE =
            "<service><provide interface=\"java.util.function.Supplier\"/></service>"
                    + "<property name=\"kind\" value=\"greeting\"/>";

    @TempDir Path folder;
    private final FakeAccess access = ShellAccess.create();
    private final Seams seams = ShellAccess.seams(access);
    private final List<JsonNode> events = new CopyOnWriteArrayList<>();
    private final Journal journal =
            Partial.of(
                    Journal.class,
                    new Object() {
                        public Committed commit(Unit unit) throws IOException {
                            assertTrue(unit.idempotencyKey().isPresent());
                            for (Operation operation : unit.operations()) {
                                Operation.Append append = (Operation.Append) operation;
                                assertEquals("bundle_swap", append.type());
                                events.add(new ObjectMapper().readTree(append.payload()));
                            }
                            return new Committed(false, null, List.of());
                        }
                    });
    private FrameworkFixture framework;
    private Swapper swapper;

    @BeforeEach
    void start() throws Exception {
        Files.createDirectories(folder.resolve("state"));
        framework = new FrameworkFixture(folder);
        seams.journal().add(journal, Map.of());
        swapper = new Swapper(seams, framework.runtime(), framework.context());
    }

    @AfterEach
    void stop() throws Exception {
        swapper.deactivate();
        framework.close();
    }

    private static Jar greeter(String version) {
        return new Jar(NAME, version).component(Greeter.class, SERVICE);
    }

    private FakeCommandContext context(Jar jar, String... flags) {
        FakeCommandContext.Builder builder =
                FakeCommandContext.builder()
                        .positionals(NAME, "-")
                        .option("timeout", "2")
                        .in(new ByteArrayInputStream(jar.bytes()));
        for (String flag : flags) {
            builder.flag(flag);
        }
        return builder.build();
    }

    private int swap(FakeCommandContext context) throws Exception {
        return context.run(new SwapCommand(swapper));
    }

    private Bundle bundle() {
        return Arrays.stream(framework.context().getBundles())
                .filter(each -> NAME.equals(each.getSymbolicName()))
                .findFirst()
                .orElseThrow();
    }

    private String greeting() {
        return framework
                .context()
                .getService(framework.context().getServiceReference(Supplier.class))
                .get()
                .toString();
    }

    private JsonNode event() {
        Await.until("the outcome in the journal", () -> !events.isEmpty());
        return events.get(events.size() - 1);
    }

    @Test
    void putsTheNewContentInAndRecordsIt() throws Exception {
        framework.start(greeter("1.0.0"));
        FakeCommandContext context = context(greeter("1.1.0"));
        assertEquals(ExitCodes.OK, swap(context), context.output().notes().toString());
        assertEquals("1.1.0", bundle().getVersion().toString());
        assertEquals(Bundle.ACTIVE, bundle().getState());
        assertEquals("hello", greeting());
        assertEquals(List.of("bundle.swap"), access.recordedActions());
        assertEquals("SUCCEEDED", event().get("outcome").asText());
        assertEquals("1.0.0", event().get("fromVersion").asText());
        assertTrue(context.output().text().contains("1 of its components restarts,"));
        String operation = event().get("operationId").asText();
        Path own = folder.resolve("state/swap").resolve(operation);
        Await.until("the new jar to be gone", () -> !Files.exists(own.resolve("new.jar")));
        assertTrue(Files.exists(own.resolve("old.jar")), "the way back is kept");
        FakeCommandContext status = FakeCommandContext.builder().positionals(operation).build();
        assertEquals(ExitCodes.OK, status.run(new SwapStatusCommand(swapper)));
        assertEquals("SUCCEEDED", status.output().fieldSets().get(0).get("outcome"));
    }

    private FakeCommandContext back(String... flags) {
        FakeCommandContext.Builder builder =
                FakeCommandContext.builder().positionals(NAME).option("timeout", "2");
        for (String flag : flags) {
            builder.flag(flag);
        }
        return builder.build();
    }

    @Test
    void takesASwapBackAndThatBackAgain() throws Exception {
        framework.start(greeter("1.0.0"));
        swap(context(greeter("1.1.0")));
        FakeCommandContext first = back();
        assertEquals(ExitCodes.OK, first.run(new SwapBackCommand(swapper)));
        assertEquals("1.0.0", bundle().getVersion().toString());
        assertEquals("hello", greeting());
        FakeCommandContext again = back();
        assertEquals(ExitCodes.OK, again.run(new SwapBackCommand(swapper)));
        assertEquals("1.1.0", bundle().getVersion().toString());
        assertEquals(
                List.of("bundle.swap", "bundle.swap", "bundle.swap"), access.recordedActions());
    }

    /** As a full disk leaves it, and for a moment any disk. */
    @Test
    void takesASwapBackWhoseEndIsNotOnDisk() throws Exception {
        framework.start(greeter("1.0.0"));
        swap(context(greeter("1.1.0")));
        assertEquals(ExitCodes.OK, back().run(new SwapBackCommand(swapper)));
        String last = swapper.operations().get(0).operationId();
        Path record = folder.resolve("state/swap").resolve(last).resolve("operation.properties");
        Await.until("its end", () -> says(record, "SUCCEEDED"));
        Files.writeString(record, Files.readString(record).replace("SUCCEEDED", "WAITING"));
        assertEquals(ExitCodes.OK, back().run(new SwapBackCommand(swapper)));
        assertEquals("1.1.0", bundle().getVersion().toString());
    }

    private static boolean says(Path file, String words) {
        try {
            return Files.readString(file).contains(words);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void takesOnlyThatSwapBackWhichWasLookedAt() throws Exception {
        framework.start(greeter("1.0.0"));
        swap(context(greeter("1.1.0")));
        String looked = event().get("operationId").asText();
        swap(context(greeter("1.2.0")));
        String last = swapper.operations().get(0).operationId();
        FakeCommandContext late = backOf(looked);
        assertEquals(ExitCodes.of(ErrorCode.CONFLICT), late.run(new SwapBackCommand(swapper)));
        String said = late.output().notes().toString();
        assertTrue(said.contains(last + ", from 1.1.0 to 1.2.0"), said);
        assertEquals("1.2.0", bundle().getVersion().toString());
        assertEquals(ExitCodes.OK, backOf(last).run(new SwapBackCommand(swapper)));
        assertEquals("1.1.0", bundle().getVersion().toString());
    }

    private static FakeCommandContext backOf(String operation) {
        return FakeCommandContext.builder()
                .positionals(NAME)
                .option("timeout", "2")
                .option("of", operation)
                .build();
    }

    @Test
    void putsNothingBackThatIsNotWhatWasReplaced() throws Exception {
        framework.start(greeter("1.0.0"));
        swap(context(greeter("1.1.0")));
        String operation = event().get("operationId").asText();
        Path old = folder.resolve("state/swap").resolve(operation).resolve("old.jar");
        Files.write(old, greeter("6.6.6").bytes());
        FakeCommandContext changed = back();
        assertEquals(ExitCodes.of(ErrorCode.CORRUPT), changed.run(new SwapBackCommand(swapper)));
        assertEquals("1.1.0", bundle().getVersion().toString());
        Files.delete(old);
        FakeCommandContext gone = back();
        assertEquals(ExitCodes.of(ErrorCode.NOT_FOUND), gone.run(new SwapBackCommand(swapper)));
    }

    @Test
    void hasNothingToPutBackBeforeASwapSucceeded() throws Exception {
        framework.start(greeter("1.0.0"));
        FakeCommandContext none = back();
        assertEquals(ExitCodes.of(ErrorCode.NOT_FOUND), none.run(new SwapBackCommand(swapper)));
        String said = none.output().notes().toString();
        assertTrue(said.contains("palyra bundle update " + NAME), said);
    }

    @Test
    void refusesAnotherJarThanTheOneThatWasLookedAt() throws Exception {
        framework.start(greeter("1.0.0"));
        FakeCommandContext other =
                FakeCommandContext.builder()
                        .positionals(NAME, "-")
                        .option("sha256", "0".repeat(64))
                        .in(new ByteArrayInputStream(greeter("1.1.0").bytes()))
                        .build();
        assertEquals(ExitCodes.of(ErrorCode.CONFLICT), swap(other));
        assertEquals("1.0.0", bundle().getVersion().toString());
        assertEquals(List.of(), access.recordedActions());
        assertEquals(List.of(), swapper.operations());
    }

    @Test
    void doesNotWaitWhenAskedNotTo() throws Exception {
        framework.start(greeter("1.0.0"));
        FakeCommandContext context = context(greeter("1.1.0"), "no-wait");
        assertEquals(ExitCodes.OK, swap(context));
        assertTrue(context.output().notes().toString().contains("palyra swap status"));
        assertEquals("SUCCEEDED", event().get("outcome").asText());
    }

    private void rollsBack(Jar bad, String because) throws Exception {
        FakeCommandContext context = context(bad);
        assertEquals(ExitCodes.FAILED, swap(context), context.output().notes().toString());
        assertTrue(context.output().text().contains(because), context.output().text());
        assertEquals("1.0.0", bundle().getVersion().toString());
        assertEquals(Bundle.ACTIVE, bundle().getState());
        assertEquals("hello", greeting());
        assertEquals("ROLLED_BACK", event().get("outcome").asText());
    }

    @Test
    void undoesASwapWhoseComponentFails() throws Exception {
        framework.start(greeter("1.0.0"));
        rollsBack(new Jar(NAME, "2.0.0").component(Sulker.class, SERVICE), "Sulker");
    }

    @Test
    void namesTheBundleWhenNeitherContentWorks() throws Exception {
        framework.start(new Jar(NAME, "1.0.0").component(Sulker.class, SERVICE));
        FakeCommandContext context =
                context(new Jar(NAME, "2.0.0").component(Sulker.class, SERVICE));
        assertEquals(ExitCodes.FAILED, swap(context), context.output().notes().toString());
        String text = context.output().text();
        assertTrue(text.contains("not today"), text);
        assertTrue(text.contains("Neither content works: see palyra doctor."), text);
        assertEquals("FAILED", event().get("outcome").asText());
    }

    @Test
    void undoesASwapThatOffersLess() throws Exception {
        framework.start(greeter("1.0.0"));
        rollsBack(new Jar(NAME, "2.0.0"), "no longer offers java.util.function.Supplier");
    }

    /**
     * The component runtime offers it for a bundle whose configuration file may be gone by then.
     */
    @Test
    void doesNotMissWhatTookAConfigurationThatIsGone() throws Exception {
        Bundle bundle = framework.start(greeter("1.0.0"));
        bundle.getBundleContext()
                .registerService(
                        "org.osgi.service.cm.ManagedService",
                        new PrototypeServiceFactory<Object>() { // its type is not checked
                            @Override
                            public Object getService(
                                    Bundle user, ServiceRegistration<Object> registration) {
                                return this;
                            }

                            @Override
                            public void ungetService(
                                    Bundle user,
                                    ServiceRegistration<Object> registration,
                                    Object service) {
                                // there is nothing to give back
                            }
                        },
                        null);
        FakeCommandContext context = context(greeter("1.1.0"));
        assertEquals(ExitCodes.OK, swap(context), context.output().text());
        assertEquals("1.1.0", bundle().getVersion().toString());
    }

    @Test
    void undoesASwapWhoseBundleDoesNotStart() throws Exception {
        framework.start(greeter("1.0.0"));
        rollsBack(
                greeter("2.0.0").header("Bundle-Activator", "no.such.Activator"),
                "no.such.Activator");
    }

    @Test
    void undoesASwapWhoseComponentIsNeverMade() throws Exception {
        framework.start(greeter("1.0.0"));
        rollsBack(
                new Jar(NAME, "2.0.0").component(Brooder.class, SERVICE),
                "its start took longer than 2000 ms");
    }

    @Test
    void undoesASwapThatTakesAServiceFromAnotherBundle() throws Exception {
        framework.start(greeter("1.0.0"));
        framework.start(
                new Jar("test.listener", "1.0.0")
                        .component(
                                Listener.class,
                                "<reference name=\"g\" interface=\"java.util.function.Supplier\""
                                        + " bind=\"bind\" target=\"(kind=greeting)\"/>"));
        Jar other =
                new Jar(NAME, "2.0.0")
                        .component(
                                Greeter.class,
                                SERVICE.replace("value=\"greeting\"", "value=\"farewell\""));
        FakeCommandContext dry = context(other, "dry-run");
        assertEquals(ExitCodes.OK, swap(dry));
        assertTrue(dry.output().text().contains("Listener of test.listener"));
        rollsBack(other, "Listener of test.listener waits for a service");
    }

    @Test
    void goesBackToWhatWasThereAndNotToWhatWasInstalledFirst() throws Exception {
        framework.start(greeter("0.9.0"));
        assertEquals(ExitCodes.OK, swap(context(greeter("1.0.0"))));
        assertEquals("SUCCEEDED", event().get("outcome").asText());
        events.clear(); // which is written after the command has ended
        rollsBack(new Jar(NAME, "2.0.0"), "no longer offers");
    }

    @Test
    void changesNothingWhenOnlyChecking() throws Exception {
        Bundle bundle = framework.start(greeter("1.0.0"));
        long before = bundle.getLastModified();
        FakeCommandContext context = context(greeter("1.1.0"), "dry-run");
        assertEquals(ExitCodes.OK, swap(context));
        assertEquals("1.0.0", bundle().getVersion().toString());
        assertEquals(before, bundle().getLastModified());
        assertEquals(List.of(), access.recordedActions());
        assertEquals(0, folder.resolve("state/swap").toFile().list().length);
    }

    @Test
    void refusesJarsThatCannotTakeThePlace() throws Exception {
        framework.start(greeter("1.0.0"));
        int bundles = framework.context().getBundles().length;
        Map<String, Jar> bad =
                Map.of(
                        "not test.greeter", new Jar("test.other", "1.0.0"),
                        "no.such.pkg", greeter("2.0.0").header("Import-Package", "no.such.pkg"),
                        "another platform",
                                greeter("2.0.0")
                                        .header(
                                                "Require-Capability",
                                                "osgi.native;filter:=\"(osgi.native.osname=plan9)\""),
                        "native code",
                                greeter("2.0.0")
                                        .header("Bundle-NativeCode", "libx.so;osname=Linux"),
                        "no symbolic name", greeter("2.0.0").header("Bundle-ManifestVersion", "1"));
        for (Map.Entry<String, Jar> each : bad.entrySet()) {
            FakeCommandContext context = context(each.getValue());
            assertEquals(ExitCodes.USAGE, swap(context));
            String said = context.output().notes().toString();
            assertTrue(said.contains(each.getKey()), said);
        }
        for (byte[] bytes :
                List.of(
                        new byte[0],
                        new byte[] {1, 2, 3},
                        Arrays.copyOf(greeter("2").bytes(), 300))) {
            FakeCommandContext context =
                    FakeCommandContext.builder()
                            .positionals(NAME, "-")
                            .in(new ByteArrayInputStream(bytes))
                            .build();
            assertEquals(ExitCodes.USAGE, swap(context));
        }
        FakeCommandContext unknown =
                FakeCommandContext.builder().positionals("test.greter", "-").build();
        assertEquals(ExitCodes.NOT_FOUND, swap(unknown));
        assertTrue(unknown.output().notes().toString().contains("did you mean test.greeter?"));
        assertEquals("1.0.0", bundle().getVersion().toString());
        assertEquals(bundles, framework.context().getBundles().length);
        assertEquals(List.of(), access.recordedActions());
        assertEquals(0, folder.resolve("state/swap").toFile().list().length);
    }

    @Test
    void refusesAJarOfWhichOneByteIsWrong() throws Exception {
        framework.start(greeter("1.0.0"));
        byte[] bytes = greeter("2.0.0").entry("data", "x".repeat(5_000)).bytes();
        bytes[bytes.length / 3] ^= 0x55;
        FakeCommandContext context =
                FakeCommandContext.builder()
                        .positionals(NAME, "-")
                        .in(new ByteArrayInputStream(bytes))
                        .build();
        assertEquals(ExitCodes.USAGE, swap(context));
        assertEquals("1.0.0", bundle().getVersion().toString());
    }

    @Test
    void refusesToTakeTheComponentRuntimeAway() throws Exception {
        PalyraException refused =
                assertThrows(
                        PalyraException.class,
                        () ->
                                swapper.plan(
                                        "org.apache.felix.scr",
                                        new ByteArrayInputStream(
                                                new Jar("org.apache.felix.scr", "9").bytes())));
        assertTrue(refused.getMessage().contains("component runtime"), refused.getMessage());
    }

    @Test
    void refusesASingletonWhosePackagesAreInUse() throws Exception {
        Jar once =
                new Jar(NAME, "1.0.0")
                        .header("Bundle-SymbolicName", NAME + "; singleton:=\"true\"")
                        .header("Export-Package", "some.pkg");
        framework.start(once);
        FakeCommandContext context = context(once);
        assertEquals(ExitCodes.USAGE, swap(context));
        assertTrue(context.output().notes().toString().contains("only once"));
    }

    @Test
    void restartsThoseWhoUseThePackagesOfTheBundle() throws Exception {
        framework.start(greeter("1.0.0").header("Export-Package", "some.pkg;version=1.0"));
        Bundle user =
                framework.start(new Jar("test.user", "1.0.0").header("Import-Package", "some.pkg"));
        FakeCommandContext context =
                context(greeter("2.0.0").header("Export-Package", "some.pkg;version=2.0"));
        assertEquals(ExitCodes.OK, swap(context), context.output().notes().toString());
        assertTrue(context.output().text().contains("every bundle that uses them restarts"));
        assertEquals(Bundle.ACTIVE, user.getState());
        assertEquals(
                "2.0.0",
                user.adapt(BundleWiring.class)
                        .getRequiredWires(BundleRevision.PACKAGE_NAMESPACE)
                        .get(0)
                        .getCapability()
                        .getAttributes()
                        .get("version")
                        .toString());
    }

    @Test
    void doesNothingWithoutPermission() throws Exception {
        framework.start(greeter("1.0.0"));
        access.deny("bundle.swap");
        FakeCommandContext context = context(greeter("1.1.0"));
        assertEquals(ExitCodes.DENIED, swap(context));
        assertEquals("1.0.0", bundle().getVersion().toString());
        assertEquals(0, folder.resolve("state/swap").toFile().list().length);
    }

    @Test
    void runsOneSwapAtATime() throws Exception {
        framework.start(greeter("1.0.0"));
        CountDownLatch letGo = new CountDownLatch(1);
        SwapPlan first = swapper.plan(NAME, new ByteArrayInputStream(greeter("1.1.0").bytes()));
        SwapRecord begun = swapper.begin(first, ShellAccess.OPERATOR, 4_000, letGo);
        SwapPlan second = swapper.plan(NAME, new ByteArrayInputStream(greeter("1.2.0").bytes()));
        PalyraException refused =
                assertThrows(
                        PalyraException.class,
                        () ->
                                swapper.begin(
                                        second,
                                        ShellAccess.OPERATOR,
                                        4_000,
                                        new CountDownLatch(0)));
        assertEquals(ErrorCode.CONFLICT, refused.code());
        assertTrue(refused.getMessage().contains(begun.operationId()));
        assertEquals("1.0.0", bundle().getVersion().toString());
        letGo.countDown();
        assertEquals(
                SwapRecord.Phase.SUCCEEDED, swapper.await(begun.operationId(), 20_000).phase());
        assertEquals("1.1.0", bundle().getVersion().toString());
    }

    @Test
    void waitsForAnotherChangeOfBundles() throws Exception {
        framework.start(greeter("1.0.0"));
        LifecycleLock turn = LifecycleLock.take(framework.context(), "another owner").orElseThrow();
        SwapPlan plan = swapper.plan(NAME, new ByteArrayInputStream(greeter("1.1.0").bytes()));
        SwapRecord begun = swapper.begin(plan, ShellAccess.OPERATOR, 4_000, new CountDownLatch(0));
        assertFalse(swapper.await(begun.operationId(), 500).phase().over());
        assertEquals("1.0.0", bundle().getVersion().toString());
        turn.close();
        assertEquals(
                SwapRecord.Phase.SUCCEEDED, swapper.await(begun.operationId(), 30_000).phase());
        assertEquals("1.1.0", bundle().getVersion().toString());
        Await.until("the turn to end", () -> LifecycleLock.owner(framework.context()).isEmpty());
    }

    @Test
    void settlesWhatAnEarlierShellLeft() throws Exception {
        swapper.deactivate();
        SwapFolder left = new SwapFolder(folder.resolve("state"));
        SwapRecord done = record("01J0000000000000000000000A", "this-boot");
        left.create(done.operationId());
        left.write(done.at(SwapRecord.Phase.SUCCEEDED, "", 2_000));
        SwapRecord dead = record("01J0000000000000000000000B", "earlier-boot");
        left.create(dead.operationId());
        left.write(dead.at(SwapRecord.Phase.UPDATING, "", 0));
        seams.journal().remove(journal);
        swapper = new Swapper(seams, framework.runtime(), framework.context());
        // Not while the journal is away, and not lost either.
        assertEquals(List.of(), events);
        seams.journal().add(journal, Map.of());
        Await.until("both outcomes", () -> events.size() == 2);
        List<String> outcomes = events.stream().map(e -> e.get("outcome").asText()).toList();
        assertEquals(List.of("INTERRUPTED", "SUCCEEDED"), outcomes);
        Await.until(
                "both to be marked", () -> left.records().stream().allMatch(SwapRecord::journaled));
        swapper.deactivate();
        swapper = new Swapper(seams, framework.runtime(), framework.context());
        assertEquals(2, events.size());
    }

    private static SwapRecord record(String id, String boot) {
        return new SwapRecord(
                id,
                NAME,
                SwapRecord.Phase.PLANNED,
                "",
                "user:op",
                "p",
                boot,
                "1",
                "2",
                "a",
                "b",
                1_000,
                0,
                false);
    }

    @Test
    void copiesABundleToTheSameBytesEachTime() throws Exception {
        Bundle bundle = framework.start(greeter("1.0.0").entry("a/b/c.txt", "text"));
        Path one = folder.resolve("one.jar");
        Path two = folder.resolve("two.jar");
        BundleCopy.write(bundle, one);
        BundleCopy.write(bundle, two);
        assertEquals(FileDigest.sha256Hex(one), FileDigest.sha256Hex(two));
        Candidate copy = Candidate.read(one);
        assertEquals(NAME, copy.symbolicName());
        assertFalse(copy.manifest().getMainAttributes().isEmpty());
    }
}
