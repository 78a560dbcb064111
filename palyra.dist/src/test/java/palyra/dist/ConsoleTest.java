package palyra.dist;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * {@code palyra up} with a terminal and without one, from the archive. Each test has a gateway of
 * its own and mostly waits for it.
 */
@Execution(ExecutionMode.CONCURRENT)
@Timeout(300)
class ConsoleTest {
    @TempDir Path folder;

    private Installation palyra;

    @BeforeEach
    void unpack() throws Exception {
        palyra = Installation.unpack(folder);
    }

    private Typist up(String... options) throws Exception {
        return new Typist(palyra.palyraAtATerminal(words(options)).start());
    }

    private static String[] words(String... options) {
        return Stream.concat(
                        Stream.of(
                                "up", "--http-port", "0", "--set", "palyra.transport.grpc:port=0"),
                        Stream.of(options))
                .toArray(String[]::new);
    }

    @Test
    void explainsItsOwnWordsBeforeAnythingIsMade() throws Exception {
        for (String[] words :
                new String[][] {
                    {"up", "--help"},
                    {"up", "--http-port", "0", "-h"},
                    {"help", "up"},
                    {"optimize", "--help"},
                    {"help", "shell"}
                }) {
            Process process = palyra.palyra(words).redirectErrorStream(true).start();
            String said = new String(process.getInputStream().readAllBytes(), UTF_8);
            assertTrue(process.waitFor(60, TimeUnit.SECONDS), said);
            assertEquals(0, process.exitValue(), said);
            assertTrue(said.contains("palyra up [options]"), said);
            assertFalse(Files.exists(palyra.state()), "made by " + String.join(" ", words));
        }
    }

    @Test
    void opensThePromptAtATerminal() throws Exception {
        try (Typist person = up("--set", "palyra.models.deterministic:wordMillis=400")) {
            person.expect("palyra up in ");
            person.expect("palyra> ");
            person.ask("status", "journal:");
            person.ask("ask \"hello there! what?\"", "You said: hello there! what?");
            person.ask("lb -s | grep -i APACHE.felix.SCR", "org.apache.felix.scr (2.");
            person.ask("bundles | less", "supports only grep [-i] [-v] TEXT");
            person.ask(" access whoami", "local-peer:");

            person.type("tape ver\t");
            person.expect("verify");
            person.type("\u0015statu\t");
            person.expect("status ");
            person.type("\r");
            person.expect("active runs:");
            person.expect("palyra> ");

            person.type("ask \"" + "word ".repeat(40) + "\"\r");
            person.expect("You said: word word");
            person.type("\u0003");
            // The command ends when its run has, and the prompt is back.
            person.expect("was cancelled: stopped with Ctrl-C");
            person.expect("palyra> ");
            person.ask("runs", "CANCELLED");

            // Ctrl-C drops the line and nothing else.
            person.type("nonsense\u0003");
            person.expect("palyra> ");

            // What is typed while a command runs is its input.
            person.type("vault put global/typed\r");
            person.expect("it is not shown");
            person.type("tF4-unseen-98c1\r");
            person.expect("vault:global/typed");
            person.expect("palyra> ");
            assertFalse(person.shown().contains("tF4-unseen"), person::shown);

            person.type("exit\r");
            person.expect("palyra stopped");
            assertEquals(0, person.exitCode(), person::shown);
        }
        Path history = palyra.state().resolve("history");
        assertEquals("rw-------", mode(history));
        String kept = Files.readString(history);
        assertTrue(kept.contains(":status\n"), kept);
        assertFalse(kept.contains("whoami"), "a line that begins with a blank: " + kept);
        assertFalse(kept.contains("unseen"), "input of a command: " + kept);
        assertEquals(Set.of(), openToOthers(), "nothing in the state folder is another user's");
    }

    @Test
    void endOfInputStopsTheGateway() throws Exception {
        try (Typist person = up()) {
            person.expect("palyra> ");
            person.type("\u0004");
            person.expect("palyra stopped");
            assertEquals(0, person.exitCode(), person::shown);
        }
    }

