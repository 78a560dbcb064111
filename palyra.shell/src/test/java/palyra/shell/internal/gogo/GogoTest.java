package palyra.shell.internal.gogo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.felix.gogo.runtime.CommandProcessorImpl;
import org.apache.felix.service.command.CommandProcessor;
import org.apache.felix.service.command.CommandSession;
import org.apache.felix.service.command.Converter;
import org.apache.felix.service.command.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.osgi.framework.Bundle;
import org.osgi.framework.FrameworkUtil;
import palyra.api.command.ExitCodes;
import palyra.api.command.PositionalSpec;
import palyra.api.core.access.Credential;
import palyra.shell.internal.fakes.FrameworkFixture;
import palyra.shell.internal.fakes.HostFixture;
import palyra.shell.internal.fakes.TestCommand;
import palyra.shell.internal.host.StopCause;
import palyra.testing.wait.Await;

@Timeout(60)
class GogoTest {
    @TempDir Path folder;
    private final HostFixture fixture = new HostFixture();
    private FrameworkFixture framework;
    private CommandProcessor processor;
    private GogoFunctions functions;

    @BeforeEach
    void start() throws Exception {
        Files.createDirectories(folder.resolve("state"));
        framework = new FrameworkFixture(folder);
        framework.installLibrary("org.apache.felix.gogo.runtime.CommandProcessorImpl").start();
        processor =
                framework
                        .context()
                        .getService(
                                framework.context().getServiceReference(CommandProcessor.class));
        functions =
                new GogoFunctions(
                        processor,
                        fixture.host,
                        fixture.registry,
                        fixture.seams,
                        framework.context());
        fixture.add(
                TestCommand.of(
                        "tape show",
                        false,
                        context -> {
                            context.output().line("show " + context.arguments().positionals());
                            return 0;
                        },
                        List.of(),
                        List.of(PositionalSpec.rest("WORDS", "Any"))));
    }

    @AfterEach
    void stop() throws Exception {
        functions.deactivate();
        framework.close();
    }

