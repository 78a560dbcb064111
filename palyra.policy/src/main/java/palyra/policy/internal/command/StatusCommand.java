package palyra.policy.internal.command;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import palyra.api.command.Command;
import palyra.api.command.CommandContext;
import palyra.api.command.CommandSpec;
import palyra.api.command.ExitCodes;
import palyra.api.core.policy.PolicyStatus;

/** {@code policy status}: the set in force, the engine that decides, and the last refused set. */
final class StatusCommand implements Command {
    private static final CommandSpec SPEC =
            new CommandSpec(
                    "policy status",
                    "Shows which policy set is in force, and what was refused",
                    "Exit code 0: a set is in force and the saved files were taken; 1: not so.",
                    List.of(),
                    List.of(),
                    PolicyServices.READ,
                    false);

    private final PolicyServices services;

    StatusCommand(PolicyServices services) {
        this.services = services;
    }

    @Override
    public CommandSpec spec() {
        return SPEC;
    }

    @Override
    public int run(CommandContext context) {
        PolicyStatus status = services.sets().status();
        Map<String, Object> fields = new LinkedHashMap<>();
        status.current()
                .ifPresentOrElse(
                        view -> {
                            fields.put("sha256", view.sha256());
                            fields.put("epoch", view.epoch());
                            fields.put("policies", view.policies());
                            fields.put("files", view.files());
                            fields.put("origin", view.origin());
                            fields.put("loadedAt", ReportView.time(view.loadedAtMillis()));
                            fields.put("loadedBy", view.loadedBy());
                        },
                        () -> fields.put("sha256", ""));
        fields.put("engine", status.engine());
        fields.put(
                "nativeEngine",
                status.nativeEngine().isEmpty() ? "available" : status.nativeEngine());
        fields.put("held", status.held());
        fields.put("folders", status.folders());
        fields.put(
                "warnings",
                context.json() ? ReportView.problems(status.warnings()) : status.warnings().size());
        status.refused()
                .ifPresent(
                        report -> {
                            fields.put("refused", report.summary());
                            if (context.json()) {
                                fields.put("problems", ReportView.problems(report.problems()));
                            }
                        });
        context.output().fields(fields);
        status.refused()
                .ifPresent(report -> report.problems().forEach(p -> ReportView.write(context, p)));
        status.warnings().forEach(problem -> ReportView.write(context, problem));
        notes(context, status);
        boolean well = status.current().isPresent() && status.refused().isEmpty();
        return well ? ExitCodes.OK : ExitCodes.FAILED;
    }

    private static void notes(CommandContext context, PolicyStatus status) {
        if (status.current().isEmpty()) {
            context.output().note("No policy set is in force: everything is denied.");
        }
        if (status.held()) {
            context.output()
                    .note(
                            "The set in force came by rollback or apply; saved files wait for"
                                    + " palyra policy reload.");
        }
        if (status.engine().equals("native")) {
            context.output()
                    .note(
                            "The engines disagreed: the native one decides until palyra policy"
                                    + " reload.");
        }
    }
}
