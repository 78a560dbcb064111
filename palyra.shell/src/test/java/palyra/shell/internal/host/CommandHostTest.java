package palyra.shell.internal.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.command.CommandContext;
import palyra.api.command.ExitCodes;
import palyra.api.command.OptionSpec;
import palyra.api.command.PositionalSpec;
import palyra.shell.internal.fakes.HostFixture;
import palyra.shell.internal.fakes.ShellAccess;
import palyra.shell.internal.fakes.TestCommand;
import palyra.testing.wait.Await;

class CommandHostTest {
    private final HostFixture fixture = new HostFixture();
    private final AtomicInteger runs = new AtomicInteger();

    private int count(CommandContext context) {
        return runs.incrementAndGet() > 0 ? ExitCodes.OK : 1;
    }

    @Test
    void runsACommandAndReturnsItsExitCode() throws Exception {
        fixture.add(
                TestCommand.of(
                        "greet",
                        context -> {
                            context.output().line("hello " + context.principal().id());
                            return 7;
                        }));
        HostFixture.Run run = fixture.run("greet");
        assertEquals(7, run.code());
        assertEquals("hello user:op\n", run.outText());
        assertEquals("", run.errText());
    }

    @Test
    void findsCommandsOfTwoWordsBeforeThoseOfOne() throws Exception {
        fixture.add(TestCommand.of("tape", context -> 1));
        fixture.add(TestCommand.of("tape show", context -> 2));
        assertEquals(2, fixture.run("tape", "show").code());
        assertEquals(1, fixture.run("tape").code());
    }

    @Test
    void saysWhatSecondWordsThereAre() throws Exception {
        fixture.add(TestCommand.of("tape show", this::count));
        fixture.add(TestCommand.of("tape verify", this::count));
        HostFixture.Run none = fixture.run("tape");
        assertEquals(ExitCodes.USAGE, none.code());
        assertEquals("palyra: palyra tape needs a second word: show or verify.\n", none.errText());
        HostFixture.Run wrong = fixture.run("tape", "verfy");
        assertEquals(ExitCodes.USAGE, wrong.code());
        assertTrue(wrong.errText().contains("did you mean palyra tape verify?"), wrong.errText());
        assertEquals(0, runs.get());
    }

    @Test
    void anActionThatIsTypedAsACommandLeadsToTheCommandThatAsksForIt() throws Exception {
        fixture.add(TestCommand.of("bundle start", this::count));
        fixture.add(TestCommand.asking("lb", "bundle.list", this::count));
        HostFixture.Run run = fixture.run("bundle", "list");
        assertEquals(ExitCodes.USAGE, run.code());
        assertTrue(run.errText().contains("has no 'list'; palyra lb does that."), run.errText());
    }

    @Test
    void suggestsTheNearestCommand() throws Exception {
        fixture.add(TestCommand.of("status", this::count));
        HostFixture.Run run = fixture.run("statsu");
        assertEquals(ExitCodes.USAGE, run.code());
        assertTrue(run.errText().contains("did you mean palyra status?"), run.errText());
        assertEquals(1, run.errText().lines().count());
    }

    @Test
    void listsAndExplainsCommands() throws Exception {
        fixture.add(
                TestCommand.of(
                        "greet",
                        false,
                        this::count,
                        List.of(OptionSpec.value("name", "NAME", "Whom")),
                        List.of(PositionalSpec.required("WORD", "What"))));
        assertTrue(fixture.run().outText().contains("greet"));
        assertTrue(fixture.run("help").outText().contains("Does greet."));
        for (String[] argv :
                List.of(new String[] {"greet", "--help"}, new String[] {"help", "greet"})) {
            String text = fixture.run(argv).outText();
            assertTrue(text.contains("Usage: palyra greet WORD [options]"), text);
            assertTrue(text.contains("--name NAME"), text);
        }
        JsonNode json = new ObjectMapper().readTree(fixture.run("help", "--json").outText());
        assertTrue(json.isArray() && json.size() == 3, json.toString());
        assertEquals("Of other bundles", json.at("/1/group").asText(), json.toString());
        assertEquals(0, runs.get());
    }

