package palyra.policy.internal.command;

import java.util.List;
import palyra.api.command.Command;

/** All commands about policies, to be offered as services. */
public final class PolicyCommands {
    private PolicyCommands() {}

    /** Returns them. */
    public static List<Command> all(PolicyServices services) {
        return List.of(
                new StatusCommand(services),
                new ListCommand(services),
                new HistoryCommand(services),
                new DiffCommand(services),
                new LintCommand(services),
                new ValidateCommand(services),
                new FormatCommand(services),
                new TestCommand(services),
                new ExplainCommand(services),
                new WhyCommand(services),
                new PlanCommand(services),
                new ApplyCommand(services),
                new RollbackCommand(services),
                new ReloadCommand(services));
    }
}
