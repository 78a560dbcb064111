package palyra.shell.internal.felix;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.felix.service.command.CommandProcessor;
import org.apache.felix.service.command.Converter;
import org.apache.felix.service.command.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.osgi.framework.Bundle;
import org.osgi.framework.FrameworkUtil;
import palyra.api.command.ExitCodes;
import palyra.api.command.PositionalSpec;
import palyra.shell.internal.fakes.FrameworkFixture;
import palyra.shell.internal.fakes.HostFixture;
import palyra.shell.internal.fakes.TestCommand;
import palyra.shell.internal.fakes.parts.Sulker;
import palyra.shell.internal.host.StopCause;

/** Felix's commands with the real ones behind them: each is decided, recorded first, and words. */
@Timeout(60)
class FelixTest {
    @TempDir Path folder;
    private final HostFixture fixture = new HostFixture();
    private FrameworkFixture framework;
    private CommandProcessor processor;
    private Bundle some;

    @BeforeEach
    void start() throws Exception {
        Files.createDirectories(folder.resolve("state"));
        framework = new FrameworkFixture(folder);
        framework.installLibrary("org.apache.felix.gogo.runtime.CommandProcessorImpl").start();
        framework.installLibrary("org.apache.felix.gogo.command.Activator").start();
        processor =
                framework
                        .context()
                        .getService(
                                framework.context().getServiceReference(CommandProcessor.class));
        framework
                .context()
                .registerService(
                        Converter.class,
                        new BundleConverter(framework.context()),
                        FrameworkUtil.asDictionary(
                                Map.of(Converter.CONVERTER_CLASSES, "org.osgi.framework.Bundle")));
        FelixVerb.ALL.forEach(verb -> fixture.add(command(verb)));
        some = framework.start(new FrameworkFixture.Jar("test.some", "1.0.0"));
    }

    @AfterEach
    void stop() throws Exception {
        framework.close();
    }

    @Test
    void eachVerbHasAnActionOfItsOwn() {
        Set<String> actions = new HashSet<>();
        FelixVerb.ALL.forEach(
                verb -> assertTrue(actions.add(verb.action()), "twice: " + verb.action()));
    }

    @Test
    void eachFunctionOfFelixThatIsOfferedIsThere() throws Exception {
        for (FelixVerb verb : FelixVerb.ALL) {
            if (verb.function().startsWith("felix:")) {
                String line = verb.name() + (verb.required() ? " test.none" : "");
                String error = fixture.run(words(line)).errText();
                assertFalse(error.contains("Command not found"), error);
            }
        }
    }

    private static String[] words(String line) {
        return line.split(" ");
    }

    @Test
    void changesAreDecidedAndRecordedBeforeTheyHappen() throws Exception {
        HostFixture.Run run = fixture.run("bundle", "stop", "test.some");
        assertEquals(ExitCodes.OK, run.code(), run.errText());
        assertEquals(Bundle.RESOLVED, some.getState());
        assertEquals(List.of("bundle.stop"), fixture.access.recordedActions());
        assertEquals("", run.outText());
        assertEquals(ExitCodes.OK, fixture.run("start", "test.some").code());
        assertEquals(Bundle.ACTIVE, some.getState());
        assertEquals(ExitCodes.OK, fixture.run("bundle", "stop", "test.some").code());
        fixture.access.deny("bundle.start");
        assertEquals(ExitCodes.DENIED, fixture.run("bundle", "start", "test.some").code());
        assertEquals(Bundle.RESOLVED, some.getState());
    }

