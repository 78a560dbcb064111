package palyra.sandbox.internal.command;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import palyra.api.command.Command;
import palyra.api.command.CommandContext;
import palyra.api.command.CommandSpec;
import palyra.api.command.ExitCodes;
import palyra.api.core.access.Confinement.Tier;
import palyra.api.core.sandbox.SandboxBackend;
import palyra.sandbox.internal.canary.CanaryReport;
import palyra.sandbox.internal.canary.CanaryReport.ProbeResult;

/** {@code sandbox canary}: tests sandboxes now. */
final class CanaryCommand implements Command {
    private static final CommandSpec SPEC =
            new CommandSpec(
                    "sandbox canary",
                    "Runs the self-tests of the sandboxes now and records the results",
                    "A sandbox that fails is disabled at once, and its running commands are"
                            + " ended. The exit code is 1"
                            + " when one failed or no sandbox is installed.",
                    List.of(SandboxOptions.TIER),
                    List.of(),
                    CommandServices.RUN,
                    true);

    private final CommandServices services;

    CanaryCommand(CommandServices services) {
        this.services = services;
    }

    @Override
    public CommandSpec spec() {
        return SPEC;
    }

    @Override
    public int run(CommandContext context) {
        Optional<Tier> requested = SandboxOptions.tier(context.arguments());
        List<SandboxBackend> backends =
                services.backends().all().stream()
                        .filter(one -> requested.isEmpty() || one.tier() == requested.get())
                        .toList();
        List<List<String>> rows = new ArrayList<>();
        boolean passed = !backends.isEmpty();
        for (SandboxBackend backend : backends) {
            context.output().progress("testing " + backend.executor());
            CanaryReport report = services.canaries().testNow(backend);
            passed &= report.passed();
            report.results().forEach(one -> rows.add(row(report, one)));
            report.leftOut().forEach(one -> rows.add(leftOut(report, one)));
        }
        context.output().table(List.of("Tier", "Executor", "Test", "State", "Detail"), rows);
        context.output().note(passed ? "Every test held." : "At least one test failed.");
        return passed ? ExitCodes.OK : ExitCodes.FAILED;
    }

    private static List<String> row(CanaryReport report, ProbeResult one) {
        return List.of(
                report.tier().name(),
                report.executor(),
                one.probe(),
                ListCommand.lower(one.state()),
                one.detail());
    }

    private static List<String> leftOut(CanaryReport report, String what) {
        return List.of(report.tier().name(), report.executor(), what, "leftOut", "");
    }
}
