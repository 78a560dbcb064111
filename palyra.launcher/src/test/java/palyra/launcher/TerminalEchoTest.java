package palyra.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** At a real terminal, which script(1) of util-linux makes. */
@Timeout(90)
class TerminalEchoTest {
    /** What runs at the terminal: says how its echo is, before, while and after it is hidden. */
    public static final class Probe {
        private Probe() {}

        /** The argument {@code die} lets it be killed while the echo is off. */
        public static void main(String[] arguments) throws Exception {
            try (TerminalEcho echo = new TerminalEcho(true, new File("/dev/tty"))) {
                OutputStream out = new ConcealingOutput(System.out, echo);
                say("before", echo());
                out.write("\u001b[8".getBytes(StandardCharsets.US_ASCII));
                out.write("m".getBytes(StandardCharsets.US_ASCII));
                say("hidden", echo());
                if (Arrays.asList(arguments).contains("die")) {
                    run("kill -9 " + ProcessHandle.current().pid());
                }
                out.write("\u001b[28m".getBytes(StandardCharsets.US_ASCII));
                say("shown", echo());
                out.write("\u001b[8m".getBytes(StandardCharsets.US_ASCII));
                say("again", echo());
            }
            say("closed", echo());
        }

        private static void say(String when, String what) {
            System.out.println(when + "=" + what + ";");
        }

        private static String echo() throws Exception {
            List<String> words = List.of(run("stty -a </dev/tty").split("[\\s;]+"));
            return words.contains("-echo") ? "off" : words.contains("echo") ? "on" : "unknown";
        }

        private static String run(String command) throws Exception {
            Process process = new ProcessBuilder("sh", "-c", command).start();
            String said = new String(process.getInputStream().readAllBytes());
            process.waitFor();
            return said;
        }
    }

    private static String atATerminal(String after, String... arguments) throws Exception {
        String classPath =
                Stream.of(TerminalEcho.class, Probe.class)
                        .map(type -> type.getProtectionDomain().getCodeSource().getLocation())
                        .map(location -> Path.of(location.getPath()).toString())
                        .distinct()
                        .reduce((first, second) -> first + ":" + second)
                        .orElseThrow();
        String java =
                Path.of(System.getProperty("java.home"), "bin", "java")
                        + " -XX:TieredStopAtLevel=1 -cp "
                        + classPath
                        + " "
                        + Probe.class.getName().replace("$", "\\$")
                        + " "
                        + String.join(" ", arguments);
        Process process;
        try {
            process =
                    new ProcessBuilder("script", "-qec", java + "; " + after, "/dev/null")
                            .redirectErrorStream(true)
                            .start();
        } catch (IOException e) {
            throw new AssertionError("install util-linux: this test needs script(1)", e);
        }
        String shown = new String(process.getInputStream().readAllBytes());
        assertTrue(process.waitFor(60, TimeUnit.SECONDS), shown);
        return shown;
    }

    @Test
    void whatIsTypedIsHiddenAndShownAgain() throws Exception {
        String shown = atATerminal("true");
        for (String line :
                List.of("before=on;", "hidden=off;", "shown=on;", "again=off;", "closed=on;")) {
            assertTrue(shown.contains(line), shown);
        }
    }

    @Test
    void aKilledCommandLeavesTheTerminalAsItWas() throws Exception {
        String shown =
                atATerminal(
                        "for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do"
                                + " stty -a </dev/tty | grep -q ' echo ' && echo restored && break;"
                                + " sleep 0.5; done",
                        "die");
        assertTrue(shown.contains("hidden=off;"), shown);
        assertFalse(shown.contains("shown="), shown);
        assertTrue(shown.contains("restored"), shown);
    }

    @Test
    void withoutATerminalTheOutputPassesAsItIs() throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        TerminalEcho none = new TerminalEcho(false, new File("/nonexistent"));
        try (OutputStream concealing = new ConcealingOutput(out, none)) {
            concealing.write("a\u001b[8mb\u001b[28m\u001b[31mc".getBytes(StandardCharsets.UTF_8));
            concealing.write('d');
        }
        assertEquals("a\u001b[8mb\u001b[28m\u001b[31mcd", out.toString(StandardCharsets.UTF_8));
        assertFalse(none.hide());
    }

    @Test
    void aDeviceThatIsNoTerminalFallsBack() {
        try (TerminalEcho echo = new TerminalEcho(true, new File("/dev/null"))) {
            assertFalse(echo.hide());
        }
    }
}
