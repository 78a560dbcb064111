package palyra.policy.internal.command;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.command.CommandContext;
import palyra.api.command.ExitCodes;
import palyra.api.core.policy.PolicyProblem;
import palyra.lib.cedar.CedarException;
import palyra.lib.cedar.Diagnostic;

/** Shows problems of texts that are no set, and turns the engine's words into ours. */
final class ProblemOutput {
    private ProblemOutput() {}

    static List<PolicyProblem> of(List<Diagnostic> diagnostics) {
        return diagnostics.stream().map(ProblemOutput::of).toList();
    }

    private static PolicyProblem of(Diagnostic found) {
        return new PolicyProblem(
                found.isError(),
                found.file(),
                found.line(),
                found.column(),
                found.message(),
                found.help(),
                found.sourceLine(),
                found.caretLine());
    }

    static PolicyProblem warning(String file, int line, String message, String help) {
        return new PolicyProblem(false, file, line, line == 0 ? 0 : 1, message, help, "", "");
    }

    /** Writes them and returns the exit code. */
    static int write(CommandContext context, List<PolicyProblem> problems) {
        long errors = problems.stream().filter(PolicyProblem::error).count();
        long warnings = problems.size() - errors;
        if (context.json()) {
            Map<String, Object> fields = new LinkedHashMap<>();
            fields.put("errors", errors);
            fields.put("warnings", warnings);
            fields.put("problems", ReportView.problems(problems));
            context.output().fields(fields);
        } else {
            problems.forEach(problem -> ReportView.write(context, problem));
            context.output().line(errors + " errors, " + warnings + " warnings");
        }
        return errors == 0 ? ExitCodes.OK : ExitCodes.FAILED;
    }

    /** Calls the native engine and turns its refusals into errors of Palyra. */
    static <T> T callEngine(Supplier<T> call) {
        try {
            return call.get();
        } catch (CedarException e) {
            ErrorCode code =
                    switch (e.reason()) {
                        case REFUSED -> ErrorCode.INVALID_ARGUMENT;
                        case BUSY -> ErrorCode.RESOURCE_EXHAUSTED;
                        case TIMED_OUT -> ErrorCode.TIMED_OUT;
                        case INTERRUPTED -> ErrorCode.CANCELLED;
                        default -> ErrorCode.POLICY_UNAVAILABLE;
                    };
            throw new PalyraException(code, e.getMessage(), e);
        }
    }

    /** Returns how a file is called in problems. */
    static String shown(String name) {
        if (name.equals(PathArguments.STANDARD_INPUT)) {
            return "standard-input";
        }
        return name.substring(name.lastIndexOf('/') + 1).replaceAll("\\p{Cntrl}", "?");
    }
}
