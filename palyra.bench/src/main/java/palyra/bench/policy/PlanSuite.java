package palyra.bench.policy;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import palyra.api.core.access.AccessRequest;
import palyra.api.core.access.ToolQuestion;
import palyra.api.core.journal.Journal;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.Unit;
import palyra.api.tape.TapeRecord;
import palyra.bench.Setting;
import palyra.bench.Suite;
import palyra.bench.report.Figure;
import palyra.bench.report.Goal;
import palyra.bench.report.Measure;
import palyra.bench.report.Report;
import palyra.policy.internal.plan.Plan;
import palyra.policy.internal.plan.PlanReport;
import palyra.policy.internal.set.Snapshot;

/**
 * What a candidate set would have decided otherwise, over recorded decisions that all differ: half
 * of them about actions in the journal's own stream, half about calls on the tapes of runs. Beside
 * it the records read and nothing done with them.
 */
public final class PlanSuite implements Suite {
    private static final double GOAL_SECONDS = 10;
    private static final int DECISIONS = 100_000;
    private static final int POLICIES = 100;
    private static final int RUN_DECISIONS = 100;
    private static final int PAGE = 1_000;
    private static final String PEER = "the same records read, not decided";

    private final int decisions;

    /** Measures what was promised. */
    public PlanSuite() {
        this(DECISIONS);
    }

    PlanSuite(int decisions) {
        this.decisions = decisions;
    }

    @Override
    public String name() {
        return "policy.plan";
    }

    @Override
    public void run(Setting setting, Report report) throws Exception {
        Path folder = setting.folder("policy-plan");
        List<Double> ours = new ArrayList<>();
        List<Double> theirs = new ArrayList<>();
        try (PolicyHouse house = new PolicyHouse(folder)) {
            house.apply(SetText.write(folder.resolve("before"), POLICIES, true));
            List<String> streams = record(house, decisions);
            Snapshot before = house.inForce();
            house.apply(SetText.write(folder.resolve("after"), POLICIES, false));
            Snapshot after = house.inForce();
            for (int run = -1; run < setting.runs(); run++) {
                double own = plan(house, after, before, report);
                double their = read(house.store().journal(), streams);
                if (run >= 0) { // the first warms up
                    ours.add(own);
                    theirs.add(their);
                }
            }
        }
        report.add(
                new Figure(
                        "policy.plan-" + decisions,
                        new Measure("s", ours),
                        PEER,
                        new Measure("s", theirs),
                        new Goal.AtMost(GOAL_SECONDS)));
        Setting.delete(folder);
    }

    /** Returns the streams that hold decisions. */
    private static List<String> record(PolicyHouse house, int decisions) {
        List<String> streams = new ArrayList<>(List.of(TapeRecord.JOURNAL_STREAM));
        for (int done = 0; done < decisions; done += RUN_DECISIONS) {
            String run = house.store().openRun();
            streams.add(run);
            Unit.Builder unit = Unit.builder();
            for (int i = done; i < Math.min(decisions, done + RUN_DECISIONS); i++) {
                unit.add(i % 2 == 0 ? action(house, i) : call(house, run, i));
            }
            house.store().journal().commit(unit.build());
        }
        return streams;
    }

    private static Operation action(PolicyHouse house, int i) {
        AccessRequest request = Questions.action(i);
        return new Operation.Append(
                TapeRecord.JOURNAL_STREAM,
                "access_decision",
                1,
                Questions.record(request, house.engine().decide(request)));
    }

    /** Every tenth is about the marker, to which the candidate says something else. */
    private static Operation call(PolicyHouse house, String run, int i) {
        ToolQuestion question = i % 20 == 1 ? Questions.marker(i) : Questions.call(i);
        return new Operation.Append(
                run,
                "tool_decision",
                1,
                Questions.record(question, house.engine().decideTool(question)));
    }

    private double plan(PolicyHouse house, Snapshot candidate, Snapshot inForce, Report report) {
        long begin = System.nanoTime();
        PlanReport found =
                new Plan(house.journal())
                        .run(candidate, Optional.of(inForce), 0, decisions, () -> false);
        double seconds = seconds(begin);
        boolean whole = found.replayed() == decisions && found.distinct() == decisions;
        if (!whole || found.broken() + found.withoutEvidence() > 0 || found.flipped() == 0) {
            throw new IllegalStateException("not what was recorded: " + found);
        }
        report.fact(
                "policy.plan",
                found.replayed()
                        + " decisions replayed, all different; "
                        + found.flipped()
                        + " would end otherwise, in "
                        + found.flips().size()
                        + " groups");
        return seconds;
    }

    private static double read(Journal journal, List<String> streams) {
        long begin = System.nanoTime();
        for (String stream : streams) {
            long after = 0;
            for (List<TapeRecord> page = journal.tape(stream, after, PAGE);
                    !page.isEmpty();
                    page = journal.tape(stream, after, PAGE)) {
                after = page.getLast().seq();
            }
        }
        return seconds(begin);
    }

    private static double seconds(long begin) {
        return (System.nanoTime() - begin) / (double) TimeUnit.SECONDS.toNanos(1);
    }
}
