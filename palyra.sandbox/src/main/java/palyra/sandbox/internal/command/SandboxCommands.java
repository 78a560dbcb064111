package palyra.sandbox.internal.command;

import java.util.List;
import palyra.api.command.Command;

/** The commands {@code sandbox …}. */
public final class SandboxCommands {
    private SandboxCommands() {}

    /** Returns all of them. */
    public static List<Command> all(CommandServices desk) {
        return List.of(
                new RunCommand(desk),
                new ListCommand(desk),
                new ExplainCommand(desk),
                new CanaryCommand(desk));
    }
}
