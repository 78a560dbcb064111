package palyra.shell.internal.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.command.ExitCodes;
import palyra.api.core.command.CommandResult;
import palyra.api.core.command.CommandRunner.Limits;
import palyra.shell.internal.fakes.HostFixture;
import palyra.shell.internal.fakes.TestCommand;

class HostedCommandsTest {
    private static final byte[] NO_INPUT = new byte[0];

    private final HostFixture fixture = new HostFixture();
    private final HostedCommands commands = new HostedCommands(fixture.host);

    private CommandResult run(byte[] input, Limits limits, String... argv) {
        return commands.start(fixture.access.authenticate(null), List.of(argv), input, limits)
                .await();
    }

    @Test
    void runsForTheCallerAndReturnsWhatWasWritten() {
        fixture.add(
                TestCommand.of(
                        "greet",
                        context -> {
                            String read =
                                    new String(context.in().readAllBytes(), StandardCharsets.UTF_8);
                            context.output().line(read + " " + context.principal().id());
                            return 1;
                        }));
        CommandResult result = run("hello".getBytes(StandardCharsets.UTF_8), Limits.USUAL, "greet");
        assertEquals(1, result.exitCode());
        assertEquals("hello user:op\n", result.text());
        assertFalse(result.truncated());
    }

    @Test
    void saysARefusalAsItsCommandDoes() {
        CommandResult result = run(NO_INPUT, Limits.USUAL, "nothing", "--json");
        assertEquals(ExitCodes.USAGE, result.exitCode());
        assertTrue(result.error().contains("\"error\""), result.error());
        assertEquals("", result.text());
    }

    @Test
    void keepsOutputWithinItsBoundAndStopsTheCommand() {
        CountDownLatch stopped = new CountDownLatch(1);
        fixture.add(
                TestCommand.of(
                        "flood",
                        context -> {
                            context.onCancel(stopped::countDown);
                            context.out().write(new byte[100]);
                            context.out().flush();
                            return stopped.await(30, TimeUnit.SECONDS) ? 0 : 9;
                        }));
        CommandResult result = run(NO_INPUT, new Limits(64, 30_000), "flood");
        assertTrue(result.truncated());
        assertEquals(64, result.output().length);
        assertEquals(0, stopped.getCount());
    }

    @Test
    void stopsACommandWhoseTimeIsUp() {
        CountDownLatch stopped = new CountDownLatch(1);
        fixture.add(
                TestCommand.of(
                        "wait",
                        context -> {
                            context.onCancel(stopped::countDown);
                            stopped.await();
                            return 0;
                        }));
        PalyraException late =
                assertThrows(
                        PalyraException.class, () -> run(NO_INPUT, new Limits(64, 50), "wait"));
        assertEquals(ErrorCode.TIMED_OUT, late.code());
        assertEquals(0, stopped.getCount());
    }
}
