package palyra.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StateLockTest {
    @TempDir Path state;

    /** Holds the lock in a process of its own until its input ends. */
    static final class Holder {
        private Holder() {}

        public static void main(String[] arguments) throws Exception {
            try (StateLock lock = StateLock.take(Path.of(arguments[0]))) {
                System.out.write('!');
                System.out.flush();
                if (System.in.read() >= 0) {
                    throw new IllegalStateException("input was not expected while holding " + lock);
                }
            }
        }
    }

    private static Process holder(Path state) throws Exception {
        Process process =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-XX:TieredStopAtLevel=1",
                                "-cp",
                                System.getProperty("java.class.path"),
                                Holder.class.getName(),
                                state.toString())
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start();
        assertEquals('!', process.getInputStream().read());
        return process;
    }

    @Test
    void refusesASecondProcessAndNamesTheFirst() throws Exception {
        Process first = holder(state);
        try {
            LaunchException refused =
                    assertThrows(LaunchException.class, () -> StateLock.take(state));
            assertEquals(ExitCode.LOCKED, refused.exitCode());
            assertTrue(refused.getMessage().contains("process " + first.pid()));
            assertTrue(refused.getMessage().contains(state.toString()));
        } finally {
            first.getOutputStream().close();
            assertTrue(first.waitFor(20, TimeUnit.SECONDS));
        }
        StateLock.take(state).close();
    }

    @Test
    void isFreeAgainWhenItsHolderWasKilled() throws Exception {
        Process first = holder(state);
        first.destroyForcibly();
        assertTrue(first.waitFor(20, TimeUnit.SECONDS));
        StateLock.take(state).close();
    }

    @Test
    void refusesTheSameProcessTwice() throws Exception {
        StateLock held = StateLock.take(state);
        LaunchException refused = assertThrows(LaunchException.class, () -> StateLock.take(state));
        assertTrue(refused.getMessage().contains("process " + ProcessHandle.current().pid()));
        held.close();
        StateLock.take(state).close();
    }
}
