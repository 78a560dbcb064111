package palyra.policy.internal.command;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import palyra.api.command.Command;
import palyra.api.command.CommandContext;
import palyra.api.command.CommandSpec;
import palyra.api.command.ExitCodes;
import palyra.api.command.PositionalSpec;
import palyra.api.core.policy.PolicyProblem;
import palyra.policy.internal.decide.CaseRunner;
import palyra.policy.internal.decide.CaseRunner.CaseResult;
import palyra.policy.internal.set.PolicyService.Trial;

/** {@code policy test [FOLDER]}: tries the cases of a set. */
final class TestCommand implements Command {
    private static final CommandSpec SPEC =
            new CommandSpec(
                    "policy test",
                    "Runs the cases of a policy set: examples with the expected decision",
                    "Cases are in files *"
                            + CaseRunner.SUFFIX
                            + " beside the policies. Ends with N passed, N failed; exit code 1"
                            + " when one failed or the set cannot be compiled.",
                    List.of(),
                    List.of(
                            PositionalSpec.optional(
                                    "FOLDER", "Folder in the place of the operator's")),
                    PolicyServices.VALIDATE,
                    false);

    private final PolicyServices services;

    TestCommand(PolicyServices services) {
        this.services = services;
    }

    @Override
    public CommandSpec spec() {
        return SPEC;
    }

    @Override
    public int run(CommandContext context) {
        Trial trial = services.sets().tryCases(PathArguments.folder(context, 0));
        List<CaseResult> failed = trial.results().stream().filter(r -> !r.passed()).toList();
        List<PolicyProblem> errors =
                trial.problems().stream().filter(PolicyProblem::error).toList();
        long passed = trial.results().size() - failed.size();
        if (context.json()) {
            Map<String, Object> fields = new LinkedHashMap<>();
            fields.put("passed", passed);
            fields.put("failed", errors.size());
            fields.put("failures", failed.stream().map(TestCommand::fields).toList());
            fields.put("problems", ReportView.problems(errors));
            context.output().fields(fields);
        } else {
            errors.forEach(problem -> ReportView.write(context, problem));
            context.output().line(passed + " passed, " + errors.size() + " failed");
        }
        return errors.isEmpty() ? ExitCodes.OK : ExitCodes.FAILED;
    }

    private static Map<String, Object> fields(CaseResult result) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("file", result.file());
        fields.put("name", result.name());
        fields.put("expected", result.expected());
        fields.put("found", result.found());
        return fields;
    }
}
