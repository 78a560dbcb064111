package palyra.api.command;

import java.io.InputStream;
import java.io.OutputStream;
import org.osgi.annotation.versioning.ProviderType;
import palyra.api.access.Principal;

/** Everything that one execution of a command has. Valid until {@link Command#run} returns. */
@ProviderType
public interface CommandContext {
    /** Returns who runs it. */
    Principal principal();

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
