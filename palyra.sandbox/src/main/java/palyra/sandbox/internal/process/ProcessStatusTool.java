package palyra.sandbox.internal.process;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import palyra.api.Require;
import palyra.api.tool.Capability;
import palyra.api.tool.Tool;
import palyra.api.tool.ToolDescriptor;
import palyra.api.tool.ToolInvocation;
import palyra.api.tool.ToolResult;
import palyra.sandbox.internal.output.CapturedOutput;
import palyra.sandbox.internal.output.StreamOutput;
import palyra.sandbox.internal.process.BackgroundProcess.Owner;
import palyra.sandbox.internal.run.LiveRun;
import palyra.sandbox.internal.run.RunResult;
import palyra.shared.json.Jcs;
import palyra.shared.json.JsonFields;

/**
 * {@code palyra.process.status}: how a background process is doing and what it has written. It runs
 * nothing itself.
 */
public final class ProcessStatusTool implements Tool {
    /** Its name. */
    public static final String NAME = "palyra.process.status";

    /** Bytes of each stream that show the last lines. */
    static final int END_ROOM = 4_000;

    private static final int MAX_ID = 64;
    private static final long MAX_WAIT_MILLIS = 300_000;

    private static final String NOTHING_TO_WAIT_FOR =
            "there is no process in the background, so there was nothing to wait for";

    /** What is left of the call's time to answer. */
    private static final long MARGIN_MILLIS = 2_000;

    private static final ToolDescriptor DESCRIPTOR =
            new ToolDescriptor(
                    NAME,
                    "Returns the state of a background process, its elapsed time and its last"
                            + " lines of output; with cursor what is new since then. Use it to see"
                            + " whether a server is up or a build is over: with wait_ms, up to"
                            + " 300000, it answers as soon as there is new output or the process"
                            + " ends, which is better than asking again and again. wait_ms"
                            + " without process_id waits for the only process. Without"
                            + " process_id it lists the processes of this run, and those of the"
                            + " session that were started with outlive_run. Example:"
                            + " {\"process_id\":\""
                            + BackgroundProcess.EXAMPLE_ID
                            + "\",\"cursor\":\"0:0\",\"wait_ms\":30000}",
                    """
                    {"type":"object","properties":{\
                    "process_id":{"type":"string",\
                    "description":"As the call that started it returned it."},\
                    "cursor":{"type":"string",\
                    "description":"As the last answer returned it; 0:0 for the beginning."},\
                    "wait_ms":{"type":"integer","minimum":0,\
                    "description":"How long to wait for new output or the end."}}}""",
                    Set.of(Capability.PROCESS_EXEC),
                    true,
                    true,
                    MAX_WAIT_MILLIS + 10_000,
                    4_096);

    private final BackgroundProcesses backgrounds;

    /** Creates it. */
    public ProcessStatusTool(BackgroundProcesses backgrounds) {
        this.backgrounds = backgrounds;
    }

    @Override
    public ToolDescriptor descriptor() {
        return DESCRIPTOR;
    }

    @Override
    public ToolResult execute(ToolInvocation invocation) throws InterruptedException {
        JsonFields fields =
                JsonFields.ofToolInput(DESCRIPTOR, invocation.inputJson(), "process_id|id");
        Owner owner = Owner.of(invocation);
        Optional<String> id = fields.optionalText("process_id", MAX_ID);
        Optional<long[]> cursor =
                fields.optionalText("cursor", MAX_ID)
                        .filter(text -> !text.isEmpty())
                        .map(ProcessStatusTool::cursor);
        long asked = fields.number("wait_ms", 0, 0, Long.MAX_VALUE);
        long wait = Math.min(asked, MAX_WAIT_MILLIS);
        if (id.isEmpty() && (wait == 0 || backgrounds.of(owner).isEmpty())) {
            return ToolResult.of(text(all(owner), fields, wait == 0 ? "" : NOTHING_TO_WAIT_FOR));
        }
        BackgroundProcess process = id.isEmpty() ? only(owner) : backgrounds.find(owner, id.get());
        long left = invocation.deadlineMillis() - System.currentTimeMillis() - MARGIN_MILLIS;
        await(process, cursor, Math.min(wait, left));
        return ToolResult.of(
                text(
                        one(process, cursor),
                        fields,
                        asked == wait
                                ? ""
                                : "asked to wait "
                                        + asked
                                        + " ms, the limit is "
                                        + MAX_WAIT_MILLIS
                                        + " ms"));
    }

