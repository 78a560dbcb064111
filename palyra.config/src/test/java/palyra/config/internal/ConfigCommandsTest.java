package palyra.config.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.command.Command;
import palyra.api.command.ExitCodes;
import palyra.shared.gate.Gate;
import palyra.testing.command.FakeCommandContext;

class ConfigCommandsTest {
    @TempDir Path temp;
    private Path conf;
    private ConfigurationWatcher watcher;
    private final Samples.FakeCatalogue catalogue = new Samples.FakeCatalogue(Samples.schema());

    /** Nothing needs to be installed here. */
    private static final class NoInstallation implements ConfigurationSink {
        @Override
        public Set<Target> managedTargets() {
            return Set.of();
        }

        @Override
        public void put(Target target, Map<String, Object> values) {}

        @Override
        public void delete(Target target) {}
    }

    @BeforeEach
    void start() throws IOException {
        conf = Files.createDirectory(temp.resolve("conf"));
        Files.writeString(
                conf.resolve("palyra.sample.json"),
                "{\"port\": 2, \"token\": \"vault:deep\", \"hosts\": [\"a\", \"b\"]}");
        Files.writeString(conf.resolve("palyra.smaple.json"), "{}");
        watcher =
                new ConfigurationWatcher(
                        List.of(new ConfigurationFolder(Layer.OPERATOR, conf)),
                        Optional.empty(),
                        Overrides.parse("palyra.sample:port=9"),
                        catalogue,
                        new NoInstallation(),
                        new ChangeRecorder(
                                new Gate<>("the journal", ErrorCode.JOURNAL_UNAVAILABLE, 0)),
                        60_000);
        watcher.start();
    }

    @AfterEach
    void end() {
        watcher.stop();
    }

    private static FakeCommandContext given(String... positionals) {
        return FakeCommandContext.builder().positionals(positionals).build();
    }

    private static List<List<String>> rows(FakeCommandContext context) {
        return context.output().tables().get(0).rows();
    }

    private static PalyraException refused(Command command, FakeCommandContext context) {
        return assertThrows(PalyraException.class, () -> command.run(context));
    }

    @Test
    void listShowsWhatIsInForceAndWhatIsNot() throws Exception {
        FakeCommandContext context = given();
        assertEquals(ExitCodes.OK, new ConfigListCommand(watcher).run(context));
        assertEquals(
                List.of(
                        List.of("palyra.sample", "in force", "operator, override"),
                        List.of("palyra.smaple", "not in force", "operator")),
                rows(context));
        assertEquals(1, context.output().notes().size());
    }

    @Test
    void showNamesTheLayerOfEachValueAndHidesSecrets() throws Exception {
        FakeCommandContext context = given(Samples.PID);
        assertEquals(ExitCodes.OK, new ConfigShowCommand(watcher).run(context));
        assertTrue(
                rows(context)
                        .contains(
                                List.of(
                                        "port",
                                        "9",
                                        "override",
                                        "a whole number from 1 to 65535")));
        assertTrue(
                rows(context).stream()
                        .anyMatch(
                                r -> r.subList(0, 3).equals(List.of("hosts", "a, b", "operator"))));
        assertTrue(
                rows(context).stream()
                        .anyMatch(
                                r -> r.subList(0, 3).equals(List.of("mode", "calm", "built-in"))));
        assertFalse(rows(context).toString().contains("deep"));
    }

    @Test
    void showSuggestsWhatWasMeant() {
        PalyraException e = refused(new ConfigShowCommand(watcher), given("palyra.sampel"));
        assertEquals(ErrorCode.NOT_FOUND, e.code());
        assertTrue(e.getMessage().contains("did you mean palyra.sample?"), e.getMessage());
    }

    @Test
    void showLooksAgainBeforeItSaysThatNothingIsCalledSo() throws Exception {
        catalogue.declareUnseen(
                Samples.schema(
                        "palyra.late", false, Samples.attribute("on", AttributeType.BOOLEAN)));
        FakeCommandContext context = given("palyra.late");
        assertEquals(ExitCodes.OK, new ConfigShowCommand(watcher).run(context));
        assertEquals("on", rows(context).get(0).get(0));
    }

    @Test
    void checkAcceptsAGoodFileAndRefusesABadOneWithoutApplyingEither() throws Exception {
        Path good = Files.writeString(temp.resolve("palyra.sample.json"), "{\"port\": 5}");
        Command check = new ConfigCheckCommand(watcher);
        assertEquals(ExitCodes.OK, check.run(given(good.toString())));
        Files.writeString(good, "{\"port\": 0, \"prot\": 1}");
        FakeCommandContext context = given(good.toString());
        assertEquals(ExitCodes.DATA, check.run(context));
        assertEquals(2, context.output().text().lines().count());
        assertEquals(
                9, watcher.view().settings().get(new Target(Samples.PID, "")).get("port").value());
    }

    @Test
    void checkResolvesAgainstTheCallersFolderAndWritesJson() throws Exception {
        Files.writeString(temp.resolve("palyra.sample.json"), "{\"port\": 0}");
        FakeCommandContext context =
                FakeCommandContext.builder()
                        .positionals("palyra.sample.json")
                        .workingFolder(temp.toString())
                        .json()
                        .build();
        assertEquals(ExitCodes.DATA, new ConfigCheckCommand(watcher).run(context));
        assertEquals(false, context.output().fieldSets().get(0).get("acceptable"));
    }

    @Test
    void checkReadsStandardInput() throws Exception {
        FakeCommandContext context =
                FakeCommandContext.builder()
                        .option("pid", Samples.PID)
                        .positionals("-")
                        .in("{\"port\": 5}")
                        .build();
        assertEquals(ExitCodes.OK, new ConfigCheckCommand(watcher).run(context));
        PalyraException e = refused(new ConfigCheckCommand(watcher), given("-"));
        assertTrue(e.getMessage().contains("--pid"), e.getMessage());
    }

    @Test
    void checkDoesNotOpenFilesThatAreNamedAfterNothing() throws IOException {
        Path key = Files.writeString(temp.resolve("boot-keys.json"), "{\"secret\": 1}");
        PalyraException e = refused(new ConfigCheckCommand(watcher), given(key.toString()));
        assertEquals(ErrorCode.NOT_FOUND, e.code());
        assertFalse(e.getMessage().contains("secret"), e.getMessage());
        Path link = Files.createSymbolicLink(temp.resolve("palyra.sample.json"), key);
        PalyraException viaLink = refused(new ConfigCheckCommand(watcher), given(link.toString()));
        assertEquals(ErrorCode.INVALID_ARGUMENT, viaLink.code());
    }
}
