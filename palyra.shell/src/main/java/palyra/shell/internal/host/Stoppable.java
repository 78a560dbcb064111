package palyra.shell.internal.host;

import java.util.Optional;
import palyra.api.command.CommandContext;

/** Extension of {@link CommandContext} for commands of this bundle. */
public interface Stoppable {
    /** Returns why the command should stop; empty while it should not. */
    Optional<StopCause> stopCause();

    /** Returns whether standard error is a terminal, where a person sees progress. */
    boolean watched();

    /** Runs {@code action} after the caller has got the exit code. */
    void afterwards(Runnable action);

    /** Returns why the command of {@code context} should stop; empty while it should not. */
    static Optional<StopCause> cause(CommandContext context) {
        if (context instanceof Stoppable stoppable) {
            return stoppable.stopCause();
        }
        return context.cancelled() ? Optional.of(StopCause.PERSON) : Optional.empty();
    }

    /** Returns whether a person sees the progress of the command of {@code context}. */
    static boolean watched(CommandContext context) {
        return context instanceof Stoppable stoppable ? stoppable.watched() : context.interactive();
    }
}
