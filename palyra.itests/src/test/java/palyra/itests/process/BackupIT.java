package palyra.itests.process;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import palyra.itests.Dist;
import palyra.itests.Wait;

/** A gateway that is backed up while it works, and what comes back of it. */
public class BackupIT {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String PASSPHRASE = "a passphrase that is long enough";
    private static final String FORBID =
            "@id(\"no_echo\") forbid (principal, action == Action::\"tool.execute\","
                    + " resource == Tool::\"palyra.echo\");\n";

    @Rule public final TemporaryFolder folder = new TemporaryFolder();
    private Path state;
    private Path restored;
    private Path backup;

    @Before
    public void name() {
        Path root = folder.getRoot().toPath();
        state = root.resolve("state");
        restored = root.resolve("restored");
        backup = root.resolve("backup");
    }

    private static String jars() throws IOException {
        try (Stream<Path> all = Files.walk(Dist.folder())) {
            return all.map(Path::toString)
                    .filter(
                            jar ->
                                    jar.matches(
                                            ".*/(palyra\\.(backup|api|api\\.core)-|jackson-|slf4j-api)[^/]*\\.jar"))
                    .collect(Collectors.joining(":"));
        }
    }

    private Process restoring(String file) throws IOException {
        return new ProcessBuilder(
                        GatewayProcess.java(),
                        "-cp",
                        jars(),
                        "palyra.backup.internal.restore.RestoreMain",
                        restored.toString(),
                        file)
                .redirectErrorStream(true)
                .start();
    }

    private int restore(String passphrase) throws Exception {
        Process process = restoring(backup.toString());
        try (OutputStream in = process.getOutputStream()) {
            in.write((passphrase + "\n").getBytes());
        } catch (IOException e) {
            // It needed no passphrase.
        }
        process.getInputStream().readAllBytes();
        return process.waitFor();
    }

    private void work(GatewayProcess gateway) throws Exception {
        CommandClient client = gateway.awaitReady().client();
        client.runWith("kept", "vault", "put", "global/a").ok();
        Files.createDirectories(state.resolve("policies"));
        Files.writeString(state.resolve("policies/own.cedar"), FORBID);
        Wait.until(
                "the policy",
                PATIENCE,
                () -> client.run("policy", "list").out().contains("no_echo"),
                gateway::console);
    }

    @Test
    public void aBackupUnderTrafficComesBackWithAllThatCountsAndGoesOn() throws Exception {
        AtomicInteger accepted = new AtomicInteger();
        try (GatewayProcess gateway = GatewayProcess.start(Dist.folder(), state)) {
            work(gateway);
            AtomicBoolean stop = new AtomicBoolean();
            Thread traffic =
                    new Thread(
                            () -> {
                                while (!stop.get()) {
                                    try {
                                        gateway.client().run("ask", "--background", "hello").ok();
                                    } catch (IOException e) {
                                        throw new IllegalStateException(e);
                                    }
                                    accepted.incrementAndGet();
                                }
                            });
            traffic.start();
            Wait.until("traffic", PATIENCE, () -> accepted.get() > 20, gateway::console);
            gateway.client().runWith(PASSPHRASE, "backup", backup.toString()).ok();
            stop.set(true);
            traffic.join();
            gateway.kill();
        }
        assertEquals(77, restore("another passphrase"));
        assertFalse(Files.exists(restored));
        assertEquals(0, restore(PASSPHRASE));
        try (GatewayProcess again = GatewayProcess.start(Dist.folder(), restored)) {
            CommandClient client = again.awaitReady().client();
            client.run("tape", "verify").ok();
            assertEquals(
                    "kept", client.run("vault", "reveal", "global/a", "--yes-show-it").ok().out());
            assertTrue(client.run("policy", "list").ok().out().contains("no_echo"));
            assertTrue(client.run("ask", "--new", "again").ok().out().contains("again"));
            assertFalse(Files.exists(restored.resolve("restored.json")));
        }
    }

    @Test
    public void aRestoredGatewayThatLacksAFileIsNotReadyAndNamesIt() throws Exception {
        try (GatewayProcess gateway = GatewayProcess.start(Dist.folder(), state)) {
            work(gateway);
            gateway.client().run("backup", "--plain", backup.toString()).ok();
            gateway.kill();
        }
        assertEquals(0, restore(""));
        Path lost = restored.resolve("policies/own.cedar");
        Files.delete(lost);
        try (GatewayProcess again = GatewayProcess.start(Dist.folder(), restored)) {
            CommandClient client = again.awaitNotReady().client();
            assertTrue(client.run("doctor").out().contains("policies/own.cedar"));
            assertTrue(client.run("status").out().contains("restored"));
            Files.writeString(lost, FORBID);
            again.awaitReady();
        }
    }

    @Test
    public void aRestorationThatIsKilledLeavesNothingAndIsBegunAgain() throws Exception {
        try (GatewayProcess gateway = GatewayProcess.start(Dist.folder(), state)) {
            work(gateway);
            gateway.client().run("backup", "--plain", backup.toString()).ok();
            gateway.kill();
        }
        byte[] all = Files.readAllBytes(backup);
        Process process = restoring("-");
        process.getOutputStream().write(Arrays.copyOf(all, all.length / 2));
        process.getOutputStream().flush();
        Path draft = restored.resolveSibling("restored.palyra-restore");
        Wait.until("the draft", PATIENCE, () -> Files.exists(draft), () -> "no draft");
        process.destroyForcibly();
        assertTrue(process.waitFor(30, TimeUnit.SECONDS));
        assertFalse(Files.exists(restored));
        assertTrue(Files.exists(draft));
        assertEquals(0, restore(""));
        assertFalse(Files.exists(draft));
        try (GatewayProcess again = GatewayProcess.start(Dist.folder(), restored)) {
            again.awaitReady().client().run("tape", "verify").ok();
        }
    }
}
