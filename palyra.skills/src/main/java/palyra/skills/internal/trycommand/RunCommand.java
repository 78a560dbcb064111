package palyra.skills.internal.trycommand;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import palyra.api.Require;
import palyra.api.access.Principal;
import palyra.api.command.Command;
import palyra.api.command.CommandArguments;
import palyra.api.command.CommandContext;
import palyra.api.command.CommandSpec;
import palyra.api.command.OptionSpec;
import palyra.api.command.PositionalSpec;
import palyra.api.core.tools.ToolOrder;
import palyra.api.tool.ToolInvocation;
import palyra.shared.hash.Ulids;
import palyra.shared.tool.FactsDigest;
import palyra.shared.tool.OperatorDecision;
import palyra.skills.internal.host.HostSeams;
import palyra.skills.internal.host.MemoryStorage;
import palyra.skills.internal.model.SkillQuotas;
import palyra.skills.internal.run.RunSettings;
import palyra.skills.internal.tool.LoadedTool;
import palyra.skills.internal.tool.SkillCallService;
import palyra.skills.internal.tool.SkillCallService.Ran;
import palyra.skills.internal.tool.SkillCallService.Terms;

/** {@code skills run}: one call of a skill's tool, or of a module in a file, by hand. */
final class RunCommand implements Command {
    private static final CommandSpec SPEC =
            new CommandSpec(
                    "skills run",
                    "Runs one tool of a skill, or a module, exactly as a tool call would",
                    "Schema, policy (as the agent "
                            + OperatorDecision.AGENT
                            + "), admission, host functions and journal are those of a tool call."
                            + " A file, or - for standard input, gets the grants that --grant"
                            + " names, and storage that is gone afterwards; the --tool of a module"
                            + " is the function that is called, palyra_call unless given. An"
                            + " artifact's signature is checked, its publisher is not. The call is on a"
                            + " tape of its own: attestation show takes the id of call or run. The"
                            + " output goes to standard output, all else to standard error.",
                    List.of(
                            OptionSpec.value(
                                    "tool", "NAME", "The tool; optional if the skill has only one"),
                            OptionSpec.value("input", "JSON", "The input; {} unless given"),
                            OptionSpec.value("engine", "ENGINE", "endive or wasmtime"),
                            OptionSpec.value("fuel", "N", "Fuel instead of the quota"),
                            OptionSpec.value("memory", "BYTES", "Memory instead of the quota"),
                            OptionSpec.value("timeout", "MS", "Time limit instead of the quota"),
                            GrantOptions.OPTION),
                    List.of(
                            PositionalSpec.required(
                                    "FILE|ID",
                                    "Module or artifact in a file, - for standard input, or a"
                                            + " skill")),
                    SkillCallService.EXECUTE,
                    true);
    private static final long SPARE_MILLIS = 60_000;
    private static final long MOST_TIMEOUT = 3_600_000;
    private static final long MOST_FUEL = 1_000_000_000_000_000L;
    private static final long MOST_MEMORY = 4L << 30;

    private final ToolFinder offers;
    private final SkillCallService calls;
    private final OperatorCallRecords records;
    private final Supplier<RunSettings> settings;
    private final Ulids ids;

    RunCommand(
            ToolFinder offers,
            SkillCallService calls,
            OperatorCallRecords records,
            Supplier<RunSettings> settings,
            Ulids ids) {
        this.offers = offers;
        this.calls = calls;
        this.records = records;
        this.settings = settings;
        this.ids = ids;
    }

    @Override
    public CommandSpec spec() {
        return SPEC;
    }

    @Override
    public int run(CommandContext context) throws IOException {
        CommandArguments arguments = context.arguments();
        LoadedTool offer = offers.of(context);
        String input = arguments.option("input").orElse("{}");
        offer.requireFit(input);
        Terms terms = terms(arguments, offer);
        OperatorCall call = OperatorCall.next(ids);
        Principal who = context.principal();
        OperatorDecision decision =
                OperatorDecision.of(
                        calls.access(),
                        who,
                        new OperatorDecision.Call(
                                call.runId(),
                                call.sessionId(),
                                call.callId(),
                                offer.descriptor(),
                                input,
                                offer.facts()));
        Optional<Ran> refused = calls.prepare(offer, terms); // the call's time does not run yet
        ToolOrder order = order(offer, input, terms, call, who, decision);
        records.started(call, offer, order, decision);
        long startedAtMillis = System.currentTimeMillis();
        Ran ran = refused.isPresent() ? refused.get() : ran(offer, order, terms);
        try {
            records.finished(call, order, decision, ran, startedAtMillis);
        } finally {
            RunOutput.show(context, call, ran); // it happened, even if that cannot be recorded
        }
        return RunOutput.exitCode(ran);
    }

    private Ran ran(LoadedTool offer, ToolOrder order, Terms terms) {
        try {
            return calls.run(offer, order, terms);
        } catch (InterruptedException e) {
            return SkillCallService.stopped(offer);
        }
    }

    private Terms terms(CommandArguments arguments, LoadedTool offer) {
        SkillQuotas usual = offer.skill().quotas();
        SkillQuotas quotas =
                new SkillQuotas(
                        number(arguments, "timeout", usual.timeoutMillis(), 1, MOST_TIMEOUT),
                        number(arguments, "fuel", usual.fuel(), 1, MOST_FUEL),
                        number(arguments, "memory", usual.memoryBytes(), 65_536, MOST_MEMORY));
        boolean file = ModuleFile.isFile(arguments.positional(0).orElse(""));
        HostSeams seams = file ? calls.seams().with(new MemoryStorage()) : calls.seams();
        return new Terms(arguments.option("engine").orElse(""), quotas, seams);
    }

    private static long number(
            CommandArguments arguments, String name, long otherwise, long min, long max) {
        Optional<String> given = arguments.option(name);
        if (given.isEmpty()) {
            return otherwise;
        }
        boolean usable = given.get().matches("[0-9]{1,18}");
        long value = usable ? Long.parseLong(given.get()) : -1;
        Require.that(
                value >= min && value <= max,
                "--"
                        + name
                        + " is '"
                        + given.get()
                        + "': give a whole number from "
                        + min
                        + " to "
                        + max);
        return value;
    }

    private ToolOrder order(
            LoadedTool offer,
            String input,
            Terms terms,
            OperatorCall call,
            Principal who,
            OperatorDecision decision) {
        long deadline =
                System.currentTimeMillis()
                        + terms.quotas().timeoutMillis()
                        + settings.get().engineWaitMillis()
                        + SPARE_MILLIS;
        return new ToolOrder(
                offer.tool().id(),
                new ToolInvocation(
                        call.callId(),
                        1,
                        call.runId(),
                        call.sessionId(),
                        who.id(),
                        input,
                        deadline),
                OperatorDecision.AGENT,
                who.groups(),
                decision.confinement(),
                FactsDigest.of(offer.facts()),
                false);
    }
}
