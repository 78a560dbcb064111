package palyra.sandbox.internal.process;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import palyra.api.core.access.Confinement.Egress;
import palyra.api.core.access.Confinement.Tier;
import palyra.api.core.tools.ConfinedResult;
import palyra.api.core.tools.ConfinedTool;
import palyra.api.core.tools.ToolExamination;
import palyra.api.core.tools.ToolOrder;
import palyra.api.core.tools.ToolProposed;
import palyra.api.tool.Capability;
import palyra.api.tool.ToolDescriptor;
import palyra.sandbox.internal.run.SandboxSettings;
import palyra.shared.json.JsonFields;

/**
 * {@code palyra.process.shell}: runs a line of shell in a sandbox, by default in the one that the
 * commands of the session share.
 */
public final class ShellTool implements ConfinedTool {
    /** Its name. */
    public static final String NAME = "palyra.process.shell";

    private static final int MAX_LINE = 65_536;
    private static final Set<Capability> CAPABILITIES =
            EnumSet.of(
                    Capability.CODE_EXEC, ProcessRunTool.CAPABILITIES.toArray(Capability[]::new));

    private static final String SCHEMA =
            """
                    {"type":"object","required":["command"],"properties":{\
                    "command":{"type":"string","maxLength":65536,\
                    "description":"The line, or several lines."},\
                    "cwd":{"type":"string",\
                    "description":"Folder to start in, relative to the workspace."},\
                    "stdin":{"type":"string","description":"What the line reads."},\
                    "hosts":{"type":"array","maxItems":32,"items":{"type":"string"},\
                    "description":"Hosts that it has to reach, each HOST or HOST:PORT."},\
                    "protected_paths":{"type":"array","maxItems":32,"items":{"type":"string"},\
                    "description":"Protected paths, relative to the workspace, that the command is to write,\
                     such as .vscode; a person is asked."},\
                    "timeout_ms":{"type":"integer","minimum":1,\
                    "description":"Longest time in milliseconds; what is more than there is is cut, and\
                     the result says so."},\
                    "background":{"type":"boolean",\
                    "description":"Go on after the call. Ask with palyra.process.status."},\
                    "outlive_run":{"type":"boolean",\
                    "description":"With background: go on when this run ends; later runs of the\
                     session can ask for it and stop it."},\
                    "session":{"type":"boolean",\
                    "description":"false runs it in a sandbox of its own, which ends with it."},\
                    "pty":{"type":"boolean",\
                    "description":"Give it a terminal of 120 columns, for programs that work at one\
                     only; stderr comes with stdout."}}}""";

    private final ProcessToolService service;
    private final BackgroundStart starter;

    /** Creates it. */
    public ShellTool(ProcessToolService service) {
        this.service = service;
        this.starter = new BackgroundStart(service);
    }

    @Override
    public ToolDescriptor descriptor() {
        SandboxSettings now = service.settings();
        return CommandTexts.described(
                NAME,
                "Runs a line of shell, or several (bash where there is one), in the workspace and"
                        + " returns its exit code and output. Use it for pipes, &&, variables and"
                        + " builds. For one program with exact arguments use palyra.process.run."
                        + " Calls of this"
                        + " session share one sandbox: a server that one call starts with & answers"
                        + " the next on 127.0.0.1 (to keep its hosts beyond its call it needs"
                        + " background), and $HOME and /tmp, which are private, stay; the"
                        + " working folder and variables do not, so use cwd."
                        + CommandTexts.limits(now)
                        + CommandTexts.network(now)
                        + " Example: {\"command\":\"make test 2>&1 | tail -50\"}",
                SCHEMA,
                CAPABILITIES);
    }

    @Override
    public ToolExamination examine(ToolProposed proposed) {
        return ProcessRunTool.examine(service, NAME, proposed, reader(true));
    }

    @Override
    public String leftBy(String agentId, String callId, int attempt) {
        return ProcessRunTool.leftBy(service, agentId, callId, attempt);
    }

    @Override
    public ConfinedResult run(ToolOrder order) throws InterruptedException {
        JsonFields fields = fields(order.invocation().inputJson());
        ConfinedResult ended = ProcessResults.noted(ran(order), fields.note());
        return ProcessResults.noted(ended, ProcessInput.noteOfUnit(fields));
    }

    private ConfinedResult ran(ToolOrder order) throws InterruptedException {
        boolean canShare =
                order.confinement().tier() == Tier.C
                        && order.confinement().egress() == Egress.STRICT;
        ProcessInput input = reader(canShare).apply(order.invocation().inputJson());
        if (input.background()) {
            return starter.start(order, input);
        }
        return ProcessRunTool.run(service, order, input);
    }

    /**
     * Returns what reads an input.
     *
     * @param session whether it runs in the sandbox of the session unless the input says
     */
    private Function<String, ProcessInput> reader(boolean session) {
        return json -> {
            JsonFields fields = fields(json);
            return ProcessInput.of(
                            fields,
                            shell(),
                            List.of("-c", line(fields)),
                            fields.flag("background", false),
                            session)
                    .withTerminal(fields.flag("pty", false));
        };
    }

    private static String line(JsonFields fields) {
        String line = fields.text("command", MAX_LINE);
        if (line.isBlank()) {
            throw fields.wrong("command", "the line to run, such as make test");
        }
        return line;
    }

    private JsonFields fields(String json) {
        return JsonFields.ofToolInput(
                descriptor(),
                json,
                "command|cmd|script|line",
                ProcessInput.CWD,
                ProcessInput.TIMEOUT,
                ProcessInput.BACKGROUND);
    }

    private String shell() {
        return service.settings().guard().searchPath().stream()
                        .anyMatch(folder -> Files.isExecutable(Path.of(folder, "bash")))
                ? "bash"
                : "sh";
    }
}