    /** A terminal of a kind that the editor does not know. */
    @Test
    void asksWithoutComfortsAtAnUnknownTerminal() throws Exception {
        ProcessBuilder up = palyra.palyraAtATerminal(words());
        up.environment().put("TERM", "no-such-terminal");
        try (Typist person = new Typist(up.start())) {
            person.expect("palyra> ");
            person.ask("access whoami", "local-peer:");
            person.type("exit\r");
            person.expect("palyra stopped");
            assertEquals(0, person.exitCode(), person::shown);
        }
    }

    /** The prompt without a terminal: its input is a file, and the last command's code its own. */
    @Test
    void runsTheCommandsOfAPipeAndStops() throws Exception {
        Process gateway = palyra.palyra(words("--console")).start();
        try (Typist log = new Typist(gateway)) {
            log.type("access whoami\nbundles | grep no.such.bundle\n");
            gateway.getOutputStream().close();
            log.expect("local-peer:");
            log.expect("palyra stopped");
            assertEquals(1, log.exitCode(), log::shown);
        }
    }

    @Test
    void outlivesTheEndOfItsInputWithoutATerminal() throws Exception {
        ProcessBuilder up = palyra.palyra(words());
        Path loaded = classLog(up);
        Process gateway = up.start();
        try (Typist log = new Typist(gateway)) {
            gateway.getOutputStream().close();
            log.expect("palyra up in ");
            String bundles = palyra.command("bundles");
            assertTrue(bundles.contains("palyra.gateway"), bundles);
            assertFalse(bundles.contains("jline"), bundles);
            pipesCommandsInto(palyra.palyra("shell"));
            assertTrue(gateway.isAlive());
            // exec all the way: the process we started is the JVM, so the signal reaches it.
            gateway.toHandle().destroy();
            log.expect("palyra stopped");
            assertTrue(gateway.waitFor(30, TimeUnit.SECONDS));
            assertEquals(0, gateway.exitValue(), log::shown);
        }
        assertFalse(Files.exists(palyra.state().resolve("history")));
        assertLoadsNoTerminalLibrary(loaded, "palyra.launcher.Main");
    }

    private void pipesCommandsInto(ProcessBuilder shell) throws Exception {
        Path loaded = classLog(shell);
        Process process = shell.start();
        try (Typist log = new Typist(process)) {
            log.type("access whoami\nbundles | grep palyra.gateway\n");
            process.getOutputStream().close();
            log.expect("local-peer:");
            log.expect("palyra.gateway");
            assertEquals(0, log.exitCode(), log::shown);
        }
        assertLoadsNoTerminalLibrary(loaded, "palyra.launcher.Prompt");
    }

    /** Has the JVM write down which classes it loads. */
    private Path classLog(ProcessBuilder process) throws Exception {
        Path open = Files.createTempDirectory(folder, "classes");
        Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxrwxrwx"));
        Path log = open.resolve("log");
        process.environment().put("JDK_JAVA_OPTIONS", "-Xlog:class+load:file=" + log);
        process.environment().put("PALYRA_KEEP_ENV", "JDK_JAVA_OPTIONS"); // of root's environment
        return log;
    }

    private static void assertLoadsNoTerminalLibrary(Path log, String known) throws Exception {
        String loaded = Files.readString(log);
        assertTrue(loaded.contains(known + " "), "the log is one of classes");
        assertFalse(loaded.contains("org.jline"), "a terminal library without a terminal");
    }

    private static String mode(Path path) throws Exception {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }

    private Set<String> openToOthers() throws Exception {
        Set<String> open = new TreeSet<>();
        try (Stream<Path> files = Files.walk(palyra.state())) {
            for (Path file : (Iterable<Path>) files::iterator) {
                if (!Files.isSymbolicLink(file) && !mode(file).endsWith("------")) {
                    open.add(palyra.state().relativize(file) + " " + mode(file));
                }
            }
        }
        return open;
    }
}
