package palyra.itests.process;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import com.sun.security.auth.module.UnixSystem;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.After;
import org.junit.Assume;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import palyra.itests.Dist;
import palyra.itests.Wait;
import palyra.itests.crash.Audit;

/** Start and end of the process, and what it leaves on disk. */
public class LifecycleIT {
    @Rule public final TemporaryFolder temp = new TemporaryFolder();

    private final List<AutoCloseable> open = new ArrayList<>();
    private Path state;

    @Before
    public void nameTheState() {
        state = temp.getRoot().toPath().resolve("state");
    }

    @After
    public void close() throws Exception {
        for (AutoCloseable one : open) {
            one.close();
        }
    }

    private GatewayProcess start(String... options) throws Exception {
        GatewayProcess gateway = GatewayProcess.start(Dist.folder(), state, options);
        open.add(gateway);
        return gateway;
    }

    @Test
    public void aTermStopsItCleanlyInMidWorkAndTheNextStartGoesOn() throws Exception {
        GatewayProcess gateway = start().awaitReady();
        gateway.client()
                .run("agents", "create", "t", "--test", "true", "--tool", "palyra.sleep")
                .ok();
        String script =
                "#!palyra-script\n{\"turns\":[[{\"say\":\"a b c d \",\"chunkMillis\":50},{\"call\":"
                        + "{\"tool\":\"palyra.sleep\",\"input\":{\"millis\":2000}}}],"
                        + "[{\"say\":\"the end\"}]]}";
        List<String> runs = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            runs.add(
                    gateway.client()
                            .runWith(
                                    script,
                                    "ask",
                                    "--background",
                                    "--agent",
                                    "t",
                                    "--session",
                                    "s" + i,
                                    "-")
                            .ok()
                            .out()
                            .trim());
        }
        assertEquals(0, gateway.terminate());
        assertTrue(gateway.console(), gateway.console().contains("palyra stopped"));
        assertFalse(Files.exists(state.resolve("run/command.sock")));
        GatewayProcess next = start().awaitReady();
        next.client().run("tape", "verify", "--all").ok();
        Wait.until(
                "the runs to end",
                Duration.ofSeconds(60),
                () -> Audit.open(next.client()) == 0,
                next::console);
        for (String run : runs) {
            assertEquals(
                    "SUCCEEDED",
                    next.client()
                            .run("run", "show", run, "--json")
                            .ok()
                            .json()
                            .path("state")
                            .asText());
        }
        next.client().run("tape", "verify", "--all").ok();
        next.client().run("stop").ok();
        assertEquals(0, next.exit());
    }

    @Test
    public void aSecondStartOnTheSameStateIsRefusedAndHarmsNothing() throws Exception {
        GatewayProcess first = start().awaitReady();
        GatewayProcess second = start();
        assertEquals(75, second.exit());
        assertTrue(second.console(), second.console().contains(Long.toString(first.pid())));
        assertTrue(first.alive());
        assertEquals("You said: hi\n", first.client().run("ask", "hi").ok().out());
    }

    @Test
    public void nobodyElseCanReadTheState() throws Exception {
        GatewayProcess gateway = start().awaitReady();
        gateway.client().run("ask", "a secret").ok();
        List<String> open = new ArrayList<>();
        try (Stream<Path> files = Files.walk(state)) {
            for (Path file : (Iterable<Path>) files::iterator) {
                if (!isPrivate(file)) {
                    open.add(file.toString());
                }
            }
        }
        assertEquals(List.of(), open);
        assertEquals("rwx------", mode(state));
        assertEquals("rw-------", mode(state.resolve("bootstrap-token")));
        assertEquals("rw-------", mode(state.resolve("keys/boot-keys.json")));
        assertEquals("rw-------", mode(state.resolve("run/command.sock")));
        assertEquals("rwx------", mode(state.resolve("run")));
    }

    private static String mode(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }

    /** What lies in a private folder is private; the umask is the script's business. */
    private boolean isPrivate(Path file) throws IOException {
        Set<PosixFilePermission> modes = Files.getPosixFilePermissions(file);
        boolean closed = modes.stream().allMatch(mode -> mode.name().startsWith("OWNER_"));
        return closed || (!file.equals(state) && isPrivate(file.getParent()));
    }

    @Test
    public void badOptionsAreRefusedBeforeAnythingIsWritten() throws Exception {
        for (String[] options :
                List.of(
                        new String[] {"--nonsense"},
                        new String[] {"--http-port", "70000"},
                        new String[] {"--set", "nonsense"},
                        new String[] {"--console", "--headless"})) {
            GatewayProcess refused = start(options);
            assertEquals(String.join(" ", options), 64, refused.exit());
            assertFalse(refused.console(), refused.console().contains("\tat "));
            assertFalse(Files.exists(state));
        }
    }

    @Test
    public void theScriptStartsItAsAnUnprivilegedUserAndItsCommandsFindIt() throws Exception {
        Path root = temp.getRoot().toPath();
        Files.setPosixFilePermissions(root, PosixFilePermissions.fromString("rwxr-xr-x"));
        Path home = Dist.copy(root.resolve("home"));
        Path log = root.resolve("up.log");
        ProcessBuilder up = script(home, "up", "--headless", "--http-port", "0");
        up.environment()
                .putAll(
                        Map.of(
                                "ROOTS_SECRET", "of root's",
                                "JAVA_TOOL_OPTIONS", "-Droots=option",
                                "LC_TIME", "C",
                                "KEPT_AS_ASKED", "yes",
                                "PALYRA_KEEP_ENV", "KEPT_AS_ASKED"));
        Process process =
                up.redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                        .start();
        open.add(() -> process.destroyForcibly().waitFor());
        Wait.until(
                "the start-up line",
                Duration.ofSeconds(90),
                () -> Files.readString(log).contains("palyra up in ") || !process.isAlive(),
                () -> "");
        assertTrue(Files.readString(log), process.isAlive());
        assertFalse(
                "the gateway runs without root's rights",
                Files.readString(Path.of("/proc/" + process.pid() + "/status"))
                        .matches("(?s).*\\nUid:\\t0\\t.*"));
        aGatewayOfSomebodyElseKeepsItsCgroups(process.pid());
        itKnowsOfRootsEnvironmentWhatIsNamed(process.pid());
        Wait.until(
                "the optimising compiler to give way",
                Duration.ofSeconds(10),
                () -> nice(process.pid(), "C2 CompilerThre").contains(10),
                () -> "");
        assertFalse(nice(process.pid(), "C1 CompilerThre").contains(10));
        Process ask = script(home, "ask", "hello").start();
        assertEquals(0, ask.waitFor());
        assertEquals(
                "You said: hello\n",
                new String(ask.getInputStream().readAllBytes(), StandardCharsets.UTF_8));
        assertEquals(0, script(home, "doctor").start().waitFor());
        assertEquals(64, script(home, "nonsense").start().waitFor());
        assertEquals(0, script(home, "stop").start().waitFor());
        assertEquals(0, process.waitFor());
        assertEquals(69, script(home, "status").start().waitFor());
    }

    private static void itKnowsOfRootsEnvironmentWhatIsNamed(long pid) throws Exception {
        List<String> names = environment(pid).stream().map(each -> each.split("=", 2)[0]).toList();
        assertTrue(names.toString(), names.containsAll(List.of("LC_TIME", "KEPT_AS_ASKED")));
        if (new UnixSystem().getUid() == 0) {
            assertFalse(names.toString(), names.contains("ROOTS_SECRET"));
            assertFalse(names.toString(), names.contains("JAVA_TOOL_OPTIONS"));
        }
    }

    private static List<String> environment(long pid) throws Exception {
        return Files.readString(Path.of("/proc/" + pid + "/environ"))
                .lines()
                .flatMap(all -> Arrays.stream(all.split("\0")))
                .filter(each -> !each.isEmpty())
                .toList();
    }

    /** A place for cgroups belongs to one user: to take over another's would stop its sandboxes. */
    private static void aGatewayOfSomebodyElseKeepsItsCgroups(long pid) throws Exception {
        List<String> places =
                environment(pid).stream()
                        .filter(each -> each.startsWith("PALYRA_CGROUP="))
                        .toList();
        Object uid = Files.getAttribute(Path.of("/proc/" + pid), "unix:uid");
        for (String place : places) { // none where there are no cgroups, and none but as root
            assertTrue(place, place.endsWith("palyra-" + uid));
        }
    }

    @Test
    public void theScriptSeesAFileThatChangedInNothingButItsContent() throws Exception {
        Assume.assumeTrue(new UnixSystem().getUid() == 0);
        Path home = Dist.copy(temp.newFolder("installed").toPath());
        Files.createDirectory(state);
        Files.setOwner(
                state,
                state.getFileSystem()
                        .getUserPrincipalLookupService()
                        .lookupPrincipalByName("nobody"));
        Path changing = home.resolve("conf/README.md");
        Files.writeString(changing, "an installation like no other: " + System.nanoTime());
        FileTime date = Files.getLastModifiedTime(changing);
        String first = digest(home);
        assertEquals(first, digest(home));
        byte[] content = Files.readAllBytes(changing);
        content[0]++;
        Files.write(changing, content);
        Files.setLastModifiedTime(changing, date);
        String second = digest(home);
        assertFalse(first.equals(second));
        Path note = note(home);
        Files.writeString(note, Files.readString(note).replace(second, "../../../../tmp/x"));
        assertEquals(second, digest(home));
    }

    /** Has the script choose a copy to run, for a folder that the gateway's user cannot read. */
    private String digest(Path home) throws Exception {
        assertEquals(69, script(home, "status").start().waitFor());
        String digest = Files.readAllLines(note(home)).get(1);
        Path copy = Path.of("/var/lib/palyra-home", digest);
        open.add(() -> delete(copy));
        open.add(() -> Files.deleteIfExists(note(home)));
        assertTrue(copy.toString(), Files.exists(copy.resolve("bin/palyra")));
        return digest;
    }

    private static void delete(Path folder) throws IOException {
        if (Files.exists(folder)) {
            try (Stream<Path> files = Files.walk(folder)) {
                files.sorted(Comparator.reverseOrder()).forEach(file -> file.toFile().delete());
            }
        }
    }

    private static Path note(Path home) throws Exception {
        byte[] name =
                MessageDigest.getInstance("SHA-256")
                        .digest(home.toRealPath().toString().getBytes(StandardCharsets.UTF_8));
        String shown = HexFormat.of().formatHex(name).substring(0, 16);
        return Path.of("/var/lib/palyra-home", ".digest-" + shown);
    }

    /** How much each thread of this name gives way: proc(5), the 19th field of stat. */
    private static List<Integer> nice(long pid, String name) throws IOException {
        List<Integer> found = new ArrayList<>();
        try (DirectoryStream<Path> tasks =
                Files.newDirectoryStream(Path.of("/proc/" + pid + "/task"))) {
            for (Path task : tasks) {
                String stat = stat(task);
                int end = stat.lastIndexOf(')');
                if (end > 0 && stat.substring(stat.indexOf('(') + 1, end).equals(name)) {
                    found.add(Integer.parseInt(stat.substring(end + 2).split(" ")[16]));
                }
            }
        }
        return found;
    }

    /** Nothing of a thread that has ended meanwhile. */
    private static String stat(Path task) {
        try {
            return Files.readString(task.resolve("stat"));
        } catch (IOException e) {
            return "";
        }
    }

    private ProcessBuilder script(Path home, String... argv) {
        List<String> command = new ArrayList<>();
        command.add(home.resolve("bin/palyra").toString());
        command.addAll(List.of(argv));
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().put("PALYRA_STATE", state.toString());
        builder.environment().put("PALYRA_USER", "nobody");
        builder.environment().put("PALYRA_JAVA_HOME", System.getProperty("java.home"));
        builder.redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")));
        return builder;
    }
}
