package palyra.itests.process;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.After;
import org.junit.Assume;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import palyra.itests.Dist;
import palyra.itests.Wait;

/** The product with its state on a medium that is really full. */
public class FullDiskIT {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Pattern HTTP = Pattern.compile("http (http://127[.0-9:]+)");

    @Rule public final TemporaryFolder temp = new TemporaryFolder();

    private Path disk;
    private Path filler;
    private GatewayProcess gateway;

    @Before
    public void mount() throws Exception {
        disk = temp.newFolder("disk").toPath();
        filler = disk.resolve("filler");
        Assume.assumeTrue(
                "this user may not mount a file system",
                run("mount", "-t", "tmpfs", "-o", "size=160m,mode=700", "tmpfs", "" + disk) == 0);
    }

    @After
    public void unmount() throws Exception {
        if (gateway != null) {
            gateway.close();
        }
        run("umount", disk.toString());
    }

    private static int run(String... command) throws Exception {
        try {
            Process process = new ProcessBuilder(command).inheritIO().start();
            assertTrue(process.waitFor(10, TimeUnit.SECONDS));
            return process.exitValue();
        } catch (IOException e) {
            return -1;
        }
    }

    /** Ready file and console lie beside the state folder, on another medium. */
    private GatewayProcess start() throws Exception {
        Path state = temp.getRoot().toPath().resolve("state");
        if (!Files.exists(state)) {
            Files.createSymbolicLink(state, disk.resolve("state"));
            Files.createDirectories(disk.resolve("state"));
        }
        gateway = GatewayProcess.start(Dist.folder(), state);
        return gateway;
    }

    private void fill() throws IOException {
        try {
            fillBut(0);
        } catch (IOException e) {
            assertEquals("No space left on device", e.getMessage());
        }
        assertEquals(0, free());
    }

    private void fillBut(long left) throws IOException {
        try (var out = Files.newOutputStream(filler)) {
            byte[] block = new byte[4 << 10];
            for (long free = free() - left; free > 0; free -= block.length) {
                out.write(block, 0, (int) Math.min(free, block.length));
            }
        }
    }

    private long free() throws IOException {
        return Files.getFileStore(disk).getUsableSpace();
    }

    private String answer(String... argv) {
        try {
            CommandClient.Result result = gateway.client().run(argv);
            return result.out() + result.err();
        } catch (IOException e) {
            return "not yet: " + e.getMessage();
        }
    }

    private void awaitAnswer(String part, String... argv) throws Exception {
        Wait.until(
                String.join(" ", argv) + " to say " + part,
                PATIENCE,
                () -> answer(argv).contains(part),
                () -> answer(argv) + gateway.console());
    }

    @Test
    public void aStartOnAFullDiskSaysSoEverywhereAndIsCuredByRoomAlone() throws Exception {
        start().awaitReady();
        assertEquals(0, gateway.terminate());
        fill();
        start();
        awaitAnswer("DISK_FULL", "status");
        assertTrue(answer("status"), answer("status").contains("no space left"));
        assertEquals("status says what /readyz says", 1, gateway.client().run("status").exit());
        awaitAnswer("the gateway is not ready", "doctor"); // until then it says that it starts
        String doctor = answer("doctor");
        assertEquals(doctor, 1, doctor.split("no space left", -1).length - 1);
        assertFalse(doctor, doctor.contains("AgentRegistry"));
        assertTrue(doctor, doctor.contains("the gateway is not ready"));
        assertTrue(doctor, doctor.contains("The journal is DISK_FULL"));
        for (String blame :
                new String[] {"mistake", "damaged", "did not hold", "UnsatisfiedLink"}) {
            assertFalse(blame + " in " + doctor, doctor.contains(blame));
        }
        Wait.until("the HTTP server", PATIENCE, () -> !http().isEmpty(), gateway::console);
        assertEquals(503, ready());
        Files.delete(filler);
        gateway.awaitReady();
        awaitAnswer("state OPEN", "status");
        assertEquals(200, ready());
        assertTrue(answer("ask", "hello").contains("hello"));
        assertTrue(gateway.console(), !gateway.console().contains("mistake"));
        // What a start unpacks would lie there.
        try (var files = Files.list(disk.resolve("state/tmp"))) {
            assertEquals(0, files.filter(file -> file.toString().endsWith(".so")).count());
        }
        fill();
        awaitAnswer("DISK_FULL", "status");
        Files.delete(filler);
        awaitAnswer("state OPEN", "status");
        assertTrue(answer("ask", "once more").contains("once more"));
        assertEquals(0, gateway.terminate());
    }

    /** Its record, and the note of the sweep, are part of making room. */
    @Test
    public void aSweepOfAnOperatorIsTakenFromTheReserve() throws Exception {
        start().awaitReady();
        assertTrue(answer("ask", "hello").contains("hello"));
        fillBut(16 << 20);
        awaitAnswer("DISK_FULL", "status");
        CommandClient.Result sweep = gateway.client().run("retention", "run");
        assertEquals(sweep.err(), 0, sweep.exit());
        assertEquals(75, gateway.client().run("ask", "and this").exit());
        Files.delete(filler);
        awaitAnswer("state OPEN", "status");
        assertTrue(answer("tape", "show", "journal").contains("retention.run"));
    }

    /** Without policies nothing decides, so status and doctor need a record. */
    @Test
    public void statusAndDoctorAreAnsweredWhileTheirRecordCannotBeWritten() throws Exception {
        Files.createDirectories(disk.resolve("state"));
        Files.createFile(disk.resolve("state/policy")); // where sets of policies are kept
        start();
        awaitAnswer("journal:", "status");
        fill();
        awaitAnswer("waits in memory", "status");
        awaitAnswer("The journal is DISK_FULL", "doctor");
        assertTrue(answer("logs"), answer("logs").contains("takes a record of it"));
        assertTrue(answer("doctor"), answer("doctor").contains("wait in memory"));
        Files.delete(filler);
        awaitAnswer("state OPEN", "status");
        Wait.until(
                "the records to be written",
                PATIENCE,
                () -> !answer("doctor").contains("wait in memory"),
                gateway::console);
    }

    @Test
    public void aFirstStartWithoutAByteEndsAtOnceAndNamesTheMedium() throws Exception {
        fill();
        start();
        assertEquals(74, gateway.exit());
        String console = gateway.console();
        assertTrue(console, console.contains("has no space left (0 bytes free)"));
        assertTrue(console, console.contains("then run: palyra up"));
    }

    private String http() {
        Matcher told = HTTP.matcher(answer("status").replaceAll("\\s+", " "));
        return told.find() ? told.group(1) : "";
    }

    private int ready() throws Exception {
        return HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create(http() + "/readyz"))
                                .timeout(Duration.ofSeconds(10))
                                .build(),
                        HttpResponse.BodyHandlers.discarding())
                .statusCode();
    }
}
