package palyra.gateway.internal.engine;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.core.access.CallFacts;
import palyra.api.core.tools.CallDescription;
import palyra.api.core.tools.CallPattern;
import palyra.api.core.tools.ToolExamination;
import palyra.api.tape.TapeEvent;
import palyra.api.tape.TapeEvent.Verdict;
import palyra.testing.model.ScriptedModelProvider;
import palyra.testing.tool.RecordingConfinedTool;
import palyra.testing.tool.RecordingTool;

/** A gateway with tools whose calls need an approval, and people who answer. */
abstract class ApprovalFixture {
    static final String ASKS = "test.asks";
    static final String ASKS_TOO = "test.confined";
    static final String READS = "test.reads";
    static final CallFacts GIT =
            new CallFacts(
                    "/usr/bin/git",
                    "a".repeat(64),
                    "/work",
                    "status",
                    Set.of(),
                    1,
                    Set.of(),
                    Set.of(),
                    Set.of(),
                    Set.of(),
                    Set.of(),
                    Set.of());

    @TempDir Path state;

    final ScriptedModelProvider model = new ScriptedModelProvider();
    final RecordingTool tool = RecordingTool.withEffect(ASKS);
    final RecordingTool reads = RecordingTool.named(READS);
    final RecordingConfinedTool confined =
            new RecordingConfinedTool(ASKS_TOO).finding(git("status"));
    final PeopleAccess access = new PeopleAccess(ASKS, ASKS_TOO);
    LightGateway.Surroundings around;
    LightGateway gateway;
    Answers people;

    static ToolExamination git(String subcommand, String... options) {
        return ToolExamination.facts(
                GIT,
                new CallDescription(
                        "git " + subcommand,
                        List.of("git", subcommand),
                        "",
                        Optional.of(
                                new CallPattern(
                                        "git " + subcommand + " of any file",
                                        "{\"sub\":\"" + subcommand + "\"}",
                                        Set.of(options),
                                        Set.of()))));
    }

    @BeforeEach
    void open() {
        around = new LightGateway.Surroundings(state, "boot", tool, reads, confined);
        gateway = gateway("boot/1").offering(ASKS, READS, ASKS_TOO);
        people = new Answers(around.journal());
    }

    LightGateway gateway(String owner) {
        return new LightGateway(around, model, owner, UnaryOperator.identity(), access)
                .awaitReady();
    }

    @AfterEach
    void close() {
        gateway.close();
        model.close();
        around.close();
    }

    String asking() {
        model.propose(ASKS, "{\"n\":1}").answer("done");
        return gateway.submit("do it").runId();
    }

    List<Verdict> verdicts(String runId) {
        return gateway.records(runId, TapeEvent.ToolDecision.class).stream()
                .map(TapeEvent.ToolDecision::verdict)
                .toList();
    }

    TapeEvent.ToolDecision lastDecision(String runId) {
        return gateway.records(runId, TapeEvent.ToolDecision.class).getLast();
    }

    TapeEvent.ToolCallOutput output(String runId) {
        return gateway.records(runId, TapeEvent.ToolCallOutput.class).getLast();
    }
}
