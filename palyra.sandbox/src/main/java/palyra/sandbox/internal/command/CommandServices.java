package palyra.sandbox.internal.command;

import java.util.List;
import palyra.api.Require;
import palyra.api.command.Command;
import palyra.api.core.access.Access;
import palyra.api.core.journal.Journal;
import palyra.api.core.keys.Keys;
import palyra.sandbox.internal.canary.Canaries;
import palyra.sandbox.internal.process.ProcessToolService;
import palyra.sandbox.internal.run.Backends;
import palyra.shared.gate.Gate;

/**
 * What the commands work with.
 *
 * @param processes settings, guards, runner
 * @param backends the sandboxes
 * @param canaries their tests
 * @param access who decides
 * @param journal where runs are recorded
 * @param keys what signs the records
 */
public record CommandServices(
        ProcessToolService processes,
        Backends backends,
        Canaries canaries,
        Gate<Access> access,
        Gate<Journal> journal,
        Gate<Keys> keys) {
    static final String RUN = "sandbox.run";
    static final String READ = "sandbox.read";

    /** Checks. */
    public CommandServices {
        Require.present(processes, "process desk");
        Require.present(backends, "backends");
        Require.present(canaries, "canaries");
        Require.present(access, "access");
        Require.present(journal, "journal");
        Require.present(keys, "keys");
    }

    /** Returns the commands {@code sandbox …}. */
    public List<Command> commands() {
        return List.of(
                new RunCommand(this),
                new ListCommand(this),
                new ExplainCommand(this),
                new CanaryCommand(this));
    }
}
