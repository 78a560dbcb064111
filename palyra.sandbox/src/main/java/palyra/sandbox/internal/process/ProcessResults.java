package palyra.sandbox.internal.process;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import palyra.api.core.tools.ConfinedResult;
import palyra.api.tape.TapeEvent.Outcome;
import palyra.api.tool.ToolResult;
import palyra.sandbox.internal.output.StreamOutput;
import palyra.sandbox.internal.run.LimitText;
import palyra.sandbox.internal.run.RunOrder;
import palyra.sandbox.internal.run.RunOutcome;
import palyra.sandbox.internal.run.RunResult;
import palyra.shared.json.Jcs;
import palyra.shared.json.StrictJson;

/** The results of commands as the model sees them. Pure functions. */
public final class ProcessResults {
    /** Most bytes of text in a result, which as JSON may take twice as many of 256 KiB. */
    public static final int MOST = 110_000;

    /** Sentences about what was undone; the enforcement has how many there are. */
    private static final int MOST_UNDONE = 20;

    /** 128 plus SIGKILL. */
    private static final int KILLED_CODE = 137;

    /** 128 plus SIGXFSZ, see setrlimit(2). */
    private static final int FILE_TOO_LARGE_CODE = 153;

    private ProcessResults() {}

    /**
     * What the caller asked for, to say what to do after an end that was not the command's own.
     *
     * @param room most bytes of output
     * @param mostMillis most wall-clock time that timeout_ms can give
     * @param note what was not done as it was asked for; empty when all was
     * @param blockedHosts what its egress proxy refused, as sentences
     */
    public record Asked(long room, long mostMillis, String note, List<String> blockedHosts) {
        /** Nothing but the bounds of every result. */
        public static final Asked NOTHING = new Asked(MOST, 0, "", List.of());

        /** Copies. */
        public Asked {
            blockedHosts = List.copyOf(blockedHosts);
        }
    }

    /**
     * Returns the result of a run. A command that ran to its end is a successful call, with any
     * exit code; the code is in the output. A command that was ended early is a failure that names
     * the cause and what to do, and has the output so far.
     */
    public static ConfinedResult of(RunResult run, String programSha256, Asked asked) {
        ObjectNode node = facts(run);
        node.remove("problem"); // the error of the result has it
        String note = (asked.note() + " " + noteOfKill(run)).strip();
        if (!note.isEmpty()) {
            node.put("note", note);
        }
        putBlocked(node, asked.blockedHosts());
        putOutput(node, run.stdout(), run.stderr(), asked.room());
        String json = Jcs.text(node);
        return new ConfinedResult(
                outcome(run.outcome()),
                run.outcome() == RunOutcome.OK
                        ? ToolResult.of(json)
                        : new ToolResult(
                                false, json, run.problem() + remedy(run, asked.mostMillis())),
                run.executor(),
                run.enforcement(),
                programSha256);
    }

    /**
     * Returns a result with a note to the model in it, behind those that it has; the same one for
     * an empty note.
     */
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
        ObjectNode node = (ObjectNode) StrictJson.parse(outputJson, "the result");
        String before = node.path("note").asText();
        String between = before.isEmpty() ? "" : before.endsWith(".") ? " " : ". ";
        return Jcs.text(node.put("note", before + between + note));
    }

    /** A model takes "Killed" for a limit that it has to find; empty for other exits. */
    private static String noteOfKill(RunResult run) {
        return run.outcome() == RunOutcome.OK && run.exitCode() == KILLED_CODE
                ? "Exit code 137 is that of a program that signal 9 ended. No limit that the gateway"
                        + " measures was reached and nothing asked for its end: a program of the"
                        + " command, or the host for want of memory, did it."
                : "";
    }

    /** Says what the code of a program means whose file grew too large; empty for others. */
    static String noteOfFile(RunResult run, RunOrder order) {
        return run.exitCode() == FILE_TOO_LARGE_CODE
                ? "Exit code 153 is that of a program that signal SIGXFSZ ended: a file of it grew"
                        + " to the limit of "
                        + LimitText.bytes(order.spec().limits().fileBytes())
                        + "."
                : "";
    }

    private static Outcome outcome(RunOutcome outcome) {
        return switch (outcome) {
            case OK -> Outcome.SUCCEEDED;
            case TIMED_OUT -> Outcome.TIMED_OUT;
            case SPAWN_FAILED,
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

    /** Returns what a model can do after an end; empty when there is nothing. */
    private static String remedy(RunResult run, long mostMillis) {
        return switch (run.outcome()) {
            case TIMED_OUT ->
                    mostMillis == 0
                            ? ""
                            : " Give timeout_ms up to "
                                    + mostMillis
                                    + ", or run it in the background.";
            case CPU_QUOTA ->
                    " Do the work in smaller steps, or ask an operator for more cpuMillis of"
                            + " palyra.sandbox.";
            case MEMORY_QUOTA ->
                    " Let it use less memory, such as with fewer parallel jobs, or ask an operator"
                            + " for more memoryBytes of palyra.sandbox.";
            default -> "";
        };
    }

    static void putBlocked(ObjectNode node, List<String> sentences) {
        if (!sentences.isEmpty()) {
            ArrayNode blocked = node.putArray("blocked_hosts");
            sentences.forEach(blocked::add);
        }
    }

    /** Puts both streams, and where all of them is when they do not fit. */
    static void putOutput(ObjectNode node, StreamOutput stdout, StreamOutput stderr, long room) {
        int all = (int) Math.min(room, MOST);
        int half = (int) Math.min(all / 2, stderr.text().bytes());
        int first = (int) Math.min(all - half, stdout.text().bytes());
        node.put("stdout", stdout.shown(first));
        node.put("stderr", stderr.shown(all - first));
        putFile(node, "stdout_file", stdout);
        putFile(node, "stderr_file", stderr);
    }

    static void putFile(ObjectNode node, String name, StreamOutput output) {
        if (!output.file().isEmpty()) {
            node.put(name, output.file());
        }
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
        if (!run.undone().isEmpty()) {
            ArrayNode undone = node.putArray("undone");
            run.undone().stream().limit(MOST_UNDONE).forEach(undone::add);
            int further = run.undone().size() - MOST_UNDONE;
            if (further > 0) {
                undone.add(further + " further changes were undone in the same way.");
            }
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
