package palyra.policy.internal.command;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.command.Command;
import palyra.api.command.CommandContext;
import palyra.api.command.CommandSpec;
import palyra.api.command.ExitCodes;
import palyra.api.command.OptionSpec;
import palyra.api.command.PositionalSpec;
import palyra.policy.internal.plan.Plan;
import palyra.policy.internal.plan.PlanReport;
import palyra.policy.internal.set.PolicyService;

/** {@code policy plan [FOLDER]}: which real calls a set would have decided otherwise. */
final class PlanCommand implements Command {
    private static final String USUAL_SINCE = "7d";
    private static final CommandSpec SPEC =
            new CommandSpec(
                    "policy plan",
                    "Shows which real calls a policy set would have decided otherwise",
                    "Decides what the journal has recorded again, by the saved files or the set"
                            + " of FOLDER, and groups what would change; with --profile as if an"
                            + " agent had another profile. Nothing is changed.",
                    List.of(
                            OptionSpec.value(
                                    "since",
                                    "WHEN",
                                    "How far back: 90m, 24h, 7d, a date or a time; "
                                            + USUAL_SINCE
                                            + " unless given"),
                            OptionSpec.value(
                                    "limit",
                                    "N",
                                    "How many decisions at most, the newest first; "
                                            + Plan.USUAL_LIMIT
                                            + " unless given"),
                            OptionSpec.value(
                                    "profile",
                                    "AGENT=PROFILE",
                                    "Decide the calls of AGENT as if it had this profile; nothing"
                                            + " after = for none")),
                    List.of(
                            PositionalSpec.optional(
                                    "FOLDER", "Folder in the place of the operator's")),
                    PolicyServices.PLAN,
                    false);

    private final PolicyServices services;

    /** A plan holds a whole candidate in memory for as long as it takes. */
    private final Semaphore underWay = new Semaphore(1);

    PlanCommand(PolicyServices services) {
        this.services = services;
    }

    @Override
    public CommandSpec spec() {
        return SPEC;
    }

    @Override
    public int run(CommandContext context) {
        int limit = context.arguments().number("limit", Plan.USUAL_LIMIT, 1, Plan.MOST);
        long since =
                since(
                        context.arguments().option("since").orElse(USUAL_SINCE),
                        System.currentTimeMillis());
        Optional<AssumedProfile> assumed =
                context.arguments().option("profile").map(AssumedProfile::of);
        if (!underWay.tryAcquire()) {
            throw new PalyraException(
                    ErrorCode.RESOURCE_EXHAUSTED,
                    "Another plan is being made; try again when it is done.");
        }
        try {
            return run(context, limit, since, assumed);
        } finally {
            underWay.release();
        }
    }

    private int run(
            CommandContext context, int limit, long since, Optional<AssumedProfile> assumed) {
        PolicyService.Candidate candidate =
                services.sets().candidate(PathArguments.folder(context, 0));
        if (candidate.snapshot().isEmpty()) {
            return ReportView.write(context, candidate.report(), "");
        }
        PlanReport report =
                new Plan(
                                services.journal(),
                                request -> assumed.map(one -> one.in(request)).orElse(request))
                        .run(
                                candidate.snapshot().get(),
                                services.sets().inForce(),
                                since,
                                limit,
                                context::cancelled);
        write(context, candidate, report);
        assumed.ifPresent(
                one -> one.doubts(candidate.snapshot().get()).forEach(context.output()::note));
        return ExitCodes.OK;
    }

