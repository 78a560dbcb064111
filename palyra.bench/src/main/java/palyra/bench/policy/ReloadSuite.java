package palyra.bench.policy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import palyra.api.core.access.AccessRequest;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.Unit;
import palyra.api.core.policy.PolicyReport;
import palyra.api.tape.TapeRecord;
import palyra.bench.Setting;
import palyra.bench.Suite;
import palyra.bench.report.Figure;
import palyra.bench.report.Goal;
import palyra.bench.report.Measure;
import palyra.bench.report.Report;

/**
 * From files that lie still to the new set in force: read, parse, validate, compile, cases,
 * recorded requests on both engines, on disk. Beside it cedar-java, which parses, validates and
 * caches the same texts.
 */
public final class ReloadSuite implements Suite {
    private static final double GOAL_MILLIS = 1_000;
    private static final int POLICIES = 1_000;
    private static final int RELOADS = 5;
    private static final int RECORDED = 200;
    private static final String PEER = "cedar-java 4.10.0: parse, validate, cache";

    private final int policies;

    /** Measures what was promised. */
    public ReloadSuite() {
        this(POLICIES);
    }

    ReloadSuite(int policies) {
        this.policies = policies;
    }

    @Override
    public String name() {
        return "policy.reload";
    }

    @Override
    public void run(Setting setting, Report report) throws Exception {
        Path folder = setting.folder("policy-reload");
        List<Path> sets =
                List.of(
                        SetText.write(folder.resolve("one"), policies, true),
                        SetText.write(folder.resolve("other"), policies, false));
        String text = text(sets.get(0));
        String schema = Files.readString(SetText.shipped().resolve("schema.cedarschema"));
        List<Double> ours = new ArrayList<>();
        List<Double> theirs = new ArrayList<>();
        try (PolicyHouse house = new PolicyHouse(folder);
                CedarJava cedarJava = CedarJava.open()) {
            house.apply(sets.get(1));
            record(house);
            for (int run = -1; run < setting.runs(); run++) {
                double own = ours(house, sets, report);
                double their = theirs(cedarJava, text, schema);
                if (run >= 0) { // the first warms up
                    ours.add(own);
                    theirs.add(their);
                }
            }
        }
        report.add(
                new Figure(
                        "policy.reload-" + policies,
                        new Measure("ms", ours),
                        PEER,
                        new Measure("ms", theirs),
                        new Goal.AtMost(GOAL_MILLIS)));
        Setting.delete(folder);
    }

    /** Both engines decide recorded requests before a set comes into force. */
    private static void record(PolicyHouse house) {
        Unit.Builder unit = Unit.builder();
        for (int i = 0; i < RECORDED; i++) {
            AccessRequest request = Questions.action(i);
            unit.add(
                    new Operation.Append(
                            TapeRecord.JOURNAL_STREAM,
                            "access_decision",
                            1,
                            Questions.record(request, house.engine().decide(request))));
        }
        house.store().journal().commit(unit.build());
    }

    private static double ours(PolicyHouse house, List<Path> sets, Report report) {
        PolicyReport last = null;
        long begin = System.nanoTime();
        for (int i = 0; i < RELOADS; i++) {
            last = house.apply(sets.get(i % 2));
        }
        double millis = millis(begin);
        house.apply(sets.get(1)); // so that the next begins with the other one
        report.fact(
                "policy.reload",
                house.inForce().view().policies()
                        + " policies, "
                        + last.casesRun()
                        + " cases, "
                        + last.replayed()
                        + " requests replayed");
        if (last.replayed() == 0) {
            throw new IllegalStateException("no recorded request was replayed");
        }
        return millis;
    }

    private static double theirs(CedarJava peer, String text, String schema)
            throws ReflectiveOperationException {
        long begin = System.nanoTime();
        for (int i = 0; i < RELOADS; i++) {
            peer.load(text, schema);
        }
        return millis(begin);
    }

    /** Returns the time of one reload. */
    private static double millis(long begin) {
        return (System.nanoTime() - begin) / (double) TimeUnit.MILLISECONDS.toNanos(1) / RELOADS;
    }

    private static String text(Path folder) throws IOException {
        StringBuilder text =
                new StringBuilder(Files.readString(SetText.shipped().resolve("default.cedar")));
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.filter(f -> f.toString().endsWith(".cedar")).sorted().toList()) {
                text.append('\n').append(Files.readString(file));
            }
        }
        return text.toString();
    }
}
