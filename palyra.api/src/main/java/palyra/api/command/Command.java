package palyra.api.command;

import java.util.List;
import org.osgi.annotation.versioning.ConsumerType;

/**
 * A command for administrators. Register it as a service and it appears in the shell, on the local
 * socket and in the help.
 *
 * <p>The shell authorises {@link CommandSpec#action} for the caller before {@link #run} is called,
 * so a command does not check its caller. When two services carry one name, the higher {@code
 * service.ranking} wins, then the lower {@code service.id}.
 */
@ConsumerType
public interface Command {
    /** Returns the command's specification; constant for the life of the service. */
    CommandSpec spec();

    /**
     * Runs it and returns an exit code of {@link ExitCodes}. Runs on a thread of its own.
     *
     * <p>A {@link palyra.api.PalyraException} becomes one line on standard error and the exit code
     * of its kind; anything else becomes a line that says so, with the details in the log.
     */
    int run(CommandContext context) throws Exception;

    /**
     * Offers completions for a positional argument.
     *
     * @param index position of the argument, from 0
     * @param prefix what was typed of it so far; may be empty
     * @return candidates that begin with {@code prefix}; empty means none to offer
     */
    default List<String> complete(int index, String prefix) {
        return List.of();
    }
}
