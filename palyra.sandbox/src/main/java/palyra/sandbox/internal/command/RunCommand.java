package palyra.sandbox.internal.command;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.access.Principal;
import palyra.api.command.Command;
import palyra.api.command.CommandContext;
import palyra.api.command.CommandSpec;
import palyra.api.command.ExitCodes;
import palyra.api.command.OptionSpec;
import palyra.api.command.PositionalSpec;
import palyra.api.core.access.CallFacts;
import palyra.api.core.tools.ToolOrder;
import palyra.api.tool.ToolDescriptor;
import palyra.api.tool.ToolInvocation;
import palyra.sandbox.internal.guard.GuardVerdict;
import palyra.sandbox.internal.process.Preflight;
import palyra.sandbox.internal.process.ProcessResults;
import palyra.sandbox.internal.process.ProcessRunTool;
import palyra.sandbox.internal.process.ProcessToolService.Ran;
import palyra.sandbox.internal.run.RunOutcome;
import palyra.sandbox.internal.run.RunResult;
import palyra.shared.hash.Ulids;
import palyra.shared.tool.FactsDigest;
import palyra.shared.tool.OperatorDecision;

/** {@code sandbox run}: runs one command exactly as a tool call would, and shows everything. */
final class RunCommand implements Command {
    private static final CommandSpec SPEC =
            new CommandSpec(
                    "sandbox run",
                    "Runs one command in a sandbox, exactly as a tool call would",
                    "Guards, policy (as the agent "
                            + OperatorDecision.AGENT
                            + "), sandbox, journal and attestation are those of"
                            + " palyra.process.run. Put -- before the command. Its standard output"
                            + " goes to standard output, all other output to standard error. The"
                            + " exit code"
                            + " is the command's; 66 when it could not be executed, 70 when the"
                            + " sandbox failed, 75 when a limit ended it, 77 when guards or"
                            + " policy refused"
                            + " it, which the journal records.",
                    List.of(
                            SandboxOptions.TIER,
                            SandboxOptions.EGRESS,
                            new OptionSpec(
                                    "allow",
                                    "HOST",
                                    "A host that it may reach, HOST or HOST:PORT; again for more",
                                    List.of(),
                                    true),
                            OptionSpec.flag(
                                    "allow-interpreters",
                                    "Lets shells and programs run in tier B that start other programs"),
                            OptionSpec.value("workspace", "FOLDER", "Folder that it may write"),
                            OptionSpec.value(
                                    "cwd", "FOLDER", "Where it starts, within the workspace"),
                            SandboxOptions.LIMITS,
                            OptionSpec.flag("stdin", "Passes standard input on")),
                    List.of(PositionalSpec.rest("COMMAND", "Program and arguments, after --")),
                    CommandServices.RUN,
                    true);
    private static final String NO_SUCH_PROGRAM = "sandbox.command_not_found";
    private static final long SPARE_MILLIS = 60_000;

    private final CommandServices services;
    private final ToolDescriptor tool;
    private final RunRecords records;
    private final Ulids ids = new Ulids();

    RunCommand(CommandServices services) {
        this.services = services;
        this.tool = new ProcessRunTool(services.processes()).descriptor();
        this.records = new RunRecords(services.journal(), services.keys());
    }

    @Override
    public CommandSpec spec() {
        return SPEC;
    }

