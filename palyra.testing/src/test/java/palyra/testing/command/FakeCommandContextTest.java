package palyra.testing.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.command.Command;
import palyra.api.command.CommandContext;
import palyra.api.command.CommandSpec;
import palyra.api.command.ExitCodes;
import palyra.testing.wait.Await;

class FakeCommandContextTest {
    @FunctionalInterface
    private interface Body {
        int run(CommandContext context) throws Exception;
    }

    private static Command command(Body body) {
        return new Command() {
            @Override
            public CommandSpec spec() {
                return new CommandSpec("try", "Tries.", "", List.of(), List.of(), "try", false);
            }

            @Override
            public int run(CommandContext context) throws Exception {
                return body.run(context);
            }
        };
    }

    private static int report(CommandContext context) {
        context.output().table(List.of("Run", "Head seq"), List.of(List.of("a", "1")));
        context.output().fields(Map.of("state", "RUNNING"));
        context.output().line("a line");
        context.output().raw("raw");
        context.output().note("a note");
        return ExitCodes.OK;
    }

    @Test
    void keepsWhatACommandWrites() throws Exception {
        FakeCommandContext context = FakeCommandContext.builder().terminal(120).build();
        assertEquals(0, context.run(command(FakeCommandContextTest::report)));
        assertEquals("Run\tHead seq\na\t1\nstate: RUNNING\na line\nraw", context.output().text());
        assertEquals(List.of("a note"), context.output().notes());
        assertEquals(List.of(List.of("a", "1")), context.output().tables().get(0).rows());
        assertEquals("RUNNING", context.output().fieldSets().get(0).get("state"));
        assertEquals(120, context.columns());
    }

    @Test
    void writesNothingButJsonWhenAsked() throws Exception {
        FakeCommandContext context = FakeCommandContext.builder().json().build();
        context.run(command(FakeCommandContextTest::report));
        assertEquals(
                "[{\"run\":\"a\",\"headSeq\":\"1\"}]\n{\"state\":\"RUNNING\"}\n",
                context.output().text());
    }

    @Test
    void findsARowThatDoesNotFitItsHeadings() {
        FakeCommandContext context = FakeCommandContext.builder().build();
        assertThrows(
                AssertionError.class,
                () -> context.output().table(List.of("A", "B"), List.of(List.of("only one"))));
    }

    @Test
    void handsOverArgumentsAndInput() throws Exception {
        FakeCommandContext context =
                FakeCommandContext.builder()
                        .option("session", "s1")
                        .flag("new")
                        .positionals("hello", "world")
                        .in("typed")
                        .workingFolder("/home/x")
                        .build();
        int code =
                context.run(
                        command(
                                given -> {
                                    assertEquals("s1", given.arguments().option("session").get());
                                    assertTrue(given.arguments().flag("new"));
                                    assertEquals("world", given.arguments().positional(1).get());
                                    given.out().write(given.in().readAllBytes());
                                    return 3;
                                }));
        assertEquals(3, code);
        assertEquals("typed", new String(context.bytesOut(), StandardCharsets.UTF_8));
    }

    @Test
    void turnsAnExceptionIntoALineAndItsExitCode() throws Exception {
        FakeCommandContext context = FakeCommandContext.builder().build();
        int code =
                context.run(
                        command(
                                given -> {
                                    throw new PalyraException(ErrorCode.NOT_FOUND, "No such run.");
                                }));
        assertEquals(ExitCodes.NOT_FOUND, code);
        assertEquals(List.of("No such run."), context.output().notes());
    }

    @Test
    void cancelRunsTheActionsThenInterruptsTheCommand() {
        FakeCommandContext context = FakeCommandContext.builder().build();
        CountDownLatch never = new CountDownLatch(1);
        AtomicInteger actions = new AtomicInteger();
        Command waiting =
                command(
                        given -> {
                            given.onCancel(actions::incrementAndGet);
                            try {
                                never.await();
                                return ExitCodes.OK;
                            } catch (InterruptedException e) {
                                return ExitCodes.CANCELLED;
                            }
                        });
        AtomicInteger code = new AtomicInteger(-1);
        Thread thread = Thread.ofPlatform().start(() -> code.set(runQuietly(context, waiting)));
        Await.until("the command to wait", () -> thread.getState() == Thread.State.WAITING);
        context.cancel();
        Await.ended(thread);
        assertEquals(ExitCodes.CANCELLED, code.get());
        assertEquals(1, actions.get());
        assertTrue(context.cancelled());
        context.onCancel(actions::incrementAndGet);
        assertEquals(2, actions.get(), "an action after the cancellation runs at once");
    }

    private static int runQuietly(FakeCommandContext context, Command command) {
        try {
            return context.run(command);
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }
}
