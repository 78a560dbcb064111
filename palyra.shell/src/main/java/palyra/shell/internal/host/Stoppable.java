package palyra.shell.internal.host;

import java.util.Optional;
import palyra.api.command.CommandContext;

/** What commands of this bundle may learn and ask beyond {@link CommandContext}. */
public interface Stoppable {
    /** Returns why the command is told to stop; empty while it is not. */
    Optional<StopCause> stopCause();

    /** Runs {@code action} after the caller has got the exit code. */
    void afterwards(Runnable action);

    /** Returns why the command of {@code context} is told to stop; empty while it is not. */
    static Optional<StopCause> cause(CommandContext context) {
        if (context instanceof Stoppable stoppable) {
            return stoppable.stopCause();
        }
        return context.cancelled() ? Optional.of(StopCause.PERSON) : Optional.empty();
    }
}