    /** Returns the process to wait for when none is named: the only one, or the one that runs. */
    private BackgroundProcess only(Owner owner) {
        List<BackgroundProcess> all = backgrounds.of(owner);
        List<BackgroundProcess> running =
                all.stream().filter(process -> process.result().isEmpty()).toList();
        List<BackgroundProcess> meant = running.size() == 1 ? running : all;
        Require.that(
                meant.size() == 1,
                NAME
                        + " got wait_ms without process_id, and there are "
                        + all.size()
                        + " processes; name one of "
                        + all.stream().map(BackgroundProcess::id).toList());
        return meant.getFirst();
    }

    /** Returns a result as JSON, with what is told about its input. */
    static String text(ObjectNode node, JsonFields fields, String further) {
        String note =
                Stream.of(fields.note(), further)
                        .filter(one -> !one.isEmpty())
                        .collect(Collectors.joining(". "));
        if (!note.isEmpty()) {
            node.put("note", note);
        }
        return Jcs.text(node);
    }

    private static void await(BackgroundProcess process, Optional<long[]> cursor, long millis)
            throws InterruptedException {
        LiveRun run = process.started().join();
        long[] seen =
                cursor.orElseGet(() -> new long[] {run.stdout().bytes(), run.stderr().bytes()});
        run.signal()
                .await(
                        () ->
                                process.result().isPresent()
                                        || run.stdout().bytes() > seen[0]
                                        || run.stderr().bytes() > seen[1],
                        TimeUnit.MILLISECONDS.toNanos(millis));
        process.touch();
    }

    private ObjectNode all(Owner owner) {
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        ArrayNode processes = node.putArray("processes");
        backgrounds.of(owner).forEach(process -> processes.add(state(process)));
        return node;
    }

    static ObjectNode state(BackgroundProcess process) {
        Optional<RunResult> result = process.result();
        ObjectNode node =
                result.map(ProcessResults::facts).orElseGet(JsonNodeFactory.instance::objectNode);
        node.put("process_id", process.id());
        node.put("command", process.prepared().shown());
        node.put("state", result.isPresent() ? "ended" : "running");
        if (process.outlivesRun()) {
            node.put("outlives_run", true);
        }
        ProcessResults.putBlocked(node, process.prepared().blockedHosts());
        if (result.isEmpty()) {
            node.put("elapsed_ms", process.started().join().elapsedMillis());
        }
        return node;
    }

    /** The state is looked at first: what was written before an end is not missed. */
    private ObjectNode one(BackgroundProcess process, Optional<long[]> cursor) {
        ObjectNode node = state(process);
        boolean more = node.get("state").textValue().equals("running");
        LiveRun run = process.started().join();
        if (cursor.isEmpty()) {
            putEnd(node, run);
            return node;
        }
        int room = (int) Math.min(run.outputBytes(), ProcessResults.MOST) / 2;
        CapturedOutput.Piece stdout = run.stdout().since(cursor.get()[0], room, more);
        CapturedOutput.Piece stderr = run.stderr().since(cursor.get()[1], room, more);
        node.put("stdout", stdout.text());
        node.put("stderr", stderr.text());
        putFiles(node, run.stdout().now(), run.stderr().now());
        node.put("cursor", stdout.next() + ":" + stderr.next());
        return node;
    }

    /** Puts the last lines of both streams, and where further output begins. */
    static void putEnd(ObjectNode node, LiveRun run) {
        StreamOutput stdout = run.stdout().now();
        StreamOutput stderr = run.stderr().now();
        node.put("stdout", stdout.end(END_ROOM));
        node.put("stderr", stderr.end(END_ROOM));
        putFiles(node, stdout, stderr);
        node.put("cursor", stdout.bytes() + ":" + stderr.bytes());
    }

    private static void putFiles(ObjectNode node, StreamOutput stdout, StreamOutput stderr) {
        ProcessResults.putFile(node, "stdout_file", stdout);
        ProcessResults.putFile(node, "stderr_file", stderr);
    }

    private static long[] cursor(String text) {
        Require.that(
                text.matches("[0-9]{1,15}:[0-9]{1,15}"),
                NAME + " got the cursor '" + text + "'; send the last one that it returned");
        String[] parts = text.split(":", -1);
        return new long[] {Long.parseLong(parts[0]), Long.parseLong(parts[1])};
    }
}
