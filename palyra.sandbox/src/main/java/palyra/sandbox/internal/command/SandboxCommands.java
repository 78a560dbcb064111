package palyra.sandbox.internal.command;

import java.util.List;
import palyra.api.command.Command;

/** The commands {@code sandbox …}. */
public final class SandboxCommands {
    private SandboxCommands() {}

    /** Returns all of them. */
    public static List<Command> all(CommandServices services) {
        return List.of(
                new RunCommand(services),
                new ListCommand(services),
                new ExplainCommand(services),
                new CanaryCommand(services));
    }
}
