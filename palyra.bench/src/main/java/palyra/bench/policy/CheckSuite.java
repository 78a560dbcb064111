package palyra.bench.policy;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import palyra.api.core.access.PolicyDecision;
import palyra.api.core.access.PolicyDecision.Confirmation;
import palyra.api.core.access.PolicyDecision.Outcome;
import palyra.bench.Setting;
import palyra.bench.Suite;
import palyra.bench.report.Figure;
import palyra.bench.report.Goal;
import palyra.bench.report.Latencies;
import palyra.bench.report.Measure;
import palyra.bench.report.Report;
import palyra.policy.internal.cedar.Evaluator;
import palyra.policy.internal.cedar.Request;
import palyra.policy.internal.decide.PolicyRequest;
import palyra.policy.internal.set.Snapshot;

/**
 * A whole check as palyra.access has it made: a policy request comes in, an answer with reasons and
 * evidence goes out. Beside it the evaluation alone, its request prebuilt.
 */
public final class CheckSuite implements Suite {
    private static final double GOAL_MICROS = 50;
    private static final int POLICIES = 100;
    private static final String PEER = "the evaluation alone, its request prebuilt";
    private static final String UNCONFIRMED = "the evaluation alone, without the native engine";

    private final long warmNanos;
    private final long roundNanos;

    /** Measures what was promised. */
    public CheckSuite() {
        this(TimeUnit.SECONDS.toNanos(3), TimeUnit.SECONDS.toNanos(1));
    }

    CheckSuite(long warmNanos, long roundNanos) {
        this.warmNanos = warmNanos;
        this.roundNanos = roundNanos;
    }

    @Override
    public String name() {
        return "policy.check";
    }

    @Override
    public void run(Setting setting, Report report) throws Exception {
        Path folder = setting.folder("policy-check");
        Path own = SetText.write(folder.resolve("own"), POLICIES, true);
        try (PolicyProduct house = new PolicyProduct(folder)) {
            house.apply(own);
            Goal goal = new Goal.AtMost(GOAL_MICROS);
            measure(
                    "policy.check-action",
                    i -> house.engine().decide(BenchRequests.action(i)),
                    i -> PolicyRequest.of(BenchRequests.action(i)),
                    Confirmation.NOT_NEEDED,
                    house,
                    setting,
                    report,
                    goal);
            measure(
                    "policy.check-tool",
                    i -> house.engine().decideTool(BenchRequests.call(i)),
                    i -> PolicyRequest.of(BenchRequests.call(i)),
                    Confirmation.NOT_NEEDED,
                    house,
                    setting,
                    report,
                    goal);
            measure(
                    "policy.check-denied",
                    i -> house.engine().decideTool(BenchRequests.denied(i)),
                    i -> PolicyRequest.of(BenchRequests.denied(i)),
                    Confirmation.NOT_NEEDED,
                    house,
                    setting,
                    report,
                    goal);
            measure(
                    "policy.check-confirmed",
                    i -> house.engine().decide(BenchRequests.sensitive(i)),
                    i -> PolicyRequest.of(BenchRequests.sensitive(i)),
                    Confirmation.CONFIRMED,
                    house,
                    setting,
                    report,
                    new Goal.None());
            if (house.difference().isPresent()) {
                throw new IllegalStateException(house.difference().get().sentence());
            }
        }
        Setting.delete(folder);
    }

    private void measure(
            String name,
            IntFunction<PolicyDecision> check,
            IntFunction<PolicyRequest> question,
            Confirmation confirmation,
            PolicyProduct house,
            Setting setting,
            Report report,
            Goal goal) {
        Snapshot snapshot = house.inForce();
        Evaluator evaluator = snapshot.evaluator();
        List<Request> prebuilt =
                IntStream.range(0, BenchRequests.KINDS)
                        .mapToObj(i -> question.apply(i).cedarRequest(snapshot))
                        .toList();
        IntPredicate whole =
                i -> {
                    PolicyDecision answer = check.apply(i);
                    if (answer.confirmation() != confirmation || answer.evidenceJson().isEmpty()) {
                        throw new IllegalStateException(name + " was answered by " + answer);
                    }
                    return answer.outcome() == Outcome.ALLOW;
                };
        IntPredicate alone = i -> evaluator.decide(prebuilt.get(i)).allowed();
        Round expected = Round.of(alone, BenchRequests.KINDS, warmNanos);
        agree(name, expected, Round.of(whole, BenchRequests.KINDS, warmNanos));
        List<Latencies> ours = new ArrayList<>();
        List<Latencies> theirs = new ArrayList<>();
        for (int run = 0; run < setting.runs(); run++) {
            Round round = Round.of(whole, BenchRequests.KINDS, roundNanos);
            agree(name, expected, round);
            ours.add(round.latencies());
            theirs.add(Round.of(alone, BenchRequests.KINDS, roundNanos).latencies());
        }
        report.fact(
                name,
                expected.allowed().cardinality()
                        + " of "
                        + BenchRequests.KINDS
                        + " policy requests are allowed, by "
                        + snapshot.view().policies()
                        + " policies");
        String peer = confirmation == Confirmation.CONFIRMED ? UNCONFIRMED : PEER;
        report.add(figure(name + "-p50", 50, ours, peer, theirs, goal));
        report.add(figure(name + "-p99", 99, ours, peer, theirs, new Goal.None()));
    }

    private static void agree(String name, Round alone, Round whole) {
        if (!alone.allowed().equals(whole.allowed())) {
            throw new IllegalStateException(
                    name
                            + ": the whole check allows "
                            + whole.allowed()
                            + ", the evaluation "
                            + alone.allowed());
        }
    }

    private static Figure figure(
            String name,
            int percent,
            List<Latencies> ours,
            String peer,
            List<Latencies> theirs,
            Goal goal) {
        return new Figure(
                name,
                new Measure("µs", ours.stream().map(run -> run.micros(percent)).toList()),
                peer,
                new Measure("µs", theirs.stream().map(run -> run.micros(percent)).toList()),
                goal);
    }
}
