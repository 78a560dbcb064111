package palyra.policy.internal.command;

import java.util.List;
import palyra.api.command.Command;

/** All commands about policies, to be offered as services. */
public final class PolicyCommands {
    private PolicyCommands() {}

    /** Returns them. */
    public static List<Command> all(PolicyServices desk) {
        return List.of(
                new StatusCommand(desk),
                new ListCommand(desk),
                new HistoryCommand(desk),
                new DiffCommand(desk),
                new LintCommand(desk),
                new ValidateCommand(desk),
                new FormatCommand(desk),
                new TestCommand(desk),
                new ExplainCommand(desk),
                new WhyCommand(desk),
                new PlanCommand(desk),
                new ApplyCommand(desk),
                new RollbackCommand(desk),
                new ReloadCommand(desk));
    }
}