    /** What was typed by people who know Felix, at the prompt, outside, and as a line of Gogo. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "bundle stop test.some",
                "felix:stop test.some",
                "gogo stop test.some",
                "gogo felix:stop test.some",
                "gogo stop 'test.some'"
            })
    void deniesStopInWhateverWordsWhenPolicyDenies(String line) throws Exception {
        fixture.access.deny("bundle.stop");
        assertEquals(ExitCodes.DENIED, fixture.run(words(line)).code());
        assertEquals(Bundle.ACTIVE, some.getState());
    }

    @Test
    void readsAreDecidedToo() throws Exception {
        assertTrue(fixture.run("lb", "-s", "test.some").outText().contains("test.some"));
        assertTrue(fixture.run("gogo", "lb -s").outText().contains("test.some"));
        fixture.access.deny("bundle.list");
        assertEquals(ExitCodes.DENIED, fixture.run("gogo", "lb -s").code());
    }

    @Test
    void aLineOfGogoRunsAsItsCallerAndHasNoRightsOfItsOwn() throws Exception {
        fixture.add(
                TestCommand.of(
                        "tape show",
                        false,
                        context -> {
                            context.output().line(context.principal().id());
                            return 0;
                        },
                        List.of(),
                        List.of(PositionalSpec.rest("WORDS", "Any"))));
        String caller = fixture.access.authenticate(null).id();
        assertEquals(caller + "\n", fixture.run("gogo", "palyra:tape show x").outText());
        fixture.access.deny("extension.command");
        assertEquals(ExitCodes.DENIED, fixture.run("gogo", "palyra:tape show x").code());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "$.context",
                "lb | grep x",
                "lb; stop 1",
                "x = 1",
                "(bundle 1) stop",
                "{ lb }",
                "each [1] { stop 1 }",
                "new java.io.File x",
                "gosh -c lb",
                "cat /etc/passwd"
            })
    void offersNothingOfGogosLanguage(String line) throws Exception {
        HostFixture.Run run = fixture.run("gogo", line);
        assertEquals(ExitCodes.USAGE, run.code(), run.outText() + run.errText());
        assertEquals(1, run.errText().lines().count());
        assertEquals(List.of(), fixture.access.recordedActions());
    }

    /** An argument is a value; what it holds is never evaluated. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "$.context",
                "(bundle 1)",
                "'; stop test.some; echo '",
                "\"; stop test.some",
                "{ stop test.some }",
                "a | stop test.some",
                "a\nstop test.some",
                "`stop test.some`"
            })
    void neverEvaluatesAnArgument(String argument) throws Exception {
        HostFixture.Run run = fixture.run("lb", "-s", argument);
        assertEquals(ExitCodes.OK, run.code(), run.errText());
        assertTrue(run.outText().contains("No matching bundles found"), run.outText());
        assertEquals(ExitCodes.FAILED, fixture.run("bundle", "headers", argument).code());
        assertEquals(Bundle.ACTIVE, some.getState());
    }

    @Test
    void saysWhatItTakesWhenFelixRefuses() throws Exception {
        HostFixture.Run run = fixture.run("bundle", "update", "test.none");
        assertEquals(ExitCodes.FAILED, run.code());
        assertTrue(run.errText().contains("It takes BUNDLE [URL]."), run.errText());
        assertEquals(1, run.errText().lines().count());
        assertEquals(ExitCodes.USAGE, fixture.run("bundle", "update").code());
        assertEquals(ExitCodes.USAGE, fixture.run("bundle", "start", "-x", "1").code());
        assertEquals(ExitCodes.USAGE, fixture.run("scr", "config", "x").code());
        assertEquals(0, fixture.run("bundle", "start", "--help").code());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "bundle start test.none",
                "bundle install file:/nonexistent.jar",
                "bundle update test.none",
                "bundle headers test.none"
            })
    void whatFelixDidNotDoIsAFailure(String line) throws Exception {
        HostFixture.Run run = fixture.run(words(line));
        assertEquals(ExitCodes.FAILED, run.code(), run.outText());
        assertEquals(1, run.errText().lines().count());
        assertTrue(run.errText().startsWith("palyra: Felix refused "), run.errText());
    }

    @Test
    void leavesStackTracesToTheLog() throws Exception {
        HostFixture.Run run = fixture.run("bundle", "update", "test.some", "file:/etc/hostname");
        String said = run.outText() + run.errText();
        assertFalse(said.contains("\tat "), said);
        assertTrue(said.contains("update"), said);
    }

    /** Nothing could start it again. */
    @Test
    void accessControlIsNotStopped() throws Exception {
        Bundle access = framework.start(new FrameworkFixture.Jar("palyra.access", "1.0.0"));
        for (String verb : List.of("stop", "uninstall")) {
            HostFixture.Run run = fixture.run("bundle", verb, "palyra.access");
            assertEquals(ExitCodes.USAGE, run.code(), run.outText());
            assertTrue(run.errText().contains("palyra stop"), run.errText());
        }
        assertEquals(Bundle.ACTIVE, access.getState());
    }

