package palyra.sandbox.internal.process;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import palyra.api.core.tools.ConfinedResult;
import palyra.api.tape.TapeEvent.Outcome;
import palyra.api.tool.ToolResult;
import palyra.sandbox.internal.run.RunOutcome;
import palyra.sandbox.internal.run.RunResult;
import palyra.shared.json.Jcs;
import palyra.shared.json.StrictJson;

/** The results of commands as the model sees them. Pure functions. */
public final class ProcessResults {
    /** Room for both streams in an outcome, which may have 256 KiB in all. */
    static final int ROOM = 240_000;

    private ProcessResults() {}

    /**
     * Returns the result of a run. A command that ran to its end is a successful call, with any
     * exit code; the code is in the output. A command that was ended early is a failure that names
     * the cause and has the output so far.
     */
    public static ConfinedResult of(RunResult run, String programSha256) {
        String json = Jcs.text(node(run));
        boolean ok = run.outcome() == RunOutcome.OK;
        return new ConfinedResult(
                outcome(run.outcome()),
                ok ? ToolResult.of(json) : new ToolResult(false, json, run.problem()),
                run.executor(),
                run.enforcement(),
                programSha256);
    }

    /** Returns a result with a note to the model in it; the same one for an empty note. */
    static ConfinedResult noted(ConfinedResult ended, String note) {
        if (note.isEmpty()) {
            return ended;
        }
        ToolResult result = ended.result();
        return new ConfinedResult(
                ended.outcome(),
                new ToolResult(result.success(), noted(result.outputJson(), note), result.error()),
                ended.executor(),
                ended.enforcement(),
                ended.executableSha256());
    }

    private static String noted(String outputJson, String note) {
        return Jcs.text(
                ((ObjectNode) StrictJson.parse(outputJson, "the result")).put("note", note));
    }

    private static Outcome outcome(RunOutcome outcome) {
        return switch (outcome) {
            case OK -> Outcome.SUCCEEDED;
            case TIMED_OUT -> Outcome.TIMED_OUT;
            case SPAWN_FAILED,
                    OUTPUT_QUOTA,
                    DISK_QUOTA,
                    CPU_QUOTA,
                    MEMORY_QUOTA,
                    KILLED,
                    POLICY_DENIED,
                    REFUSED,
                    SANDBOX_FAILED ->
                    Outcome.FAILED;
        };
    }

    private static ObjectNode node(RunResult run) {
        OutputText.Piece half = OutputText.head(run.stderr(), ROOM / 2, false);
        OutputText.Piece stdout = OutputText.head(run.stdout(), ROOM - half.cost(), false);
        OutputText.Piece stderr = OutputText.head(run.stderr(), ROOM - stdout.cost(), false);
        ObjectNode node = facts(run);
        node.put("stdout", stdout.text());
        node.put("stderr", stderr.text());
        node.put(
                "stdout_truncated",
                run.stdoutTruncated() || stdout.consumed() < run.stdout().length);
        node.put(
                "stderr_truncated",
                run.stderrTruncated() || stderr.consumed() < run.stderr().length);
        return node;
    }

    /** Returns the facts of an ended run without its output. */
    static ObjectNode facts(RunResult run) {
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        node.put("outcome", run.outcome().name());
        if (run.exitCode() >= 0) {
            node.put("exit_code", run.exitCode());
        }
        if (!run.problem().isEmpty()) {
            node.put("problem", run.problem());
        }
        node.put("duration_ms", run.durationMillis());
        if (run.cpuMillis() >= 0) {
            node.put("cpu_ms", run.cpuMillis());
        }
        if (run.peakMemoryBytes() >= 0) {
            node.put("peak_memory_bytes", run.peakMemoryBytes());
        }
        return node;
    }
}