    @Override
    public int run(CommandContext context) throws IOException {
        RunRequest request = RunRequest.of(context, services.processes());
        Principal who = context.principal();
        RunRefusals refusals =
                new RunRefusals(records, who.id(), ids.next(), tool.name(), request.inputJson());
        CallFacts facts = refusals.recorded(RunRefusals.GUARD, () -> facts(request));
        OperatorDecision.Call call =
                new OperatorDecision.Call(
                        refusals.callId(), "", refusals.callId(), tool, request.inputJson(), facts);
        OperatorDecision decision =
                refusals.recorded(
                        RunRefusals.POLICY,
                        () -> OperatorDecision.of(services.access(), who, call));
        ToolOrder order =
                refusals.recorded(
                        RunRefusals.POLICY,
                        () -> order(request, decision, facts, who, refusals.callId()));
        records.started(order, decision);
        long startedAtMillis = System.currentTimeMillis();
        Ran ran;
        int exitCode;
        try {
            ran =
                    services.processes()
                            .run(
                                    order,
                                    request.input(),
                                    request.examiner(),
                                    request.limits(),
                                    request.limits().wallMillis());
            exitCode = exitCode(ran.result());
        } catch (PalyraException e) {
            ran = new Ran(refused(order, e, startedAtMillis), "", List.of(), "");
            exitCode = ExitCodes.of(e.code());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            PalyraException stopped =
                    new PalyraException(
                            ErrorCode.CANCELLED, "The command was stopped before it started.", e);
            ran = new Ran(refused(order, stopped, startedAtMillis), "", List.of(), "");
            exitCode = ExitCodes.of(stopped.code());
        }
        boolean interrupted = Thread.interrupted(); // what follows has to be done all the same
        try {
            show(context, ran);
        } finally {
            records.finished(
                    order,
                    decision,
                    ProcessResults.of(
                            ran.result(), ran.programSha256(), ProcessResults.Asked.NOTHING),
                    startedAtMillis);
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
        return Thread.currentThread().isInterrupted() ? ExitCodes.CANCELLED : exitCode;
    }

    private static CallFacts facts(RunRequest request) {
        return switch (request.examiner().examine(request.input(), OperatorDecision.AGENT)) {
            case GuardVerdict.Accepted accepted -> accepted.command().facts();
            case GuardVerdict.Refused refused ->
                    throw new PalyraException(
                            refused.reasonCode().equals(NO_SUCH_PROGRAM)
                                    ? ErrorCode.NOT_FOUND
                                    : ErrorCode.DENIED,
                            refused.reason() + " (" + refused.reasonCode() + ")");
        };
    }

    private static ToolOrder order(
            RunRequest request,
            OperatorDecision decision,
            CallFacts facts,
            Principal who,
            String callId) {
        return new ToolOrder(
                ProcessRunTool.NAME,
                new ToolInvocation(
                        callId,
                        1,
                        callId,
                        "",
                        who.id(),
                        request.inputJson(),
                        System.currentTimeMillis() + request.limits().wallMillis() + SPARE_MILLIS),
                OperatorDecision.AGENT,
                who.groups(),
                request.confinement(decision.confinement()),
                FactsDigest.of(facts),
                false);
    }

    private static RunResult refused(ToolOrder order, PalyraException why, long atMillis) {
        return RunResult.refused(
                order.invocation().callId(),
                outcome(why),
                order.confinement().egress(),
                why.getMessage(),
                atMillis);
    }

    private static RunOutcome outcome(PalyraException why) {
        if (Preflight.denied(why)) {
            return RunOutcome.POLICY_DENIED;
        }
        return why.code().kind() == ErrorCode.Kind.POLICY
                ? RunOutcome.REFUSED
                : RunOutcome.SANDBOX_FAILED;
    }

    private static void show(CommandContext context, Ran ran) throws IOException {
        RunResult run = ran.result();
        Map<String, Object> fields = fields(ran);
        if (context.json()) {
            context.output().fields(fields);
            return;
        }
        if (run.stdout().file().isEmpty()) {
            context.out().write(run.stdout().beginning());
        } else {
            Files.copy(Path.of(run.stdout().file()), context.out());
        }
        context.out().flush();
        String errors = run.stderr().shown(ProcessResults.MOST).stripTrailing();
        if (!errors.isEmpty()) {
            context.output().note(errors);
        }
        fields.forEach(
                (name, value) -> {
                    if (!name.equals("stdout") && !name.equals("stderr")) {
                        context.output().note(name + ": " + value);
                    }
                });
    }

    private static Map<String, Object> fields(Ran ran) {
        RunResult run = ran.result();
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("outcome", run.outcome().name());
        fields.put("exitCode", run.exitCode());
        if (!run.problem().isEmpty()) {
            fields.put("problem", run.problem());
        }
        if (!run.undone().isEmpty()) {
            fields.put("undone", run.undone());
        }
        if (!ran.blockedHosts().isEmpty()) {
            fields.put("blockedHosts", ran.blockedHosts());
        }
        fields.put("executor", run.executor());
        fields.put("enforcement", run.enforcement());
        fields.put("durationMillis", run.durationMillis());
        fields.put("cpuMillis", run.cpuMillis());
        fields.put("peakMemoryBytes", run.peakMemoryBytes());
        fields.put("callId", run.callId());
        fields.put("stdoutTruncated", run.stdout().truncated());
        fields.put("stderrTruncated", run.stderr().truncated());
        fields.put("stdoutBytes", run.stdout().bytes());
        fields.put("stderrBytes", run.stderr().bytes());
        if (!run.stdout().where().isEmpty()) {
            fields.put("stdoutFile", run.stdout().where());
        }
        if (!run.stderr().where().isEmpty()) {
            fields.put("stderrFile", run.stderr().where());
        }
        fields.put("stdout", run.stdout().shown(ProcessResults.MOST));
        fields.put("stderr", run.stderr().shown(ProcessResults.MOST));
        return fields;
    }

    private static int exitCode(RunResult run) {
        return switch (run.outcome()) {
            case OK -> run.exitCode();
            case SPAWN_FAILED -> ExitCodes.NOT_FOUND;
            case TIMED_OUT, DISK_QUOTA, CPU_QUOTA, MEMORY_QUOTA -> ExitCodes.RESOURCE;
            case KILLED -> ExitCodes.CANCELLED;
            case POLICY_DENIED, REFUSED -> ExitCodes.DENIED;
            case SANDBOX_FAILED -> ExitCodes.INTERNAL;
        };
    }
}