    @Test
    void helpListsCommandsByGroup() throws Exception {
        fixture.add(TestCommand.of("tape show", this::count));
        fixture.add(TestCommand.of("ask", this::count));
        fixture.add(TestCommand.of("acme greet", this::count));
        String text = fixture.run("help").outText();
        int talk = text.indexOf("\nTalk:\n  ask ");
        int evidence = text.indexOf("\nEvidence:\n  tape show ");
        int gateway = text.indexOf("\nThe gateway:\n");
        int others = text.indexOf("\nOf other bundles:\n  acme greet ");
        assertTrue(0 < talk && talk < evidence && evidence < gateway && gateway < others, text);
        assertFalse(text.contains("Vault"), "groups without commands are not listed");
    }

    @Test
    void asksForPermissionBeforeItRunsAndRecordsWhatChanges() throws Exception {
        fixture.add(TestCommand.of("look", this::count));
        fixture.add(TestCommand.of("change", true, this::count, List.of(), List.of()));
        fixture.run("look");
        assertEquals(List.of(), fixture.access.recordedActions());
        fixture.run("change");
        assertEquals(List.of("extension.command"), fixture.access.recordedActions());
        assertEquals(2, runs.get());
        fixture.access.deny("extension.command");
        HostFixture.Run denied = fixture.run("change");
        assertEquals(ExitCodes.DENIED, denied.code());
        assertEquals("palyra: Policy does not allow extension.command.\n", denied.errText());
        assertEquals(2, runs.get());
    }

    @Test
    void saysOnStandardErrorThatTheRecordOfAnEmergencyUseWaits() throws Exception {
        fixture.add(TestCommand.of("look", this::count));
        assertEquals("", fixture.run("look").errText());
        fixture.access.breakGlass("The record waits.");
        HostFixture.Run run = fixture.run("look");
        assertEquals(ExitCodes.OK, run.code());
        assertEquals("palyra: The record waits.\n", run.errText());
        assertEquals(2, runs.get());
    }

    @Test
    void passesThePermissionOn() throws Exception {
        fixture.add(
                TestCommand.of(
                        "permitted",
                        context ->
                                context.permit().action().equals("extension.command")
                                                && context.permit()
                                                        .principal()
                                                        .equals(context.principal())
                                        ? ExitCodes.OK
                                        : ExitCodes.FAILED));
        assertEquals(ExitCodes.OK, fixture.run("permitted").code());
    }

    @Test
    void recordsNoValuesOfCommandsThatMayHoldSecrets() throws Exception {
        fixture.add(
                TestCommand.of(
                        "put",
                        true,
                        this::count,
                        List.of(),
                        List.of(PositionalSpec.required("SECRET", "It"))));
        fixture.run("put", "hunter2");
        assertEquals(1, runs.get());
        assertFalse(fixture.access.calls().toString().contains("hunter2"));
    }

    @Test
    void refusesWhenThereIsNobodyToAsk() throws Exception {
        fixture.add(TestCommand.of("greet", this::count));
        fixture.seams.access().remove(fixture.access);
        HostFixture.Run run = fixture.start("greet");
        assertEquals(ExitCodes.UNAVAILABLE, run.code());
        assertTrue(run.errText().contains("access control is not available"), run.errText());
        assertEquals(0, runs.get());
        fixture.seams.access().add(fixture.access, Map.of());
        assertEquals(ExitCodes.OK, fixture.run("greet").code());
    }

