package palyra.config.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.ErrorCode;
import palyra.api.core.journal.Journal;
import palyra.config.internal.ConfigurationWatcherTest.FakeInstallation;
import palyra.shared.files.DropInFolder;
import palyra.shared.gate.Gate;
import palyra.testing.journal.MemoryJournal;

/** Configurations in the drop-in folder. */
class DropInTest {
    private static final Target SAMPLE = new Target(Samples.PID, "");
    private static final String ON = "{\"enabled\": true}";

    @TempDir Path temp;
    private final FakeInstallation installation = new FakeInstallation();
    private final MemoryJournal journal = new MemoryJournal();
    private final Gate<Journal> gate = new Gate<>("the journal", ErrorCode.JOURNAL_UNAVAILABLE, 0);
    private final Samples.FakeCatalogue catalogue =
            new Samples.FakeCatalogue(
                    Samples.schema(),
                    Samples.schema(
                            DropInFolder.PID,
                            false,
                            Samples.attribute(DropInFolder.ENABLED, AttributeType.BOOLEAN),
                            Samples.attribute(DropInFolder.FOLDER, AttributeType.STRING),
                            Samples.list("pins", AttributeType.STRING, Integer.MAX_VALUE)));
    private Path shipped;
    private Path operator;
    private Path dropped;
    private ConfigurationWatcher watcher;

    @BeforeEach
    void prepare() throws IOException {
        shipped = Files.createDirectory(temp.resolve("shipped"));
        operator = Files.createDirectory(temp.resolve("operator"));
        dropped = Files.createDirectory(temp.resolve("deploy"));
        Files.setPosixFilePermissions(dropped, PosixFilePermissions.fromString("rwx------"));
        gate.add(journal, Map.of());
    }

    @AfterEach
    void stop() {
        watcher.stop();
    }

    private void begin(Optional<Path> state) {
        watcher =
                new ConfigurationWatcher(
                        List.of(
                                new ConfigurationFolder(Layer.SHIPPED, shipped),
                                new ConfigurationFolder(Layer.OPERATOR, operator)),
                        state,
                        Overrides.parse(""),
                        catalogue,
                        installation,
                        new ChangeRecorder(gate),
                        10);
        watcher.start();
    }

    private Path write(Path folder, String pid, String text) throws IOException {
        Path aside = Files.writeString(temp.resolve("aside"), text);
        Files.setPosixFilePermissions(aside, PosixFilePermissions.fromString("rw-r--r--"));
        Path file = folder.resolve(pid + ".json");
        return Files.move(aside, file, StandardCopyOption.ATOMIC_MOVE);
    }

    private Object port() {
        return installation.installed.getOrDefault(SAMPLE, Map.of()).get("port");
    }

    private void until(BooleanSupplier condition) {
        Deadline.within(Duration.ofSeconds(30), condition, "still " + watcher.view());
    }

    private boolean says(String text) {
        return watcher.view().problems().stream().anyMatch(p -> p.message().contains(text));
    }

    @Test
    void areNotReadWhileTheFolderIsOff() throws IOException {
        write(dropped, Samples.PID, "{\"port\": 3}");
        begin(Optional.of(temp));
        assertNull(port());
        assertTrue(watcher.view().problems().isEmpty());
    }

    @Test
    void areInForceAtTheStartWhenItIsOn() throws IOException {
        write(operator, DropInFolder.PID, ON);
        write(dropped, Samples.PID, "{\"port\": 3}");
        begin(Optional.of(temp));
        assertEquals(3, port());
    }

    @Test
    void areNotReadInSafeMode() throws IOException {
        write(operator, DropInFolder.PID, ON);
        write(dropped, Samples.PID, "{\"port\": 3}");
        begin(Optional.empty());
        assertNull(port());
    }

