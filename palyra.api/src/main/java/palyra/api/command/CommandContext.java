package palyra.api.command;

import java.io.InputStream;
import java.io.OutputStream;
import org.osgi.annotation.versioning.ProviderType;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.access.Permit;
import palyra.api.access.Principal;

/** Everything that one execution of a command has. Valid until {@link Command#run} returns. */
@ProviderType
public interface CommandContext {
    /** Returns who runs it. */
    Principal principal();

    /**
     * Returns the permission under which it runs: for {@link CommandSpec#action} and this command.
     * For a mutating command it was recorded before the command began.
     *
     * @throws PalyraException DENIED when the host passes none on
     */
    default Permit permit() {
        throw new PalyraException(
                ErrorCode.DENIED, "This command needs a permit, and it was given none.");
    }

    /** Returns the checked arguments. */
    CommandArguments arguments();

    /** Returns standard input; at its end when there is none. */
    InputStream in();

    /** Returns standard output as raw bytes, for exports. Do not mix with {@link #output()}. */
    OutputStream out();

    /** Returns where results go. */
    CommandOutput output();

    /** Returns whether JSON was asked for. */
    boolean json();

    /** Returns whether a person watches at a terminal. */
    boolean interactive();

    /** Returns the terminal's width in columns, 80 when unknown. */
    int columns();

    /**
     * Returns the folder the caller stands in, as it was sent; empty when unknown. Relative file
     * arguments are resolved against it.
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