    @Test
    void turnsErrorsIntoOneLineAndAnExitCode() throws Exception {
        fixture.add(
                TestCommand.of(
                        "lost",
                        context -> {
                            throw new PalyraException(
                                    ErrorCode.NOT_FOUND, "There is no\nsuch thing.");
                        }));
        fixture.add(
                TestCommand.of(
                        "broken",
                        context -> {
                            throw new IllegalStateException("secret inside");
                        }));
        HostFixture.Run lost = fixture.run("lost");
        assertEquals(ExitCodes.NOT_FOUND, lost.code());
        assertEquals(1, lost.errText().lines().count());
        HostFixture.Run broken = fixture.run("broken");
        assertEquals(ExitCodes.INTERNAL, broken.code());
        assertEquals(1, broken.errText().lines().count());
        assertFalse(broken.errText().contains("secret inside"));
        assertFalse(broken.errText().contains("IllegalState"), broken.errText());
        JsonNode error = new ObjectMapper().readTree(fixture.run("lost", "--json").errText());
        assertEquals("NOT_FOUND", error.at("/error/code").asText());
        assertEquals("There is no\nsuch thing.", error.at("/error/message").asText());
        JsonNode internal = new ObjectMapper().readTree(fixture.run("broken", "--json").errText());
        assertEquals("INTERNAL", internal.at("/error/code").asText());
        String usage = fixture.run("lost", "--json", "--nonsense").errText();
        assertEquals(
                "INVALID_ARGUMENT", new ObjectMapper().readTree(usage).at("/error/code").asText());
        assertTrue(fixture.run("broken", "-v").errText().contains("at palyra.shell"));
    }

    @Test
    void runsCancelActionsThenInterrupts() throws Exception {
        CountDownLatch waiting = new CountDownLatch(1);
        AtomicBoolean acted = new AtomicBoolean();
        fixture.add(
                TestCommand.of(
                        "wait",
                        context -> {
                            context.onCancel(() -> acted.set(context.cancelled()));
                            waiting.countDown();
                            new CountDownLatch(1).await(30, TimeUnit.SECONDS);
                            return 0;
                        }));
        HostFixture.Run run = fixture.start("wait");
        assertTrue(waiting.await(10, TimeUnit.SECONDS));
        run.execution.stop(StopCause.PERSON);
        assertEquals(ExitCodes.CANCELLED, run.code());
        assertTrue(acted.get());
    }

    /** A question reads input, and a read that ends for a signal fails in its own way. */
    @Test
    void saysThatACommandWasCancelledWhileItRead() throws Exception {
        CountDownLatch waiting = new CountDownLatch(1);
        fixture.add(
                TestCommand.of(
                        "wait",
                        context -> {
                            waiting.countDown();
                            try {
                                new CountDownLatch(1).await(30, TimeUnit.SECONDS);
                            } catch (InterruptedException e) {
                                throw new InterruptedIOException();
                            }
                            return 0;
                        }));
        HostFixture.Run run = fixture.start(InputStream.nullInputStream(), true, "wait");
        assertTrue(waiting.await(10, TimeUnit.SECONDS));
        run.execution.stop(StopCause.PERSON);
        assertEquals(ExitCodes.CANCELLED, run.code());
        assertTrue(run.errText().contains("cancelled"), run.errText());
    }

    @Test
    void stopsACommandThatIsWithdrawnWithoutCancellingItsWork() throws Exception {
        CountDownLatch waiting = new CountDownLatch(1);
        AtomicBoolean acted = new AtomicBoolean();
        TestCommand command =
                TestCommand.of(
                        "wait",
                        context -> {
                            context.onCancel(() -> acted.set(true));
                            waiting.countDown();
                            new CountDownLatch(1).await(30, TimeUnit.SECONDS);
                            return 0;
                        });
        fixture.add(command);
        HostFixture.Run run = fixture.start("wait");
        assertTrue(waiting.await(10, TimeUnit.SECONDS));
        fixture.registry.unbindCommand(command);
        // The command is over before its bundle may go on to leave.
        assertTrue(run.isOver());
        assertEquals(ExitCodes.UNAVAILABLE, run.code());
        assertTrue(run.errText().contains("is being replaced"), run.errText());
        assertFalse(acted.get());
        assertEquals(ExitCodes.USAGE, fixture.run("wait").code());
    }

    @Test
    void letsACommandWithdrawItself() throws Exception {
        TestCommand[] self = new TestCommand[1];
        self[0] =
                TestCommand.of(
                        "vanish",
                        context -> {
                            fixture.registry.unbindCommand(self[0]);
                            return 3;
                        });
        fixture.add(self[0]);
        assertEquals(3, fixture.run("vanish").code());
    }

