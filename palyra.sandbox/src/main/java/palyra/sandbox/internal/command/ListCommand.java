package palyra.sandbox.internal.command;

import java.util.List;
import java.util.Locale;
import palyra.api.command.Command;
import palyra.api.command.CommandContext;
import palyra.api.command.CommandSpec;
import palyra.api.command.ExitCodes;
import palyra.api.core.sandbox.BackendStatus;
import palyra.api.core.sandbox.SandboxBackend;
import palyra.sandbox.internal.canary.CanaryReport;
import palyra.sandbox.internal.canary.CanaryStatus;

/** {@code sandbox list}: the sandboxes of this host. */
final class ListCommand implements Command {
    private static final CommandSpec SPEC =
            new CommandSpec(
                    "sandbox list",
                    "Lists the sandboxes of this host and whether they passed their self-tests",
                    "",
                    List.of(),
                    List.of(),
                    CommandServices.READ,
                    false);

    private final CommandServices services;

    ListCommand(CommandServices services) {
        this.services = services;
    }

    @Override
    public CommandSpec spec() {
        return SPEC;
    }

    @Override
    public int run(CommandContext context) {
        context.output()
                .table(
                        List.of("Tier", "Executor", "State", "Canary", "Facts", "Cause"),
                        services.backends().all().stream().map(this::row).toList());
        if (services.backends().all().isEmpty()) {
            context.output().note("No sandbox is installed; every command of an agent is refused.");
        }
        return ExitCodes.OK;
    }

    private List<?> row(SandboxBackend backend) {
        BackendStatus status = backend.status();
        CanaryStatus canaryStatus = services.canaries().canaryStatus(backend);
        return List.of(
                backend.tier().name(),
                backend.executor(),
                lower(status.state()),
                lower(canaryStatus.state())
                        + canaryStatus
                                .report()
                                .map(CanaryReport::citation)
                                .map(c -> " " + c)
                                .orElse(""),
                status.facts(),
                canaryStatus.cause());
    }

    static String lower(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }
}
