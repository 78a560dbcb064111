package palyra.shared.files;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import org.osgi.framework.Bundle;
import org.osgi.framework.FrameworkUtil;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.command.CommandContext;
import palyra.api.core.ops.Ops;

/**
 * Files that a command's caller names. The gateway opens them as its own user, so only an operator,
 * who may do everything here anyway, can name one, and none in the state folder: files there have
 * commands of their own. All other callers use the command's streams. Stateless.
 */
public final class CallerFiles {
    private static final int SHOWN = 80;

    private CallerFiles() {}

    /**
     * Returns the file that a caller named, relative to the caller's working folder; it need not
     * exist. The state folder is that of the framework that the calling bundle is in.
     *
     * @param instead what a caller who may not name files can do, such as "use - and pipe it"
     * @throws PalyraException DENIED for callers who are no operators; INVALID_ARGUMENT for a text
     *     that is no path, is relative to nothing, or is in the state folder, also through links
     */
    public static Path file(CommandContext context, String name, String instead) {
        Bundle bundle = FrameworkUtil.getBundle(CallerFiles.class);
        String state =
                bundle == null || bundle.getBundleContext() == null
                        ? null
                        : bundle.getBundleContext().getProperty(Ops.STATE_FOLDER);
        return file(context, name, instead, state == null ? null : Path.of(state));
    }

    /**
     * The same where the state folder is known already.
     *
     * @param state the state folder; null outside of a gateway
     */
    public static Path file(CommandContext context, String name, String instead, Path state) {
        if (!context.principal().in("operator")) {
            throw new PalyraException(
                    ErrorCode.DENIED,
                    "The gateway opens files for operators only; " + instead + ".");
        }
        Path path = absolute(context, name);
        if (state != null && real(path).startsWith(real(state.toAbsolutePath().normalize()))) {
            throw new PalyraException(
                    ErrorCode.INVALID_ARGUMENT,
                    path + " is in the gateway's own state folder; use another place.");
        }
        return path;
    }

    private static Path absolute(CommandContext context, String name) {
        try {
            Path path = Path.of(name);
            if (path.isAbsolute()) {
                return path.normalize();
            }
            if (context.workingFolder().isEmpty()) {
                throw new PalyraException(
                        ErrorCode.INVALID_ARGUMENT,
                        "'"
                                + brief(name)
                                + "' is relative and the caller's folder is not known; give a full"
                                + " path.");
            }
            return Path.of(context.workingFolder()).resolve(path).normalize();
        } catch (InvalidPathException e) {
            throw new PalyraException(
                    ErrorCode.INVALID_ARGUMENT, "'" + brief(name) + "' is not a path.", e);
        }
    }

    private static String brief(String name) {
        return name.length() <= SHOWN ? name : name.substring(0, SHOWN) + "…";
    }

    /** Follows the links of the part of a path that exists. */
    private static Path real(Path path) {
        for (Path there = path; there != null; there = there.getParent()) {
            if (Files.exists(there)) {
                try {
                    return there.toRealPath().resolve(there.relativize(path)).normalize();
                } catch (IOException e) {
                    return path; // it cannot be opened either
                }
            }
        }
        return path;
    }
}
