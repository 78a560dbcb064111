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
import palyra.lib.cedar.CedarFile;
import palyra.lib.cedar.Compilation;
import palyra.lib.cedar.CompileRequest;

/**
 * From files that lie still to the new set in force: read, parse, validate, compile, cases,
 * recorded requests on both engines, on disk. Beside it the native engine alone, which parses and
 * validates the same texts.
 */
public final class ReloadSuite implements Suite {
    private static final double GOAL_MILLIS = 1_000;
    private static final int POLICIES = 1_000;
    private static final int RELOADS = 5;
    private static final int RECORDED = 200;
    private static final String PEER = "the native engine alone: parse, validate";

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
        CompileRequest texts = texts(sets.get(0));
        List<Double> ours = new ArrayList<>();
        List<Double> theirs = new ArrayList<>();
        try (PolicyProduct house = new PolicyProduct(folder)) {
            house.apply(sets.get(1));
            record(house);
            for (int run = -1; run < setting.runs(); run++) {
                double own = ours(house, sets, report);
                double their = theirs(texts);
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
    private static void record(PolicyProduct house) {
        Unit.Builder unit = Unit.builder();
        for (int i = 0; i < RECORDED; i++) {
            AccessRequest request = BenchRequests.action(i);
            unit.add(
                    new Operation.Append(
                            TapeRecord.JOURNAL_STREAM,
                            "access_decision",
                            1,
                            BenchRequests.record(request, house.engine().decide(request))));
        }
        house.store().journal().commit(unit.build());
    }

    private static double ours(PolicyProduct house, List<Path> sets, Report report) {
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

    private static double theirs(CompileRequest texts) {
        long begin = System.nanoTime();
        for (int i = 0; i < RELOADS; i++) {
            Compilation compiled = Natives.cedar().compile(texts);
            if (!compiled.ok()) {
                throw new IllegalStateException(compiled.diagnostics().getFirst().render());
            }
        }
        return millis(begin);
    }

    /** Returns the time of one reload. */
    private static double millis(long begin) {
        return (System.nanoTime() - begin) / (double) TimeUnit.MILLISECONDS.toNanos(1) / RELOADS;
    }

    private static CompileRequest texts(Path folder) throws IOException {
        Path shipped = SetText.shipped();
        List<CedarFile> policies = new ArrayList<>();
        policies.add(file(shipped.resolve("default.cedar")));
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.filter(f -> f.toString().endsWith(".cedar")).sorted().toList()) {
                policies.add(file(file));
            }
        }
        return CompileRequest.of(policies).withSchema(file(shipped.resolve("schema.cedarschema")));
    }

    private static CedarFile file(Path file) throws IOException {
        return CedarFile.of(file.getFileName().toString(), Files.readString(file));
    }
}
