package palyra.api.command;

import java.io.InputStream;
import java.io.OutputStream;
import org.osgi.annotation.versioning.ProviderType;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.access.Permit;
import palyra.api.access.Principal;

/**
 * The input, output and caller of one execution of a command. Valid until {@link Command#run}
 * returns.
 */
@ProviderType
public interface CommandContext {
    /** Returns the caller. */
    Principal principal();

    /**
     * Returns the permission under which it runs: for {@link CommandSpec#action} and this command.
     * For a mutating command it was recorded before the command began.
     *
     * @throws PalyraException DENIED when the host passes no permit
     */
    default Permit permit() {
        throw new PalyraException(
                ErrorCode.DENIED, "This command needs a permit, and the host passed none.");
    }

    /** Returns the checked arguments. */
    CommandArguments arguments();

    /** Returns standard input; empty when the caller sent none. */
    InputStream in();

    /** Returns standard output as raw bytes, for exports. Do not mix with {@link #output()}. */
    OutputStream out();

    /** Returns the writer for results. */
    CommandOutput output();

    /** Returns whether JSON was asked for. */
    boolean json();

    /** Returns whether the command runs at a terminal. */
    boolean interactive();

    /** Returns the terminal's width in columns, 80 when unknown. */
    int columns();

    /**
     * Returns the caller's working directory as the client sent it; empty when unknown. Relative
     * file arguments are resolved against it.
     */
    String workingFolder();

    /** Returns whether the command was asked to stop (Ctrl-C, or the connection is gone). */
    boolean cancelled();

    /**
     * Runs {@code action} when the command is asked to stop; at once if it was already. The
     * command's thread is interrupted after it.
     */
    void onCancel(Runnable action);
}
