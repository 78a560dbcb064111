package palyra.console.internal.run;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.Require;
import palyra.api.access.Principal;
import palyra.api.approval.ApprovalOption;
import palyra.api.approval.ApprovalView;
import palyra.api.run.RunState;
import palyra.api.run.RunView;
import palyra.console.internal.Seams;
import palyra.console.internal.web.Exchange;
import palyra.console.internal.web.Router;

/** The list of runs, the page of each, and what can be done with one: answer, cancel, retry. */
public final class RunPages {
    private static final int PAGE = 50;

    /** Runs that are looked through for those of a state, before the reader is asked to go on. */
    private static final int LOOKED_AT = 1_000;

    /**
     * The list.
     *
     * @param state the state asked for; empty for all
     * @param newest whether the newest are shown, which hints change
     * @param next address of older ones; empty when there are none
     */
    public record ListView(
            List<RunView> runs, String state, List<RunState> states, boolean newest, String next) {}

    private final Seams seams;
    private final RunReading reading;

    /** Creates the pages. */
    public RunPages(Seams seams) {
        this.seams = seams;
        this.reading = new RunReading(seams);
    }

    /** Adds the routes. */
    public void routes(Router router) {
        router.get("/console/runs", this::list);
        router.get("/console/runs/{id}", this::show);
        router.post("/console/runs/{id}/cancel", this::cancel);
        router.post("/console/runs/{id}/retry", this::retry);
        router.post("/console/runs/{id}/answer", this::answer);
        router.get("/console/go/{id}", this::go);
    }

    private void list(Exchange exchange) throws IOException {
        Optional<RunState> state = state(exchange.parameter("state"));
        String before = exchange.parameter("before");
        if (!before.isEmpty()) {
            RunReading.requireId("run", before);
        }
        List<RunView> found = new ArrayList<>();
        int looked = 0;
        boolean more = true;
        String last = before;
        while (more && found.size() < PAGE && looked < LOOKED_AT) {
            String from = last;
            int limit = state.isEmpty() ? PAGE - found.size() : 200;
            List<RunView> page =
                    seams.runs().call(front -> front.runs(exchange.principal(), "", from, limit));
            more = page.size() == limit;
            looked += page.size();
            for (RunView run : page) {
                last = run.runId();
                if (state.isEmpty() || run.state() == state.get()) {
                    found.add(run);
                }
                if (found.size() == PAGE) {
                    more = true;
                    break;
                }
            }
        }
        String next =
                more
                        ? "/console/runs?before="
                                + last
                                + state.map(s -> "&state=" + s.name()).orElse("")
                        : "";
        ListView view =
                new ListView(
                        found,
                        state.map(RunState::name).orElse(""),
                        List.of(RunState.values()),
                        before.isEmpty(),
                        next);
        exchange.page("Runs", exchange.partial() ? "run/run-list.jte" : "page/runs.jte", view);
    }

    private static Optional<RunState> state(String name) {
        if (name.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(
                Arrays.stream(RunState.values())
                        .filter(state -> state.name().equals(name))
                        .findFirst()
                        .orElseThrow(
                                () ->
                                        new PalyraException(
                                                ErrorCode.INVALID_ARGUMENT,
                                                "There is no state of that name; choose one from"
                                                        + " the list.")));
    }

    private void show(Exchange exchange) throws IOException {
        RunView run = reading.run(exchange.principal(), exchange.segment("id"));
        RunPart part = reading.part(exchange.principal(), run, place(exchange));
        render(exchange, part, 200);
    }

    private static String place(Exchange exchange) {
        return exchange.parameter("place").equals("session") ? "session" : "run";
    }

    private static void render(Exchange exchange, RunPart part, int status) throws IOException {
        if (part.live()) {
            exchange.follow(part.run().runId(), part.lastSeq(), "");
        }
        exchange.page(
                status,
                "Run " + part.run().runId(),
                exchange.partial() ? "run/part.jte" : "page/run.jte",
                part);
    }

    private void cancel(Exchange exchange) throws IOException {
        change(
                exchange,
                (reader, run) ->
                        seams.runs()
                                .call(
                                        front ->
                                                front.cancel(
                                                        reader,
                                                        run.runId(),
                                                        "cancelled in the console")));
    }

    private void retry(Exchange exchange) throws IOException {
        change(
                exchange,
                (reader, run) -> seams.runs().call(front -> front.retry(reader, run.runId())));
    }

    private void answer(Exchange exchange) throws IOException {
        change(
                exchange,
                (reader, run) -> {
                    String approvalId = exchange.parameter("approval");
                    RunReading.requireId("approval request", approvalId);
                    ApprovalView asked = asked(reader, run, approvalId);
                    ApprovalOption option = option(asked, exchange.parameter("option"));
                    String reason = exchange.parameter("reason").strip();
                    seams.approvals()
                            .run(front -> front.decide(reader, option.answer(approvalId, reason)));
                });
    }

    private ApprovalView asked(Principal reader, RunView run, String approvalId) {
        return seams.approvals()
                .call(front -> front.approval(reader, approvalId))
                .filter(view -> view.runId().equals(run.runId()))
                .orElseThrow(() -> RunReading.notFound("approval request", approvalId));
    }

    private static ApprovalOption option(ApprovalView asked, String id) {
        return asked.prompt().options().stream()
                .filter(option -> option.optionId().equals(id))
                .findFirst()
                .orElseThrow(
                        () ->
                                new PalyraException(
                                        ErrorCode.INVALID_ARGUMENT,
                                        "The approval request does not offer that answer; load the"
                                                + " page again and choose one that it shows."));
    }

    private interface Change {
        void make(Principal reader, RunView run);
    }

    /** A refusal is shown with the run as it is now; a reader without a script gets the page. */
    private void change(Exchange exchange, Change change) throws IOException {
        Principal reader = exchange.principal();
        RunView run = reading.run(reader, exchange.segment("id"));
        String refusal = "";
        try {
            change.make(reader, run);
        } catch (PalyraException | IllegalArgumentException e) {
            refusal = Require.orEmpty(e.getMessage());
        }
        if (refusal.isEmpty() && !exchange.partial()) {
            exchange.seeOther(
                    place(exchange).equals("session")
                            ? "/console/sessions/" + run.sessionId()
                            : "/console/runs/" + run.runId());
            return;
        }
        RunView now = reading.run(reader, run.runId());
        RunPart part = reading.part(reader, now, place(exchange)).with(refusal);
        render(exchange, part, refusal.isEmpty() || exchange.partial() ? 200 : 409);
    }

    /** Leads to whatever an id is of. */
    private void go(Exchange exchange) {
        String id = exchange.segment("id");
        Principal reader = exchange.principal();
        RunReading.requireId("run, session or approval request", id);
        if (seams.runs().call(front -> front.run(reader, id)).isPresent()) {
            exchange.seeOther("/console/runs/" + id);
        } else if (seams.runs().call(front -> front.session(reader, id)).isPresent()) {
            exchange.seeOther("/console/sessions/" + id);
        } else {
            ApprovalView approval =
                    seams.approvals()
                            .call(front -> front.approval(reader, id))
                            .orElseThrow(
                                    () ->
                                            new PalyraException(
                                                    ErrorCode.NOT_FOUND,
                                                    "There is no run, session or approval request "
                                                            + id
                                                            + " of yours."));
            exchange.seeOther(
                    approval.runId().isEmpty()
                            ? "/console/panel/approvals"
                            : "/console/runs/" + approval.runId() + "#approval-" + id);
        }
    }
}