    @Test
    void comeAndGoWithTheSwitchAndAreRecorded() throws IOException {
        write(shipped, Samples.PID, "{\"port\": 1}");
        write(dropped, Samples.PID, "{\"port\": 3}");
        begin(Optional.of(temp));
        assertEquals(1, port());
        write(operator, DropInFolder.PID, ON);
        until(() -> port().equals(3));
        until(() -> recorded("\"layer\":\"deploy\""));
        write(operator, DropInFolder.PID, "{\"enabled\": false}");
        until(() -> port().equals(1));
        until(() -> recorded("\"layer\":\"deploy\",\"pid\":\"palyra.sample\""));
    }

    private boolean recorded(String text) {
        return journal.events(ChangeRecord.CHANGED).toString().contains(text);
    }

    @Test
    void standAboveTheShippedAndBelowTheOperators() throws IOException {
        write(operator, DropInFolder.PID, ON);
        write(shipped, Samples.PID, "{\"port\": 1, \"name\": \"one\", \"enabled\": true}");
        write(dropped, Samples.PID, "{\"port\": 3, \"name\": \"three\"}");
        write(operator, Samples.PID, "{\"port\": 2}");
        begin(Optional.of(temp));
        assertEquals(
                Map.of("port", 2, "name", "three", "enabled", true),
                installation.installed.get(SAMPLE));
    }

    @Test
    void areCheckedLikeAllOthers() throws IOException {
        write(operator, DropInFolder.PID, ON);
        write(dropped, Samples.PID, "{\"port\": 3}");
        begin(Optional.of(temp));
        write(dropped, Samples.PID, "{\"prt\": 4}");
        until(() -> says("prt"));
        assertEquals(3, port());
        Files.delete(dropped.resolve(Samples.PID + ".json"));
        until(() -> port() == null);
    }

    /** Otherwise a file in the folder could change the rules for the folder. */
    @Test
    void neverConfigureTheFolderItself() throws IOException {
        write(operator, DropInFolder.PID, ON);
        begin(Optional.of(temp));
        write(dropped, DropInFolder.PID, "{\"pins\": [\"sha256:00\"]}");
        until(() -> says("configures the drop-in folder"));
        assertEquals(
                Map.of("enabled", true),
                installation.installed.get(new Target(DropInFolder.PID, "")));
    }

    @Test
    void areTakenOnlyWhenNobodyElseCanHaveWrittenThem() throws IOException {
        write(operator, DropInFolder.PID, ON);
        begin(Optional.of(temp));
        Path file = write(dropped, Samples.PID, "{\"port\": 3}");
        until(() -> Integer.valueOf(3).equals(port()));
        Path aside = Files.writeString(temp.resolve("group"), "{\"port\": 4}");
        Files.setPosixFilePermissions(aside, PosixFilePermissions.fromString("rw-rw-r--"));
        Files.move(aside, file, StandardCopyOption.ATOMIC_MOVE);
        until(() -> says("others than its owner may write to it"));
        assertEquals(3, port());
        Path outside = Files.writeString(temp.resolve("outside.json"), "{\"port\": 5}");
        Path link = Files.createSymbolicLink(temp.resolve("link"), outside);
        Files.move(link, file, StandardCopyOption.ATOMIC_MOVE);
        until(() -> says("symbolic link"));
        assertEquals(3, port());
    }

    @Test
    void stayAsTheyWereWhenTheFolderIsNoLongerTrusted() throws IOException {
        write(operator, DropInFolder.PID, ON);
        Path file = write(dropped, Samples.PID, "{\"port\": 3}");
        begin(Optional.of(temp));
        Files.setPosixFilePermissions(dropped, PosixFilePermissions.fromString("rwxrwxrwx"));
        until(() -> says("is not trusted"));
        Files.delete(file);
        write(dropped, Samples.PID, "{\"port\": 4}");
        assertEquals(3, port());
        Files.setPosixFilePermissions(dropped, PosixFilePermissions.fromString("rwx------"));
        until(() -> Integer.valueOf(4).equals(port()));
    }
}
