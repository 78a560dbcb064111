package palyra.sandbox.tierc.macos.internal;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.access.Confinement.Egress;
import palyra.api.core.sandbox.SandboxSpec;

/** Checks a command before a profile is made for it. Reads the file system. */
final class SpecCheck {
    /** Folders that are shared or belong to the system. */
    private static final Set<Path> SHARED =
            Set.of(
                    Path.of("/Users/Shared"),
                    Path.of("/private/etc"),
                    Path.of("/private/tmp"),
                    Path.of("/private/var"),
                    Path.of("/private/var/tmp"),
                    Path.of("/private/var/folders"),
                    Path.of("/System/Volumes/Data"));

    private final Path home;
    private final Optional<Path> state;

    /**
     * Creates a check.
     *
     * @param home home of the gateway's user
     * @param state the gateway's state
     */
    SpecCheck(Path home, Optional<Path> state) {
        this.home = home;
        this.state = state;
    }

    /** Throws when a command cannot be confined as it is. */
    void check(SandboxSpec spec) {
        LaunchEnvironment.check(spec.environment());
        Path workspace = realFolder(spec.workspace(), "workspace");
        Path folder = realFolder(spec.workingFolder(), "working folder");
        if (!folder.startsWith(workspace)) {
            throw denied("The working folder " + folder + " is not in the workspace " + workspace);
        }
        own(workspace);
        spec.protectedPaths().forEach(SpecCheck::relative);
        spec.readOnlyPaths().forEach(path -> absolute(path, "further readable path"));
        program(spec.argv().get(0));
        proxy(spec);
    }

    private void own(Path workspace) {
        if (workspace.getNameCount() < 2 || SHARED.contains(workspace)) {
            throw denied("The workspace " + workspace + " is shared by the whole system");
        }
        if (home.startsWith(workspace)) {
            throw denied("The workspace " + workspace + " holds the home folder " + home);
        }
        if (state.isPresent() && state.get().startsWith(workspace)) {
            throw denied("The workspace " + workspace + " holds the state of the gateway");
        }
    }

    private static Path realFolder(String text, String what) {
        Path path = absolute(text, what);
        try {
            if (!path.toRealPath().equals(path) || !Files.isDirectory(path)) {
                throw new PalyraException(
                        ErrorCode.INVALID_ARGUMENT,
                        "The "
                                + what
                                + " "
                                + text
                                + " is not the real path of a folder; give that.");
            }
            return path;
        } catch (IOException e) {
            throw new PalyraException(
                    ErrorCode.NOT_FOUND,
                    "The " + what + " " + text + " cannot be looked at; make the folder first.",
                    e);
        }
    }

    private static Path absolute(String text, String what) {
        Path path = path(text, what);
        if (!path.isAbsolute() || !path.normalize().equals(path)) {
            throw new PalyraException(
                    ErrorCode.INVALID_ARGUMENT,
                    "The " + what + " '" + text + "' is no absolute path without '..'.");
        }
        return path;
    }

    private static void relative(String text) {
        Path path = path(text, "protected path");
        if (text.isBlank()
                || path.isAbsolute()
                || !path.normalize().equals(path)
                || path.startsWith("..")) {
            throw new PalyraException(
                    ErrorCode.INVALID_ARGUMENT,
                    "The protected path '" + text + "' is no path below the workspace.");
        }
    }

    private static Path path(String text, String what) {
        try {
            return Path.of(text);
        } catch (java.nio.file.InvalidPathException e) {
            throw new PalyraException(
                    ErrorCode.INVALID_ARGUMENT, "The " + what + " is no path: " + e.getReason(), e);
        }
    }

    private static void program(String text) {
        Path program = absolute(text, "program");
        if (!Files.exists(program)) {
            throw new PalyraException(
                    ErrorCode.NOT_FOUND, "The program " + text + " does not exist; install it.");
        }
        if (!Files.isRegularFile(program) || !Files.isExecutable(program)) {
            throw new PalyraException(
                    ErrorCode.INVALID_ARGUMENT,
                    "The program " + text + " is not an executable file; name one.");
        }
    }

    private static void proxy(SandboxSpec spec) {
        if (spec.egress() == Egress.STRICT && spec.proxyFolder().isPresent()) {
            Path socket = absolute(spec.proxyFolder().get(), "proxy folder").resolve("e.sock");
            if (!Files.exists(socket)) {
                throw new PalyraException(
                        ErrorCode.TOOL_UNAVAILABLE,
                        "The egress proxy's socket " + socket + " is not there; open it again.");
            }
        }
    }

    private static PalyraException denied(String found) {
        return new PalyraException(
                ErrorCode.DENIED, found + "; give the command a folder of its own.");
    }
}