    /** Returns unix time in milliseconds. */
    static long since(String text, long nowMillis) {
        try {
            if (text.matches("[0-9]{1,6}[smhd]")) {
                long count = Long.parseLong(text.substring(0, text.length() - 1));
                Duration back =
                        switch (text.charAt(text.length() - 1)) {
                            case 's' -> Duration.ofSeconds(count);
                            case 'm' -> Duration.ofMinutes(count);
                            case 'h' -> Duration.ofHours(count);
                            default -> Duration.ofDays(count);
                        };
                return nowMillis - back.toMillis();
            }
            return text.length() == 10
                    ? LocalDate.parse(text).atStartOfDay(ZoneOffset.UTC).toInstant().toEpochMilli()
                    : Instant.parse(text).toEpochMilli();
        } catch (DateTimeException | ArithmeticException e) {
            throw new PalyraException(
                    ErrorCode.INVALID_ARGUMENT,
                    "--since is '"
                            + text.replaceAll("\\p{Cntrl}", "?")
                            + "': give a span such as 24h or 7d, a date as 2026-01-31, or a time as"
                            + " 2026-01-31T08:00:00Z",
                    e);
        }
    }

    private static void write(
            CommandContext context, PolicyService.Candidate candidate, PlanReport report) {
        if (context.json()) {
            context.output().fields(fields(candidate, report));
        } else {
            context.output()
                    .table(
                            List.of(
                                    "Calls",
                                    "Was",
                                    "Would be",
                                    "Action",
                                    "About",
                                    "Principal",
                                    "By",
                                    "Already",
                                    "Examples"),
                            report.flips().stream().map(PlanCommand::row).toList());
            context.output().line(summary(report));
        }
        if (!report.complete()) {
            context.output().note("The limit was reached; raise --limit to look further back.");
        }
        if (!candidate.report().lost().isEmpty()) {
            context.output()
                    .note(
                            "It would take away these forbids: "
                                    + String.join(", ", candidate.report().lost())
                                    + ".");
        }
    }

    private static String summary(PlanReport report) {
        return report.replayed()
                + " decisions replayed"
                + (report.oldestMillis() == 0
                        ? ""
                        : " since " + ReportView.time(report.oldestMillis()))
                + ": "
                + report.flipped()
                + " would change; "
                + report.withoutEvidence()
                + " were not decided by policies, "
                + report.broken()
                + " are not readable";
    }

    private static List<?> row(PlanReport.Flip flip) {
        PlanReport.Group group = flip.group();
        return List.of(
                flip.count(),
                group.from().word(),
                group.to().word(),
                group.action(),
                group.resourceType(),
                group.principal(),
                by(group),
                flip.already(),
                flip.examples().stream().map(PlanReport.Example::reference).toList());
    }

    private static String by(PlanReport.Group group) {
        return group.policies().isEmpty() ? "(no policy permits it)" : group.policies();
    }

    private static Map<String, Object> fields(
            PolicyService.Candidate candidate, PlanReport report) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("candidate", candidate.report().sha256());
        fields.put("replayed", report.replayed());
        fields.put("distinct", report.distinct());
        fields.put("flipped", report.flipped());
        fields.put("withoutEvidence", report.withoutEvidence());
        fields.put("unreadable", report.broken());
        fields.put("complete", report.complete());
        fields.put("oldest", ReportView.time(report.oldestMillis()));
        fields.put("lost", candidate.report().lost());
        List<Map<String, Object>> flips = new ArrayList<>();
        report.flips().forEach(flip -> flips.add(fields(flip)));
        fields.put("flips", flips);
        return fields;
    }

    private static Map<String, Object> fields(PlanReport.Flip flip) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("calls", flip.count());
        fields.put("was", flip.group().from().word());
        fields.put("wouldBe", flip.group().to().word());
        fields.put("action", flip.group().action());
        fields.put("resourceType", flip.group().resourceType());
        fields.put("principal", flip.group().principal());
        fields.put("policies", flip.group().policies());
        fields.put("already", flip.already());
        fields.put("examples", flip.examples().stream().map(PlanCommand::fields).toList());
        return fields;
    }

    private static Map<String, Object> fields(PlanReport.Example example) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("reference", example.reference());
        fields.put("resource", example.resource());
        fields.put("time", ReportView.time(example.timeMillis()));
        return fields;
    }
}