    @Test
    void completesWordsOptionsAndValues() throws Exception {
        fixture.add(
                TestCommand.of(
                        "tape show",
                        false,
                        this::count,
                        List.of(
                                OptionSpec.choice("mode", "M", "How", List.of("fast", "safe")),
                                OptionSpec.flag("force", "Do it")),
                        List.of(PositionalSpec.optional("RUN", "Which"))));
        assertEquals("tape\n", fixture.run("completion", "--", "ta").outText());
        assertEquals("show\n", fixture.run("completion", "--", "tape", "s").outText());
        assertEquals("--force\n", fixture.run("completion", "--", "tape", "show", "--f").outText());
        assertEquals(
                "safe\n", fixture.run("completion", "--", "tape", "show", "--mode", "s").outText());
        assertEquals(
                "--mode=safe\n",
                fixture.run("completion", "--", "tape", "show", "--mode=s").outText());
        assertEquals("alpha\n", fixture.run("completion", "--", "tape", "show", "a").outText());
        assertEquals("", fixture.run("completion", "--", "tape", "show", "a", "b").outText());
        assertTrue(fixture.run("completion", "--bash").outText().contains("complete -o default"));
    }

    @Test
    void completesNothingOfWhatTheCallerMayNotAskFor() throws Exception {
        fixture.add(
                TestCommand.of(
                        "tape show",
                        false,
                        this::count,
                        List.of(),
                        List.of(PositionalSpec.optional("RUN", "Which"))));
        assertEquals("alpha\n", fixture.run("completion", "--", "tape", "show", "a").outText());
        fixture.access.as(ShellAccess.VIEWER);
        assertEquals("", fixture.run("completion", "--", "tape", "show", "a").outText());
    }

    @Test
    void writesOneJsonValueForEachResultAndNothingElse() throws Exception {
        fixture.add(
                TestCommand.of(
                        "both",
                        context -> {
                            context.output().line("for people");
                            context.output().raw("raw");
                            context.output().note("beside");
                            context.output()
                                    .table(
                                            List.of("Run id", "State"),
                                            List.of(List.of("1", "a\"b\n\u0007")));
                            context.output().fields(Fields.of("x", 1, "list", List.of(true)));
                            return 0;
                        }));
        HostFixture.Run run = fixture.run("both", "--json");
        List<String> lines = run.outText().lines().toList();
        assertEquals(2, lines.size());
        JsonNode table = new ObjectMapper().readTree(lines.get(0));
        assertEquals("1", table.get(0).get("runId").asText());
        assertEquals("a\"b\n\u0007", table.get(0).get("state").asText());
        assertEquals(1, new ObjectMapper().readTree(lines.get(1)).get("x").asInt());
        assertEquals("beside\n", run.errText());
    }

    private static Request request(boolean out, boolean err, String... argv) {
        return new Request(List.of(argv), false, out, err, 0, false, "/");
    }

    /** Also where input comes from a file, or the output goes into one. */
    @Test
    void showsProgressWhereStandardErrorIsATerminal() throws Exception {
        CountDownLatch seen = new CountDownLatch(1);
        fixture.add(
                TestCommand.of(
                        "slow",
                        context -> {
                            context.in().readAllBytes();
                            seen.await();
                            context.output().line("done");
                            return 0;
                        }));
        HostFixture.Run watched =
                fixture.start(InputStream.nullInputStream(), request(false, true, "slow"));
        HostFixture.Run unseen =
                fixture.start(InputStream.nullInputStream(), request(true, false, "slow"));
        Await.until("the progress", () -> watched.errText().contains("slow … "));
        seen.countDown();
        assertEquals(0, watched.code());
        assertEquals(0, unseen.code());
        assertEquals("done\n", watched.outText());
        assertTrue(watched.errText().endsWith("\r\033[K"), watched.errText());
        assertEquals("done\n", unseen.outText());
        assertEquals("", unseen.errText());
    }

    @Test
    void controlCharactersReachNoTerminalAndEveryFile() throws Exception {
        fixture.add(
                TestCommand.of(
                        "raw",
                        context -> {
                            context.output().raw("\033[2J");
                            return 0;
                        }));
        for (boolean out : new boolean[] {true, false}) {
            HostFixture.Run run =
                    fixture.start(InputStream.nullInputStream(), request(out, false, "raw"));
            assertEquals(0, run.code());
            assertEquals(out ? "␛[2J" : "\033[2J", run.outText());
        }
    }
}
