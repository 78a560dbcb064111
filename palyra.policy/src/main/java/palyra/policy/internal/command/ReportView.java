package palyra.policy.internal.command;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import palyra.api.command.CommandContext;
import palyra.api.command.ExitCodes;
import palyra.api.core.policy.PolicyProblem;
import palyra.api.core.policy.PolicyReport;
import palyra.api.core.policy.PolicyReport.Outcome;

/** Shows what came of checking a set. */
final class ReportView {
    private ReportView() {}

    /**
     * Writes a report and returns the exit code.
     *
     * @param again what to type to confirm a loss, without the digest; empty when nothing can be
     */
    static int write(CommandContext context, PolicyReport report, String again) {
        if (context.json()) {
            context.output().fields(fields(report));
        } else {
            report.problems().forEach(problem -> write(context, problem));
            if (!report.lost().isEmpty()) {
                context.output()
                        .line("forbids that would be lost: " + String.join(", ", report.lost()));
            }
            context.output().line(report.summary());
            context.output()
                    .line(
                            (report.sha256().isEmpty() ? "" : report.sha256() + ", ")
                                    + report.casesRun()
                                    + " cases, "
                                    + report.replayed()
                                    + " requests replayed, "
                                    + report.millis()
                                    + " ms");
        }
        if (report.outcome() == Outcome.NEEDS_CONFIRMATION && !again.isEmpty()) {
            context.output().note("To confirm it: palyra policy " + again + " " + report.sha256());
        }
        return exit(report);
    }

    static int exit(PolicyReport report) {
        return switch (report.outcome()) {
            case APPLIED, UNCHANGED, VALID -> ExitCodes.OK;
            case NEEDS_CONFIRMATION, REFUSED -> ExitCodes.FAILED;
        };
    }

    static void write(CommandContext context, PolicyProblem problem) {
        context.output().line(line(problem));
        if (!problem.sourceLine().isEmpty()) {
            context.output().line("    " + problem.sourceLine());
            context.output().line("    " + problem.caretLine());
        }
        if (!problem.help().isEmpty()) {
            context.output().line("    " + problem.help());
        }
    }

    private static String line(PolicyProblem problem) {
        StringBuilder text = new StringBuilder();
        if (!problem.file().isEmpty()) {
            text.append(problem.file()).append(':');
            if (problem.line() > 0) {
                text.append(problem.line()).append(':').append(problem.column()).append(':');
            }
            text.append(' ');
        }
        text.append(problem.error() ? "error: " : "warning: ");
        return text.append(problem.message()).toString();
    }

    static Map<String, Object> fields(PolicyReport report) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("outcome", report.outcome().name().toLowerCase(Locale.ROOT));
        fields.put("sha256", report.sha256());
        fields.put("summary", report.summary());
        fields.put("problems", problems(report.problems()));
        fields.put("lost", report.lost());
        fields.put("casesRun", report.casesRun());
        fields.put("replayed", report.replayed());
        fields.put("millis", report.millis());
        return fields;
    }

    static List<Map<String, Object>> problems(List<PolicyProblem> problems) {
        return problems.stream().map(ReportView::fields).toList();
    }

    private static Map<String, Object> fields(PolicyProblem problem) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("severity", problem.error() ? "error" : "warning");
        fields.put("file", problem.file());
        fields.put("line", problem.line());
        fields.put("column", problem.column());
        fields.put("message", problem.message());
        fields.put("help", problem.help());
        return fields;
    }

    /** Returns a time as people and programs read it, to the second. */
    static String time(long millis) {
        return millis == 0
                ? ""
                : Instant.ofEpochMilli(millis).truncatedTo(ChronoUnit.SECONDS).toString();
    }
}
