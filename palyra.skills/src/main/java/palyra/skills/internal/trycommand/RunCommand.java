package palyra.skills.internal.trycommand;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.Require;
import palyra.api.access.Principal;
import palyra.api.command.Command;
import palyra.api.command.CommandArguments;
import palyra.api.command.CommandContext;
import palyra.api.command.CommandSpec;
import palyra.api.command.ExitCodes;
import palyra.api.command.OptionSpec;
import palyra.api.command.PositionalSpec;
import palyra.api.core.tools.ToolOrder;
import palyra.api.tool.ToolInvocation;
import palyra.shared.hash.Ulids;
import palyra.shared.tool.FactsDigest;
import palyra.skills.internal.RefusedException;
import palyra.skills.internal.artifact.Artifact;
import palyra.skills.internal.host.HostSeams;
import palyra.skills.internal.host.MemoryStorage;
import palyra.skills.internal.model.ActiveSkills;
import palyra.skills.internal.model.LoadedSkill;
import palyra.skills.internal.model.SkillGrants;
import palyra.skills.internal.model.SkillId;
import palyra.skills.internal.model.SkillQuotas;
import palyra.skills.internal.model.SkillTool;
import palyra.skills.internal.run.RunSettings;
import palyra.skills.internal.tool.Offer;
import palyra.skills.internal.tool.SkillDesk;
import palyra.skills.internal.tool.SkillDesk.Ran;
import palyra.skills.internal.tool.SkillDesk.Terms;

/** {@code skills run}: one call of a skill's tool, or of a module in a file, by hand. */
final class RunCommand implements Command {
    private static final CommandSpec SPEC =
            new CommandSpec(
                    "skills run",
                    "Runs one tool of a skill, or a module, exactly as a tool call would",
                    "Schema, policy (as the agent "
                            + TryDecision.AGENT
                            + "), admission, host functions and journal are those of a tool call."
                            + " A file, or - for standard input, gets the grants that --grant"
                            + " names, and storage that is gone afterwards; the --tool of a module"
                            + " is the function that is called, palyra_call unless given. An"
                            + " artifact's signature is checked, its publisher is not. The output goes"
                            + " to standard output, all else to standard error.",
                    List.of(
                            OptionSpec.value(
                                    "tool", "NAME", "The tool; not needed if there is one"),
                            OptionSpec.value("input", "JSON", "The input; {} unless given"),
                            OptionSpec.value("engine", "ENGINE", "endive or wasmtime"),
                            OptionSpec.value("fuel", "N", "Fuel in place of the quota"),
                            OptionSpec.value("memory", "BYTES", "Memory in place of the quota"),
                            OptionSpec.value("timeout", "MS", "Time in place of the quota"),
                            GivenGrants.OPTION),
                    List.of(
                            PositionalSpec.required(
                                    "FILE|ID",
                                    "Module or artifact in a file, - for standard input, or a"
                                            + " skill")),
                    SkillDesk.EXECUTE,
                    true);
    private static final long SPARE_MILLIS = 60_000;
    private static final long MOST_TIMEOUT = 3_600_000;
    private static final long MOST_FUEL = 1_000_000_000_000_000L;
    private static final long MOST_MEMORY = 4L << 30;

    private final ActiveSkills skills;
    private final SkillDesk desk;
    private final TryRecords records;
    private final Supplier<RunSettings> settings;
    private final Ulids ids = new Ulids();

    RunCommand(
            ActiveSkills skills,
            SkillDesk desk,
            TryRecords records,
            Supplier<RunSettings> settings) {
        this.skills = skills;
        this.desk = desk;
        this.records = records;
        this.settings = settings;
    }

    @Override
    public CommandSpec spec() {
        return SPEC;
    }

    @Override
    public int run(CommandContext context) throws IOException {
        CommandArguments arguments = context.arguments();
        Offer offer = offer(context);
        String input = arguments.option("input").orElse("{}");
        offer.requireFit(input);
        Terms terms = terms(arguments, offer);
        String callId = ids.next();
        Principal who = context.principal();
        TryDecision decision = TryDecision.of(desk.access(), who, callId, offer, input);
        ToolOrder order = order(offer, input, terms, callId, who, decision);
        records.started(offer, order, decision);
        Ran ran;
        try {
            ran = desk.run(offer, order, terms);
        } catch (InterruptedException e) {
            context.output().note("It was stopped.");
            return ExitCodes.CANCELLED;
        }
        records.finished(order, ran.result());
        RunShown.show(context, ran);
        return RunShown.exitCode(ran);
    }

    private Offer offer(CommandContext context) throws IOException {
        String given = context.arguments().positional(0).orElse("");
        Optional<String> tool = context.arguments().option("tool");
        List<String> grants = context.arguments().options().getOrDefault("grant", List.of());
        if (GivenModule.isFile(given)) {
            byte[] bytes = GivenModule.bytes(context, given);
            SkillGrants named = GivenGrants.read(grants);
            if (GivenModule.isArtifact(bytes)) {
                LoadedSkill skill = tried(bytes, named);
                return Offer.of(skill, tool.orElseGet(() -> onlyTool(skill)));
            }
            GivenModule.requireModule(bytes);
            return Offer.of(GivenModule.skill(bytes, tool.orElse(""), named), GivenModule.TOOL);
        }
        Require.that(
                grants.isEmpty(),
                "--grant goes with a file only; an installed skill has the grants of its manifest");
        LoadedSkill skill = skills.load(id(given));
        return Offer.of(skill, tool.orElseGet(() -> onlyTool(skill)));
    }

    /** Nobody approved it: it gets what was named, whatever its manifest asks for. */
    private static LoadedSkill tried(byte[] bytes, SkillGrants named) {
        try {
            return Artifact.verify(bytes).loaded(false, "").with(named);
        } catch (RefusedException e) {
            throw e.asPalyra();
        }
    }

    private SkillId id(String given) {
        return skills.active().stream()
                .filter(each -> each.skill().equals(given) || each.toString().equals(given))
                .findFirst()
                .orElseThrow(
                        () ->
                                new PalyraException(
                                        ErrorCode.NOT_FOUND,
                                        "No skill " + given + " is active; see skills list."));
    }

    private static String onlyTool(LoadedSkill skill) {
        List<String> names = skill.tools().stream().map(SkillTool::id).toList();
        Require.that(names.size() == 1, "--tool is missing; the skill has " + names);
        return names.get(0);
    }

    private Terms terms(CommandArguments arguments, Offer offer) {
        SkillQuotas usual = offer.skill().quotas();
        SkillQuotas quotas =
                new SkillQuotas(
                        number(arguments, "timeout", usual.timeoutMillis(), 1, MOST_TIMEOUT),
                        number(arguments, "fuel", usual.fuel(), 1, MOST_FUEL),
                        number(arguments, "memory", usual.memoryBytes(), 65_536, MOST_MEMORY));
        boolean file = GivenModule.isFile(arguments.positional(0).orElse(""));
        HostSeams seams = file ? desk.seams().with(new MemoryStorage()) : desk.seams();
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
            Offer offer,
            String input,
            Terms terms,
            String callId,
            Principal who,
            TryDecision decision) {
        long deadline =
                System.currentTimeMillis()
                        + terms.quotas().timeoutMillis()
                        + settings.get().engineWaitMillis()
                        + SPARE_MILLIS;
        return new ToolOrder(
                offer.tool().id(),
                new ToolInvocation(callId, 1, callId, "", who.id(), input, deadline),
                TryDecision.AGENT,
                who.groups(),
                decision.confinement(),
                FactsDigest.of(offer.facts()));
    }
}
