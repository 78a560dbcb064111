package palyra.sandbox.internal.process;

import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import palyra.api.PalyraException;
import palyra.api.core.sandbox.SandboxLimits;
import palyra.api.core.tools.ConfinedResult;
import palyra.api.core.tools.ConfinedTool;
import palyra.api.core.tools.ToolExamination;
import palyra.api.core.tools.ToolOrder;
import palyra.api.core.tools.ToolProposed;
import palyra.api.tool.Capability;
import palyra.api.tool.ToolDescriptor;
import palyra.sandbox.internal.output.OutputFiles;
import palyra.sandbox.internal.run.SandboxSettings;
import palyra.shared.json.JsonFields;

/**
 * {@code palyra.process.run}: runs one program in a sandbox and waits for it. With {@code
 * background} it does what {@code palyra.process.start} does.
 */
public final class ProcessRunTool implements ConfinedTool {
    /** Its name. */
    public static final String NAME = "palyra.process.run";

    static final Set<Capability> CAPABILITIES =
            Set.of(
                    Capability.PROCESS_EXEC,
                    Capability.FILESYSTEM_READ,
                    Capability.FILESYSTEM_WRITE,
                    Capability.NETWORK);
    static final long TIMEOUT_MILLIS = 630_000; // the longest time, and some to start and tell

    /** Bytes that are shown of each stream of a lost call. */
    private static final int END_OF_LOST = 4_000;

    private static final String PARALLEL_IN_SESSION =
            "Calls with parallel and session may run at the same time in one sandbox: they see each"
                    + " other's processes, and share $HOME, /tmp and ports.";

    static final int MAX_INPUT_BYTES = 1_048_576;
    static final String COMMON_SCHEMA =
            """
            {"type":"object","required":["command"],"properties":{\
            "command":{"type":"string","maxLength":256,\
            "description":"Bare name of a program, such as git; no path, no shell line."},\
            "args":{"type":"array","maxItems":1024,"items":{"type":"string"},\
            "description":"Arguments, passed on exactly as they are; nothing is expanded."},\
            "cwd":{"type":"string",\
            "description":"Folder to start in, relative to the workspace."},\
            "stdin":{"type":"string","description":"What the program reads."},\
            "hosts":{"type":"array","maxItems":32,"items":{"type":"string"},\
            "description":"Hosts that it has to reach, each HOST or HOST:PORT."},\
            "protected_paths":{"type":"array","maxItems":32,"items":{"type":"string"},\
            "description":"Protected paths, relative to the workspace, that the command is to write,\
             such as .vscode; a person is asked."},\
            "timeout_ms":{"type":"integer","minimum":1,\
            "description":"Longest time in milliseconds; what is more than there is is cut, and\
             the result says so."},\
            "outlive_run":{"type":"boolean",\
            "description":"With a process in the background: it goes on when this run ends, and\
             later runs of the session can ask for it and stop it."},\
            "session":{"type":"boolean",\
            "description":"Run in the sandbox of this session: servers and background processes\
             that earlier calls started are there, and $HOME and /tmp stay."}""";
    private static final String SCHEMA =
            COMMON_SCHEMA
                    + """
                    ,"parallel":{"type":"boolean",\
                    "description":"It and the other calls of this step that say so do not\
                     depend on each other: they run at the same time."},\
                    "background":{"type":"boolean",\
                    "description":"Go on after the call. Ask with palyra.process.status."}}}""";

    private final ProcessToolService service;
    private final BackgroundStart starter;

    /** Creates it. */
    public ProcessRunTool(ProcessToolService service) {
        this.service = service;
        this.starter = new BackgroundStart(service);
    }

    @Override
    public ToolDescriptor descriptor() {
        SandboxSettings now = service.settings();
        return CommandTexts.described(
                NAME,
                "Runs one program with exact arguments in a sandbox in the workspace, waits for it,"
                        + " and returns its exit code and output. Use it for a single program. For"
                        + " pipes, && and variables use palyra.process.shell. For what is to go on,"
                        + " such as a server, use palyra.process.start."
                        + CommandTexts.limits(now)
                        + CommandTexts.network(now)
                        + " Only the workspace stays: $HOME and /tmp are private and empty at each"
                        + " call unless session is true. Example:"
                        + " {\"command\":\"git\",\"args\":[\"status\",\"--short\"]}",
                SCHEMA,
                CAPABILITIES);
    }

    @Override
    public ToolExamination examine(ToolProposed proposed) {
        return examine(service, NAME, proposed, this::read);
    }

    private ProcessInput read(String json) {
        JsonFields fields = ProcessInput.fields(descriptor(), json);
        fields.flag("parallel", false); // the engine's business
        return ProcessInput.ofProgram(fields, fields.flag("background", false));
    }

    /** Looks at a proposed command; an input or a workspace that is no good is a refusal. */
    static ToolExamination examine(
            ProcessToolService service,
            String tool,
            ToolProposed proposed,
            Function<String, ProcessInput> reader) {
        ProcessInput input;
        try {
            input = reader.apply(proposed.inputJson());
        } catch (PalyraException e) {
            return ToolExamination.refused("sandbox.input", e.getMessage());
        }
        try {
            return service.examiner().toExamination(tool, input, proposed, service.binding());
        } catch (PalyraException e) {
            return ToolExamination.refused("sandbox.workspace", e.getMessage());
        }
    }

    @Override
    public String leftBy(String agentId, String callId, int attempt) {
        return leftBy(service, agentId, callId, attempt);
    }

    /** Shows the end of what a lost call had written to files, and says where all of it is. */
    static String leftBy(ProcessToolService service, String agentId, String callId, int attempt) {
        List<String> files =
                service.preparer().outputs().left(agentId, CallIds.of(callId, attempt));
        return files.isEmpty()
                ? ""
                : "What it had written until then is in "
                        + String.join(" and ", files)
                        + ":\n"
                        + files.stream()
                                .map(file -> OutputFiles.end(file, END_OF_LOST))
                                .collect(Collectors.joining("\n"));
    }

    @Override
    public ConfinedResult run(ToolOrder order) throws InterruptedException {
        JsonFields fields = ProcessInput.fields(descriptor(), order.invocation().inputJson());
        ConfinedResult ended = ProcessResults.noted(ran(order), fields.note());
        ended = ProcessResults.noted(ended, ProcessInput.noteOfUnit(fields));
        boolean both = fields.flag("parallel", false) && fields.flag("session", false);
        return ProcessResults.noted(ended, both ? PARALLEL_IN_SESSION : "");
    }

    private ConfinedResult ran(ToolOrder order) throws InterruptedException {
        ProcessInput input = read(order.invocation().inputJson());
        if (input.background()) {
            return starter.start(order, input);
        }
        return run(service, order, input);
    }

    /** Runs a command and waits for it. */
    static ConfinedResult run(ProcessToolService service, ToolOrder order, ProcessInput input)
            throws InterruptedException {
        SandboxSettings settings = service.settings();
        SandboxLimits limits = settings.limits();
        ProcessToolService.Ran ran =
                service.run(order, input, service.examiner(), limits, settings.defaultWallMillis());
        ConfinedResult ended =
                ProcessResults.of(
                        ran.result(),
                        ran.programSha256(),
                        new ProcessResults.Asked(
                                limits.outputBytes(),
                                limits.wallMillis(),
                                input.noteOfTime(limits.wallMillis()),
                                ran.blockedHosts()));
        return ProcessResults.noted(ended, ran.note());
    }
}
