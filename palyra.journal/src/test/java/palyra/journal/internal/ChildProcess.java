package palyra.journal.internal;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A {@link LockChild} in another JVM. */
final class ChildProcess implements AutoCloseable {
    private static final long PATIENCE_SECONDS = 60;

    private final Process process;
    private final PrintStream in;
    private final LinkedBlockingQueue<String> said = new LinkedBlockingQueue<>();

    ChildProcess(Path state, String boot) throws IOException {
        process =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "--enable-native-access=ALL-UNNAMED",
                                "-XX:TieredStopAtLevel=1",
                                "-Xmx256m",
                                "-Dorg.slf4j.simpleLogger.defaultLogLevel=off",
                                "-cp",
                                System.getProperty("java.class.path"),
                                LockChild.class.getName(),
                                state.toString(),
                                boot)
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start();
        in = new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8);
        Thread reader = new Thread(this::read, "child-" + process.pid());
        reader.setDaemon(true);
        reader.start();
    }

    private void read() {
        try (BufferedReader out =
                new BufferedReader(
                        new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = out.readLine(); line != null; line = out.readLine()) {
                said.add(line);
            }
        } catch (IOException e) {
            said.add("ended"); // killed
        }
    }

    long pid() {
        return process.pid();
    }

    /** Returns the next line that it says. */
    String says() {
        try {
            String line = said.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
            assertTrue(line != null, "the child says nothing");
            return line;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    /** Returns whether it has said nothing that was not read yet. */
    boolean isSilent() {
        return said.isEmpty();
    }

    void tell(String command) {
        in.println(command);
    }

    String answers(String command) {
        tell(command);
        return says();
    }

    /** Stops it where it stands, or lets it go on. */
    void signal(String name) {
        try {
            Process kill =
                    new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                            .inheritIO()
                            .start();
            assertTrue(kill.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS) && kill.exitValue() == 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    /** Kills it and waits until it is gone. */
    void kill() throws InterruptedException {
        process.destroyForcibly();
        assertTrue(process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS));
    }

    @Override
    public void close() throws InterruptedException {
        kill();
    }
}
