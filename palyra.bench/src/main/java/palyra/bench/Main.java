package palyra.bench;

import java.nio.file.Files;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;
import palyra.bench.channels.EndToEndSuite;
import palyra.bench.channels.RouteSuite;
import palyra.bench.console.OpenAiSuite;
import palyra.bench.console.PagesSuite;
import palyra.bench.console.ScreenSuite;
import palyra.bench.console.TabsSuite;
import palyra.bench.deploy.DropSuite;
import palyra.bench.deploy.SaveSuite;
import palyra.bench.discord.DiscordSuite;
import palyra.bench.grpc.SessionsSuite;
import palyra.bench.grpc.SwapSuite;
import palyra.bench.grpc.TokenStreamSuite;
import palyra.bench.journal.GroupCommitSuite;
import palyra.bench.journal.GrowthSuite;
import palyra.bench.journal.LookupSuite;
import palyra.bench.journal.SearchSuite;
import palyra.bench.journal.SingleUnitSuite;
import palyra.bench.journal.VerificationSuite;
import palyra.bench.models.ModelStreamSuite;
import palyra.bench.policy.CheckSuite;
import palyra.bench.policy.DecideSuite;
import palyra.bench.policy.ReloadSuite;
import palyra.bench.process.ProcessSuite;
import palyra.bench.report.Machine;
import palyra.bench.report.Report;
import palyra.bench.sandbox.CommandSuite;
import palyra.bench.sandbox.SpawnSuite;
import palyra.bench.skills.CallSuite;
import palyra.bench.turn.ResumeSuite;
import palyra.bench.turn.TokenSuite;
import palyra.bench.turn.TurnSuite;

/** Runs benchmarks; see {@code scripts/bench.sh}. */
public final class Main {
    private static final List<Suite> SUITES =
            List.of(
                    new GroupCommitSuite(),
                    new SingleUnitSuite(),
                    new LookupSuite(),
                    new SearchSuite(),
                    new VerificationSuite(),
                    new GrowthSuite(),
                    new TurnSuite(),
                    new TokenSuite(),
                    new ResumeSuite(),
                    new ProcessSuite(),
                    new SessionsSuite(),
                    new TokenStreamSuite(),
                    new SwapSuite(),
                    new ModelStreamSuite(),
                    new OpenAiSuite(),
                    new PagesSuite(),
                    new ScreenSuite(),
                    new TabsSuite(),
                    new RouteSuite(),
                    new EndToEndSuite(),
                    new DiscordSuite(),
                    new DropSuite(),
                    new SaveSuite(),
                    new DecideSuite(),
                    new CheckSuite(),
                    new ReloadSuite(),
                    new SpawnSuite(),
                    new CommandSuite(),
                    new CallSuite());

    private Main() {}

    /** Measures what the arguments ask for. Exit codes: 0 measured, 1 a suite failed, 2 usage. */
    public static void main(String[] arguments) throws Exception {
        int code;
        try {
            code = run(Setting.parse(arguments));
        } catch (Setting.Usage e) {
            System.err.println("bench: " + e.getMessage());
            code = 2;
        }
        System.exit(code);
    }

    private static int run(Setting setting) throws Exception {
        String unknown = setting.unknownName(SUITES);
        if (!unknown.isEmpty()) {
            throw new Setting.Usage(
                    "there is no benchmark '"
                            + unknown
                            + "'; there are "
                            + SUITES.stream().map(Suite::name).collect(Collectors.joining(", ")));
        }
        Files.createDirectories(setting.work());
        Machine machine = Machine.here(setting.work());
        if (machine.worksInMemory()) {
            System.err.println(
                    "bench: "
                            + setting.work()
                            + " is memory, where a sync costs nothing: choose a disk with --work");
        }
        Report report = new Report(machine, setting.result(), Instant.now(), System.out);
        boolean failed = false;
        for (Suite suite : SUITES) {
            if (setting.wants(suite)) {
                failed |= !ran(suite, setting, report);
            }
        }
        System.err.println("bench: wrote " + report.write());
        return failed ? 1 : 0;
    }

    /** A suite that fails does not take the others with it. */
    private static boolean ran(Suite suite, Setting setting, Report report) {
        try {
            suite.run(setting, report);
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } catch (Exception e) {
            System.err.println("bench: " + suite.name() + " failed: " + e.getMessage());
            e.printStackTrace();
            report.fact("failed." + suite.name(), String.valueOf(e.getMessage()));
            return false;
        }
    }
}
