package palyra.itests.process;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
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
    private static final boolean FULL = Boolean.getBoolean("palyra.test.full");
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

    /** Messages at 50 a second, as long as it is open. */
    private static final class Traffic implements AutoCloseable {
        private final AtomicInteger accepted = new AtomicInteger();
        private final AtomicReference<Throwable> problem = new AtomicReference<>();
        private final ScheduledExecutorService clients = Executors.newScheduledThreadPool(4);

        Traffic(GatewayProcess gateway) {
            for (int i = 0; i < 4; i++) { // one that waits for an answer delays its own next only
                clients.scheduleAtFixedRate(() -> send(gateway), i * 20, 80, TimeUnit.MILLISECONDS);
            }
        }

        private void send(GatewayProcess gateway) {
            try {
                gateway.client().run("ask", "--background", "hello").ok();
                accepted.incrementAndGet();
            } catch (IOException | AssertionError e) {
                problem.compareAndSet(null, e);
            }
        }

        @Override
        public void close() throws InterruptedException {
            clients.shutdown();
            assertTrue(clients.awaitTermination(30, TimeUnit.SECONDS));
            assertNull(problem.get());
        }
    }

    private static long records(CommandClient client) throws IOException {
        return client.run("tape", "verify", "--json").ok().json().path("records").asLong();
    }

    @Test
    public void aBackupUnderTrafficComesBackWithAllThatCountsAndGoesOn() throws Exception {
        int enough = FULL ? 1_500 : 75;
        int before;
        try (GatewayProcess gateway = GatewayProcess.start(Dist.folder(), state)) {
            work(gateway);
            try (Traffic traffic = new Traffic(gateway)) {
                Wait.until(
                        "traffic",
                        PATIENCE.multipliedBy(FULL ? 5 : 1),
                        () -> traffic.accepted.get() > enough,
                        gateway::console);
                before = traffic.accepted.get();
                gateway.client().runWith(PASSPHRASE, "backup", backup.toString()).ok();
                int during = traffic.accepted.get();
                Wait.until(
                        "traffic after the backup",
                        PATIENCE,
                        () -> traffic.accepted.get() > during + 10,
                        gateway::console);
            }
            gateway.kill();
        }
        assertEquals(77, restore("another passphrase"));
        assertFalse(Files.exists(restored));
        assertEquals(0, restore(PASSPHRASE));
        try (GatewayProcess again = GatewayProcess.start(Dist.folder(), restored)) {
            CommandClient client = again.awaitReady().client();
            int accepted = before;
            Wait.until(
                    "what was accepted before the backup to be answered",
                    PATIENCE.multipliedBy(FULL ? 5 : 1),
                    () -> records(client) > 4L * accepted,
                    again::console);
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
    public void aGatewayThatIsKilledDuringABackupLosesNothingAndWritesTheNext() throws Exception {
        Path part = backup.resolveSibling(backup.getFileName() + ".palyra-part");
        long records;
        try (GatewayProcess gateway = GatewayProcess.start(Dist.folder(), state)) {
            work(gateway);
            gateway.client().run("ask", "hello").ok();
            records = records(gateway.client());
            Thread asking =
                    new Thread(
                            () -> {
                                try {
                                    gateway.client()
                                            .runWith(PASSPHRASE, "backup", backup.toString());
                                } catch (IOException e) {
                                    // The gateway is gone.
                                }
                            });
            asking.start();
            Wait.until(
                    "a part of the backup", PATIENCE, () -> Files.exists(part), gateway::console);
            gateway.kill();
            asking.join();
        }
        assertFalse(Files.exists(backup));
        assertTrue(copies() > 0);
        try (GatewayProcess again = GatewayProcess.start(Dist.folder(), state)) {
            CommandClient client = again.awaitReady().client();
            assertEquals("the start removes the copy", 0, copies());
            assertTrue(records(client) >= records);
            CommandClient.Result second =
                    client.runWith(PASSPHRASE, "backup", backup.toString()).ok();
            assertTrue(second.toString(), second.toString().contains("Removed " + part));
            assertEquals(0, copies());
            again.kill();
        }
        assertFalse(Files.exists(part));
        assertEquals(0, restore(PASSPHRASE));
    }

    private long copies() throws IOException {
        try (Stream<Path> found = Files.list(state.resolve("tmp"))) {
            return found.filter(each -> each.getFileName().toString().startsWith("palyra-"))
                    .count();
        }
    }

    @Test
    public void aReaderThatStopsEndsTheBackupAndNothingElse() throws Exception {
        try (GatewayProcess gateway = GatewayProcess.start(Dist.folder(), state)) {
            work(gateway);
            byte[] noise = new byte[16 << 20]; // more than the buffers on the way
            new Random(1).nextBytes(noise);
            Files.write(state.resolve("noise"), noise);
            CommandClient client = gateway.client();
            assertThrows(
                    ReaderStops.class,
                    () ->
                            client.run(
                                    "",
                                    piece -> {
                                        throw new ReaderStops();
                                    },
                                    "backup",
                                    "--plain",
                                    "-"));
            Wait.until("the copy to go", PATIENCE, () -> copies() == 0, gateway::console);
            client.run("status").ok();
            client.run("backup", "--plain", backup.toString()).ok();
            gateway.kill();
        }
        assertEquals(0, restore(""));
    }

    private static final class ReaderStops extends RuntimeException {
        private static final long serialVersionUID = 1;
    }

    /** Parts of the state folder are put back by hand, and some are forgotten. */
    @Test
    public void aStateFolderThatWasPutTogetherByHandSaysWhatItLacks() throws Exception {
        Path conf = state.resolve("conf/palyra.retention.json");
        try (GatewayProcess gateway = GatewayProcess.start(Dist.folder(), state)) {
            work(gateway);
            Files.writeString(conf, "{\"deliveryDays\": 20}");
            Wait.until(
                    "the configuration",
                    PATIENCE,
                    () -> gateway.client().run("retention", "show").out().contains("20 days"),
                    gateway::console);
            assertEquals(0, gateway.terminate());
        }
        Path kept = folder.newFolder("kept").toPath();
        for (String lost : new String[] {"policies", "policy", "conf"}) {
            Files.move(state.resolve(lost), kept.resolve(lost));
        }
        try (GatewayProcess gateway = GatewayProcess.start(Dist.folder(), state)) {
            CommandClient client = gateway.awaitNotReady().client();
            String doctor = client.run("doctor").out();
            assertTrue(
                    doctor, doctor.contains("The folder policies of the state folder lacks own"));
            assertTrue(
                    doctor, doctor.contains("The folder conf of the state folder lacks palyra.r"));
            assertEquals(doctor, 3, doctor.split("error \\[", -1).length);
            Files.copy(kept.resolve("policies/own.cedar"), state.resolve("policies/own.cedar"));
            Wait.until(
                    "the policies to count",
                    PATIENCE,
                    () -> !client.run("doctor").out().contains("The folder policies"),
                    gateway::console);
            assertEquals(1, client.run("status").exit());
            client.run("state", "accept").ok();
            gateway.awaitReady();
            assertEquals(0, gateway.terminate());
        }
        try (GatewayProcess gateway = GatewayProcess.start(Dist.folder(), state)) {
            gateway.awaitReady();
        }
    }

    /** That journal takes nothing, and is as before where its keys are. */
    @Test
    public void aGatewayWithTheJournalOfAnotherTakesNoWork() throws Exception {
        Path other = folder.newFolder("other").toPath().resolve("state");
        for (Path each : new Path[] {state, other}) {
            try (GatewayProcess gateway = GatewayProcess.start(Dist.folder(), each)) {
                gateway.awaitReady().client().run("ask", "hello").ok();
                assertEquals(0, gateway.terminate());
            }
        }
        Path own = folder.newFolder("own").toPath().resolve("journal");
        Files.move(state.resolve("journal"), own);
        Files.move(other.resolve("journal"), state.resolve("journal"));
        try (GatewayProcess gateway = GatewayProcess.start(Dist.folder(), state)) {
            CommandClient client = gateway.awaitNotReady().client();
            for (String[] work : new String[][] {{"ask", "a"}, {"ask", "--background", "b"}}) {
                CommandClient.Result refused = client.run(work);
                assertEquals(refused.out() + refused.err(), 69, refused.exit());
                assertTrue(refused.err(), refused.err().contains("is another gateway's"));
            }
            assertTrue(client.run("doctor").out().contains("The folder keys lacks published keys"));
            assertEquals(1, client.run("status").exit());
            assertEquals(1, client.run("runs", "--json").ok().json().size());
            assertEquals(0, gateway.terminate());
        }
        Files.move(state.resolve("journal"), other.resolve("journal"));
        Files.move(own, state.resolve("journal"));
        for (Path each : new Path[] {state, other}) {
            try (GatewayProcess gateway = GatewayProcess.start(Dist.folder(), each)) {
                CommandClient client = gateway.awaitReady().client();
                assertTrue(client.run("ask", "again").ok().out().contains("again"));
                client.run("tape", "verify").ok();
                assertEquals(0, gateway.terminate());
            }
        }
    }

    @Test
    public void aBackupDuringSwapsIsWholeOrRefusedInOneSentence() throws Exception {
        try (GatewayProcess gateway = GatewayProcess.start(Dist.folder(), state)) {
            work(gateway);
            AtomicBoolean stop = new AtomicBoolean();
            List<String> problems = Collections.synchronizedList(new ArrayList<>());
            AtomicReference<Path> last = new AtomicReference<>();
            AtomicInteger tries = new AtomicInteger();
            Thread backups =
                    new Thread(
                            () -> {
                                while (!stop.get()) {
                                    String said = backUp(gateway, tries.getAndIncrement(), last);
                                    if (!said.isEmpty()) {
                                        problems.add(said);
                                    }
                                }
                            });
            backups.start();
            for (int i = 0; i < (FULL ? 5 : 1); i++) {
                for (String bundle :
                        new String[] {"palyra.journal", "palyra.vault", "palyra.backup"}) {
                    gateway.client().run("swap", bundle, Dist.bundle(bundle).toString()).ok();
                    int then = tries.get();
                    Wait.until(
                            "backups after the swap",
                            PATIENCE,
                            () -> tries.get() > then + 1,
                            gateway::console);
                }
            }
            stop.set(true);
            backups.join();
            assertEquals(List.of(), problems);
            assertEquals("", backUp(gateway, tries.get(), last));
            assertTrue("the last one is whole", Files.exists(file(tries.get())));
            assertEquals(0, copies());
            gateway.kill();
        }
        for (int i = 0; i < 3; i++) {
            backup = file(i);
            if (Files.exists(backup)) {
                restored = restored.resolveSibling("restored-" + i);
                assertEquals(0, restore(""));
            }
        }
    }

    private Path file(int number) {
        return backup.resolveSibling("backup-" + number);
    }

    /** Returns what is wrong with a backup that was tried. */
    private String backUp(GatewayProcess gateway, int number, AtomicReference<Path> last) {
        Path file = file(number);
        try {
            CommandClient.Result result =
                    gateway.client().run("backup", "--plain", file.toString());
            if (result.exit() == 0) {
                last.set(file);
                return Files.exists(file) ? "" : "there is no " + file;
            }
            boolean clear =
                    result.err().lines().count() == 1
                            && !result.err().contains("Exception")
                            && !result.err().contains("internal");
            boolean left =
                    Files.exists(file)
                            || Files.exists(
                                    file.resolveSibling(file.getFileName() + ".palyra-part"));
            return clear && !left ? "" : result + (left ? " and a file is left" : "");
        } catch (IOException e) {
            return e.toString();
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