    /** It has an action of its own, which a right to handle bundles does not hold. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "bundle stop 0",
                "bundle stop -t 00",
                "bundle stop org.apache.felix.framework",
                "bundle update 0",
                "bundle refresh 0",
                "bundle uninstall 0"
            })
    void theFrameworkIsNoBundleToHandle(String line) throws Exception {
        HostFixture.Run run = fixture.run(words(line));
        assertEquals(ExitCodes.USAGE, run.code(), run.outText());
        assertTrue(run.errText().contains("stop it with palyra stop"), run.errText());
        assertEquals(Bundle.ACTIVE, framework.context().getBundle(0).getState());
    }

    private FelixCommand command(FelixVerb verb) {
        return new FelixCommand(
                verb,
                processor,
                bundles(),
                bundle -> FelixCommands.failures(framework.runtime(), framework.context(), bundle));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "<service><provide interface=\"java.util.function.Supplier\"/></service>"
            })
    void saysThatAComponentOfAStartedBundleFails(String service) throws Exception {
        framework.install(
                new FrameworkFixture.Jar("test.sulker", "1.0.0").component(Sulker.class, service));
        HostFixture.Run run = fixture.run("bundle", "start", "test.sulker");
        assertEquals(ExitCodes.FAILED, run.code(), run.errText());
        assertTrue(
                run.errText().contains("of test.sulker failed to activate: not today"),
                run.errText());
        assertEquals(ExitCodes.OK, fixture.run("bundle", "start", "test.some").code());
    }

    private BundleConverter bundles() {
        return new BundleConverter(framework.context());
    }

    @Test
    void takesABundleByIdOrName() {
        BundleConverter converter = new BundleConverter(framework.context());
        assertSame(some, converter.convert(Bundle.class, "test.some"));
        assertSame(some, converter.convert(Bundle.class, Long.toString(some.getBundleId())));
        assertNull(converter.convert(Bundle.class, "test.none"));
        assertNull(converter.convert(String.class, "test.some"));
        assertTrue(
                converter.format(some, Converter.INSPECT, null).toString().contains("test.some"));
        assertNull(converter.format("x", Converter.LINE, null));
    }

    private FelixCommand own(String name, Function function) {
        framework
                .context()
                .registerService(
                        Function.class,
                        function,
                        FrameworkUtil.asDictionary(
                                Map.of(
                                        CommandProcessor.COMMAND_SCOPE,
                                        "test",
                                        CommandProcessor.COMMAND_FUNCTION,
                                        name)));
        FelixVerb verb =
                new FelixVerb(
                        name,
                        "test:" + name,
                        "bundle.update",
                        true,
                        "For a test.",
                        "",
                        false,
                        Set.of());
        FelixCommand command = command(verb);
        fixture.add(command);
        return command;
    }

    @Test
    void neitherInterruptsNorAwaitsACommandThatTakesItselfAway() throws Exception {
        CountDownLatch finished = new CountDownLatch(1);
        AtomicBoolean interrupted = new AtomicBoolean(true);
        FelixCommand[] command = new FelixCommand[1];
        command[0] =
                own(
                        "vanish",
                        (session, arguments) -> {
                            // What an update of the shell does, seen from the command that asked.
                            fixture.registry.unbindCommand(command[0]);
                            interrupted.set(Thread.currentThread().isInterrupted());
                            finished.countDown();
                            return null;
                        });
        HostFixture.Run run = fixture.run("vanish");
        assertEquals(ExitCodes.UNAVAILABLE, run.code());
        assertEquals("The shell goes away; the command goes on by itself.\n", run.errText());
        assertTrue(finished.await(10, TimeUnit.SECONDS));
        assertFalse(interrupted.get());
    }

    @Test
    void stopsACommandOnCtrlC() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch stopped = new CountDownLatch(1);
        own(
                "linger",
                (session, arguments) -> {
                    begun.countDown();
                    try {
                        new CountDownLatch(1).await(30, TimeUnit.SECONDS);
                    } catch (InterruptedException e) {
                        stopped.countDown();
                    }
                    return null;
                });
        HostFixture.Run run = fixture.start("linger");
        assertTrue(begun.await(10, TimeUnit.SECONDS));
        run.execution.stop(StopCause.PERSON);
        assertEquals(ExitCodes.CANCELLED, run.code());
        assertTrue(stopped.await(10, TimeUnit.SECONDS));
    }
}