    private String gogo(String line) throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        PrintStream print = new PrintStream(out, true, StandardCharsets.UTF_8);
        try (CommandSession session =
                processor.createSession(InputStream.nullInputStream(), print, print)) {
            session.execute(line);
        }
        return out.toString(StandardCharsets.UTF_8);
    }

    @Test
    void offersEachFirstWordAsAFunctionThatTakesTheNext() throws Exception {
        assertEquals("show [a b, c]\n", gogo("palyra:tape show 'a b' c"));
        assertTrue(gogo("palyra:help").contains("tape show"));
        Credential.LocalPeer self = (Credential.LocalPeer) fixture.access.credentials().get(0);
        assertEquals(((Number) Files.getAttribute(folder, "unix:uid")).longValue(), self.uid());
    }

    @Test
    void followsCommandsAsTheyComeAndGo() throws Exception {
        assertThrows(Exception.class, () -> gogo("palyra:hello"));
        TestCommand hello =
                TestCommand.of(
                        "hello",
                        context -> {
                            context.output().line("hi");
                            return 0;
                        });
        fixture.add(hello);
        assertEquals("hi\n", gogo("palyra:hello"));
        fixture.registry.unbindCommand(hello);
        assertThrows(Exception.class, () -> gogo("palyra:hello"));
    }

    @Test
    void runsALineFromOutside() throws Exception {
        fixture.add(new GogoCommand(processor));
        assertEquals("show [x]\n", fixture.run("gogo", "palyra:tape show x").outText());
        assertEquals(List.of("bundle.update"), fixture.access.recorded());
        HostFixture.Run bad = fixture.run("gogo", "no-such-thing");
        assertEquals(ExitCodes.FAILED, bad.code());
        assertEquals(1, bad.errText().lines().count());
        assertEquals(ExitCodes.USAGE, fixture.run("gogo", "two", "words").code());
        fixture.access.deny("bundle.update");
        assertEquals(ExitCodes.DENIED, fixture.run("gogo", "palyra:tape show x").code());
    }

    @Test
    void takesABundleByIdOrName() throws Exception {
        Bundle bundle = framework.start(new FrameworkFixture.Jar("test.some", "1.0.0"));
        BundleConverter converter = new BundleConverter(framework.context());
        assertSame(bundle, converter.convert(Bundle.class, "test.some"));
        assertSame(bundle, converter.convert(Bundle.class, Long.toString(bundle.getBundleId())));
        assertNull(converter.convert(Bundle.class, "test.none"));
        assertNull(converter.convert(String.class, "test.some"));
        assertTrue(
                converter.format(bundle, Converter.INSPECT, null).toString().contains("test.some"));
        assertNull(converter.format("x", Converter.LINE, null));
    }

    @Test
    void neitherInterruptsNorAwaitsALineThatTakesItsOwnCommandAway() throws Exception {
        GogoCommand command = new GogoCommand(processor);
        fixture.add(command);
        CountDownLatch finished = new CountDownLatch(1);
        AtomicBoolean interrupted = new AtomicBoolean(true);
        framework
                .context()
                .registerService(
                        Function.class,
                        (session, arguments) -> {
                            // What an update of the shell does, seen from the line that asked.
                            fixture.registry.unbindCommand(command);
                            interrupted.set(Thread.currentThread().isInterrupted());
                            finished.countDown();
                            return null;
                        },
                        FrameworkUtil.asDictionary(
                                Map.of(
                                        CommandProcessor.COMMAND_SCOPE, "test",
                                        CommandProcessor.COMMAND_FUNCTION, "vanish")));
        HostFixture.Run run = fixture.run("gogo", "test:vanish");
        assertEquals(ExitCodes.UNAVAILABLE, run.code());
        assertEquals("The shell goes away; the line goes on by itself.\n", run.errText());
        assertTrue(finished.await(10, TimeUnit.SECONDS));
        assertFalse(interrupted.get());
    }

    @Test
    void stopsALineOnCtrlC() throws Exception {
        fixture.add(new GogoCommand(processor));
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch stopped = new CountDownLatch(1);
        framework
                .context()
                .registerService(
                        Function.class,
                        (session, arguments) -> {
                            begun.countDown();
                            try {
                                new CountDownLatch(1).await(30, TimeUnit.SECONDS);
                            } catch (InterruptedException e) {
                                stopped.countDown();
                            }
                            return null;
                        },
                        FrameworkUtil.asDictionary(
                                Map.of(
                                        CommandProcessor.COMMAND_SCOPE, "test",
                                        CommandProcessor.COMMAND_FUNCTION, "linger")));
        HostFixture.Run run = fixture.start("gogo", "test:linger");
        assertTrue(begun.await(10, TimeUnit.SECONDS));
        run.execution.stop(StopCause.PERSON);
        assertEquals(ExitCodes.CANCELLED, run.code());
        assertTrue(stopped.await(10, TimeUnit.SECONDS));
    }

    @Test
    void stopsACommandWhenItsThreadIsInterrupted() throws Exception {
        boolean[] stopped = new boolean[1];
        boolean[] started = new boolean[1];
        fixture.add(
                TestCommand.of(
                        "wait",
                        context -> {
                            context.onCancel(() -> stopped[0] = true);
                            started[0] = true;
                            Await.until("a stop", context::cancelled);
                            return 130;
                        }));
        Thread prompt =
                new Thread(
                        () -> {
                            try {
                                gogo("palyra:wait");
                            } catch (Exception e) {
                                // Interrupted, as it should be.
                            }
                        });
        prompt.start();
        Await.until("the command to begin", () -> started[0]);
        prompt.interrupt();
        Await.until("the command to be stopped", () -> stopped[0]);
        Await.ended(prompt);
    }

    @Test
    void showsWhatACommandFlushesWhileItRuns() throws Exception {
        CountDownLatch seen = new CountDownLatch(1);
        boolean[] inTime = new boolean[1];
        fixture.add(
                TestCommand.of(
                        "stream",
                        context -> {
                            context.output().line("first");
                            inTime[0] = seen.await(10, TimeUnit.SECONDS);
                            return 0;
                        }));
        // As a terminal does it: nothing is shown before it is flushed.
        OutputStream terminal =
                new BufferedOutputStream(
                        new OutputStream() {
                            @Override
                            public void write(int one) {
                                seen.countDown();
                            }
                        });
        // A processor of this class path: only there is a function seen to stand in a pipe.
        CommandProcessorImpl pipes = new CommandProcessorImpl();
        try (CommandSession session =
                pipes.createSession(InputStream.nullInputStream(), terminal, terminal)) {
            session.put(
                    "stream",
                    new GogoFunction(
                            "stream", fixture.host, () -> fixture.access.authenticate(null)));
            session.execute("stream");
        } finally {
            pipes.stop();
        }
        assertTrue(inTime[0], "the first line was held back until the command ended");
    }

    @Test
    void writesToAPipeFromTheFunctionsOwnThread() throws Exception {
        Set<Thread> writers = ConcurrentHashMap.newKeySet();
        fixture.add(
                TestCommand.of(
                        "many",
                        context -> {
                            for (int i = 0; i < 1_000; i++) {
                                context.output().line("line " + i);
                            }
                            return 0;
                        }));
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        OutputStream out =
                new OutputStream() {
                    @Override
                    public void write(int one) {
                        write(new byte[] {(byte) one}, 0, 1);
                    }

                    @Override
                    public void write(byte[] bytes, int offset, int length) {
                        writers.add(Thread.currentThread());
                        all.write(bytes, offset, length);
                    }
                };
        Thread[] function = new Thread[1];
        CommandProcessorImpl pipes = new CommandProcessorImpl();
        try (CommandSession session =
                pipes.createSession(InputStream.nullInputStream(), out, out)) {
            GogoFunction many =
                    new GogoFunction("many", fixture.host, () -> fixture.access.authenticate(null));
            Function noted =
                    (s, arguments) -> {
                        function[0] = Thread.currentThread();
                        return many.execute(s, arguments);
                    };
            session.put("many", noted);
            session.execute("many");
        } finally {
            pipes.stop();
        }
        assertEquals(1_000, all.toString(StandardCharsets.UTF_8).lines().count());
        assertEquals(Set.of(function[0]), writers);
    }

    @Test
    void aCommandWhoseOutputIsNoLongerTakenLearnsOfIt() throws Exception {
        Relay relay = new Relay();
        OutputStream inlet =
                relay.to(
                        new OutputStream() {
                            @Override
                            public void write(int one) throws IOException {
                                throw new IOException("Pipe closed");
                            }
                        });
        inlet.write(1);
        assertFalse(relay.carry(0));
        IOException refused = assertThrows(IOException.class, () -> inlet.write(2));
        assertTrue(refused.getMessage().contains("Pipe closed"), refused.getMessage());
        relay.end();
        assertTrue(relay.carry(0));
    }
}
