package palyra.shared.confine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.sandbox.SandboxSpec;

/**
 * Checks of an order that every backend makes, even after the guards' checks. Messages say what to
 * change.
 */
public final class SpecChecks {
    /** Variables that make a shell or the loader run code before the limits are in force. */
    private static final Set<String> UNSAFE_NAMES =
            Set.of(
                    "ENV",
                    "BASH_ENV",
                    "SHELLOPTS",
                    "BASHOPTS",
                    "IFS",
                    "PS4",
                    "CDPATH",
                    "GLOBIGNORE",
                    "POSIXLY_CORRECT",
                    "GCONV_PATH",
                    "GETCONF_DIR",
                    "GLIBC_TUNABLES",
                    "LOCPATH",
                    "MALLOC_TRACE",
                    "NLSPATH",
                    "RES_OPTIONS",
                    "HOSTALIASES",
                    "LOCALDOMAIN");

    private static final List<String> UNSAFE_STARTS = List.of("LD_", "BASH_FUNC_", "PALYRA_");

    private static final List<String> NO_WORKSPACE =
            List.of(
                    "/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/etc",
                    "/boot");

    private SpecChecks() {}

    /** Checks everything that does not depend on a backend. */
    public static void check(SandboxSpec spec, List<String> alsoShown) {
        environment(spec.environment());
        workspace(spec);
        spec.readOnlyPaths().forEach(SpecChecks::shown);
        alsoShown.forEach(SpecChecks::shown);
        program(spec, alsoShown);
    }

    private static void environment(Map<String, String> environment) {
        environment.forEach(
                (name, value) -> {
                    if (!name.matches("[A-Za-z_][A-Za-z0-9_]*") || value.indexOf('\0') >= 0) {
                        throw Refusals.invalid(
                                "The environment holds '"
                                        + name
                                        + "', which is not a valid variable: use letters, digits and"
                                        + " _, and no NUL character.");
                    }
                    if (UNSAFE_NAMES.contains(name)
                            || UNSAFE_STARTS.stream().anyMatch(name::startsWith)) {
                        throw Refusals.denied(
                                "The environment holds "
                                        + name
                                        + ", which would take effect before the limits of the"
                                        + " sandbox do: leave it out.");
                    }
                });
    }

    private static void workspace(SandboxSpec spec) {
        Path workspace = real(spec.workspace(), "workspace");
        if (!Files.isDirectory(workspace)) {
            throw Refusals.invalid("The workspace " + workspace + " is not a folder.");
        }
        String text = workspace.toString();
        if (workspace.getNameCount() < 2
                || SystemPaths.neverShown(text)
                || SystemPaths.within(text, NO_WORKSPACE)) {
            throw Refusals.denied(
                    "The folder " + text + " belongs to the system and is never a workspace.");
        }
        if (!Files.isWritable(workspace)) {
            throw Refusals.unavailable(
                    "The workspace " + text + " cannot be written by the gateway's user.",
                    "Give it to that user, or choose another.");
        }
        Path start = real(spec.workingFolder(), "working folder");
        if (!start.startsWith(workspace) || !Files.isDirectory(start)) {
            throw Refusals.invalid(
                    "The working folder "
                            + start
                            + " is not a folder in the workspace "
                            + text
                            + ".");
        }
    }

    /** Returns a path that must be given in its real form. */
    private static Path real(String text, String what) {
        Path real;
        try {
            real = Path.of(text).toRealPath();
        } catch (NoSuchFileException e) {
            throw new PalyraException(
                    ErrorCode.NOT_FOUND, "The " + what + " " + text + " does not exist.", e);
        } catch (IOException | InvalidPathException e) {
            throw Refusals.unavailable(
                    "The " + what + " " + text + " cannot be looked at: " + e.getMessage() + ".",
                    "");
        }
        if (!real.toString().equals(text)) {
            throw Refusals.invalid(
                    "The "
                            + what
                            + " "
                            + text
                            + " leads to "
                            + real
                            + ": name it by its real path.");
        }
        return real;
    }

    /**
     * Checks a path that is to be readable.
     *
     * @return the real path that it leads to; empty when nothing is there, so nothing is shown
     */
    public static Optional<String> shown(String text) {
        Path path;
        try {
            path = Path.of(text);
        } catch (InvalidPathException e) {
            throw Refusals.invalid("The read-only path cannot be used: " + e.getMessage() + ".");
        }
        if (!path.isAbsolute() || !path.normalize().toString().equals(text)) {
            throw Refusals.invalid(
                    "The read-only path " + text + " must be absolute, without . and ..");
        }
        String real;
        try {
            real = path.toRealPath().toString();
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (IOException e) {
            throw Refusals.unavailable(
                    "The read-only path " + text + " cannot be looked at: " + e.getMessage() + ".",
                    "");
        }
        if (SystemPaths.neverShown(text)
                || SystemPaths.neverShown(real)
                || "/tmp".equals(real)
                || "/var/tmp".equals(real)) {
            throw Refusals.denied(
                    "The path " + text + " is never shown to a sandbox, not even for reading.");
        }
        return Optional.of(real);
    }

    private static void program(SandboxSpec spec, List<String> alsoShown) {
        String text = spec.argv().get(0);
        Path program;
        try {
            program = Path.of(text).toRealPath();
        } catch (NoSuchFileException e) {
            throw new PalyraException(
                    ErrorCode.NOT_FOUND, "The program " + text + " does not exist.", e);
        } catch (IOException | InvalidPathException e) {
            throw Refusals.unavailable(
                    "The program " + text + " cannot be looked at: " + e.getMessage() + ".", "");
        }
        if (!Files.isRegularFile(program) || !Files.isExecutable(program)) {
            throw Refusals.invalid("The program " + text + " is not an executable file.");
        }
        String real = program.toString();
        if (!SystemPaths.within(real, SystemPaths.PROGRAMS)
                && !SystemPaths.within(real, List.of(spec.workspace()))
                && !SystemPaths.within(real, spec.readOnlyPaths())
                && !SystemPaths.within(real, alsoShown)) {
            throw Refusals.invalid(
                    "The program "
                            + real
                            + " is outside of the paths that the sandbox shows: add its folder to the"
                            + " read-only paths.");
        }
    }
}
