package palyra.policy.internal.set;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import palyra.api.core.policy.PolicyProblem;
import palyra.api.core.policy.PolicyReport;
import palyra.api.core.policy.PolicyReport.Outcome;
import palyra.api.core.policy.PolicySetView;

/** Words and events about what became of a set. Stateless. */
final class Reports {
    private static final int MOST_PROBLEMS = 20;
    private static final int MOST_NAMED = 10;

    private Reports() {}

    static PolicyReport report(
            Outcome outcome,
            String sha256,
            String summary,
            SetChecker.Outcome checked,
            List<String> lost,
            long millis) {
        return new PolicyReport(
                outcome,
                sha256,
                summary,
                checked.problems(),
                lost,
                checked.casesRun(),
                checked.replayed(),
                millis);
    }

    static PolicyReport refused(String sha256, List<PolicyProblem> problems, long millis) {
        return refused(sha256, problems, 0, 0, millis);
    }

    static PolicyReport refused(
            String sha256, List<PolicyProblem> problems, int cases, int replayed, long millis) {
        long errors = problems.stream().filter(PolicyProblem::error).count();
        String first =
                problems.stream()
                        .filter(PolicyProblem::error)
                        .findFirst()
                        .map(Reports::place)
                        .orElse("");
        return new PolicyReport(
                Outcome.REFUSED,
                sha256,
                "The policies are refused: "
                        + errors
                        + (errors == 1 ? " error" : " errors")
                        + ", the first: "
                        + first,
                problems,
                List.of(),
                cases,
                replayed,
                millis);
    }

    private static String place(PolicyProblem problem) {
        String where = problem.file().isEmpty() ? "" : problem.file() + ":";
        String line = problem.line() > 0 ? problem.line() + ":" + problem.column() + ":" : "";
        return where + line + (where.isEmpty() ? "" : " ") + problem.message();
    }

    static String counts(SetChecker.Outcome checked, PolicySetView view) {
        return view.policies()
                + " policies from "
                + view.files()
                + " files; "
                + checked.casesRun()
                + " cases held and "
                + checked.replayed()
                + " recent requests were decided alike by both engines.";
    }

    /**
     * @param command command line that confirms it
     */
    static String needsConfirmation(List<String> lost, String command) {
        String names = String.join(", ", lost.subList(0, Math.min(MOST_NAMED, lost.size())));
        String more = lost.size() > MOST_NAMED ? ", and " + (lost.size() - MOST_NAMED) : "";
        return "The policies would take protection away; missing: "
                + names
                + more
                + ". The set in force stays. To confirm it: "
                + command;
    }

    static ObjectNode loaded(
            PolicySetView view, String permitId, PolicyReport report, boolean held) {
        ObjectNode event = JsonNodeFactory.instance.objectNode();
        event.put("principal", view.loadedBy());
        event.put("permitId", permitId);
        event.put("sha256", view.sha256());
        event.put("epoch", view.epoch());
        event.put("origin", view.origin());
        event.put("policies", view.policies());
        event.put("files", view.files());
        event.put("casesRun", report.casesRun());
        event.put("replayed", report.replayed());
        event.put("held", held);
        report.lost().forEach(event.putArray("lost")::add);
        return event;
    }

    static ObjectNode refused(String who, String permitId, String origin, PolicyReport report) {
        ObjectNode event = JsonNodeFactory.instance.objectNode();
        event.put("principal", who);
        event.put("permitId", permitId);
        event.put("sha256", report.sha256());
        event.put("origin", origin);
        event.put("outcome", report.outcome().name());
        event.put("summary", report.summary());
        ArrayNode problems = event.putArray("problems");
        report.problems().stream()
                .limit(MOST_PROBLEMS)
                .forEach(
                        problem -> {
                            ObjectNode node = problems.addObject();
                            node.put("error", problem.error());
                            node.put("file", problem.file());
                            node.put("line", problem.line());
                            node.put("column", problem.column());
                            node.put("message", problem.message());
                        });
        report.lost().forEach(event.putArray("lost")::add);
        return event;
    }
}
