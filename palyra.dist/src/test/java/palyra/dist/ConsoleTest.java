package palyra.dist;

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
    void opensTheGogoShellAtATerminal() throws Exception {
        try (Typist person = up("--set", "palyra.models.deterministic:wordMillis=400")) {
            person.expect("palyra up in ");
            person.expect("palyra> ");
            person.ask("status", "journal:");
            person.ask("ask \"hello there! what?\"", "You said: hello there! what?");
            // Felix's own commands and Gogo's pipes are there as well.
            person.ask("lb -s | grep org.apache.felix.scr", "org.apache.felix.scr (2.");

            person.type("tape ver\t");
            person.expect("verify");
            person.type("\u0015sta\t");
            person.expect("status ");
            person.type("\r");
            person.expect("active runs:");
            person.expect("palyra> ");

            person.type("ask \"" + "word ".repeat(40) + "\"\r");
            person.expect("You said: word word");
            person.type("\u0003");
            // The prompt is back at once; the command ends when its run has.
            person.expect("was cancelled: stopped with Ctrl-C");
            person.ask("runs", "CANCELLED");

            person.type("exit\r");
            person.expect("palyra stopped");
            assertEquals(0, person.exitCode(), person::shown);
        }
        Path history = palyra.state().resolve("history");
        assertEquals("rw-------", mode(history));
        assertTrue(Files.readString(history).contains(":status\n"));
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

    @Test
    void outlivesTheEndOfItsInputWithoutATerminal() throws Exception {
        Process gateway = palyra.palyra(words()).start();
        try (Typist log = new Typist(gateway)) {
            gateway.getOutputStream().close();
            log.expect("palyra up in ");
            String bundles = palyra.command("bundles");
            assertTrue(bundles.contains("palyra.gateway"), bundles);
            assertFalse(bundles.contains("jline"), bundles);
            assertTrue(gateway.isAlive());
            // exec all the way: the process we started is the JVM, so the signal reaches it.
            gateway.toHandle().destroy();
            log.expect("palyra stopped");
            assertTrue(gateway.waitFor(30, TimeUnit.SECONDS));
            assertEquals(0, gateway.exitValue(), log::shown);
        }
        assertFalse(Files.exists(palyra.state().resolve("history")));
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
