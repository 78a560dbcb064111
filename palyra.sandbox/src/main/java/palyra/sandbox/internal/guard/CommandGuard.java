package palyra.sandbox.internal.guard;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import palyra.api.Require;

/**
 * Looks at a command before it is decided and again before it starts: finds the program, says what
 * kind it is, notes arguments that look like paths outside of the workspace, and collects the facts
 * for policies. Refuses what cannot be started at all; what depends on where the command will run
 * are {@link Concern}s of an accepted one. Never changes. Thread-safe.
 */
public final class CommandGuard {
    /** Why a command is refused that is no bare name. */
    public static final String NAME_UNUSABLE = "sandbox.command_invalid";

    private final GuardSettings settings;
    private final ProgramFinder finder;

    /** Creates one that finds out by itself which programs there are. */
    public CommandGuard(GuardSettings settings) {
        this(settings, new HostPrograms());
    }

    /**
     * Creates.
     *
     * @param host the programs of this host
     * @throws palyra.api.PalyraException INVALID_ARGUMENT when a folder of the search path or a
     *     read-only path is not absolute
     */
    public CommandGuard(GuardSettings settings, HostPrograms host) {
        this.settings = Require.present(settings, "guard settings");
        settings.searchPath().forEach(path -> absolute(path, "search path"));
        settings.readOnlyPaths().forEach(path -> absolute(path, "read-only path"));
        this.finder = new ProgramFinder(settings.searchPath(), host);
    }

    private static void absolute(String path, String what) {
        Require.that(
                path.startsWith("/") && path.indexOf('\0') < 0,
                "the " + what + " has '" + path + "': use an absolute path");
    }

    /**
     * Examines a command. Reads the file system and changes nothing.
     *
     * @param workspace real path of the agent's workspace
     */
    public GuardVerdict examine(CommandRequest request, Path workspace) {
        try {
            return new GuardVerdict.Accepted(resolve(request, workspace));
        } catch (Refusal refusal) {
            return new GuardVerdict.Refused(refusal.reasonCode(), refusal.getMessage());
        }
    }

    private ResolvedCommand resolve(CommandRequest request, Path workspace) throws Refusal {
        RequestShape.check(request);
        requireWorkspace(workspace);
        LinkCache links = new LinkCache();
        PathBounds bounds = new PathBounds(workspace.toString(), settings.readOnlyPaths(), links);
        Path folder = workingFolder(request.workingFolder(), workspace, bounds);
        requireAllowed(request.command());
        FoundProgram program = finder.find(request.command(), workspace);
        Concerns concerns = new Concerns();
        noteKind(request.command(), program.kind(), concerns);
        Predicate<String> isProtected = settings.protectedPaths().keptFromCommands(workspace);
        List<String> argv = new ArrayList<>();
        argv.add(program.start().toString());
        argv.addAll(request.arguments());
        return new ResolvedCommand(
                program.start(),
                program.sha256(),
                argv,
                workspace,
                folder,
                program.kind().compareTo(ProgramKind.DISPATCHER) >= 0,
                new CommandAnalysis(
                                program,
                                request,
                                folder.toString(),
                                bounds,
                                links,
                                isProtected,
                                named(request, workspace),
                                concerns)
                        .facts(),
                concerns.all());
    }

    /** Returns the paths that a caller names, and the protected ones that are below these. */
    private Set<String> named(CommandRequest request, Path workspace) {
        Set<String> named = new TreeSet<>();
        for (String path : request.protectedPaths()) {
            named.add(workspace.resolve(path).toString());
            settings.protectedPaths().ofCommands(workspace).stream()
                    .filter(entry -> Path.of(entry).startsWith(path))
                    .forEach(entry -> named.add(workspace.resolve(entry).toString()));
        }
        return named;
    }

    private static void requireWorkspace(Path workspace) throws Refusal {
        try {
            if (Files.isDirectory(workspace) && workspace.toRealPath().equals(workspace)) {
                return;
            }
        } catch (IOException e) {
            throw new Refusal(
                    "sandbox.workspace",
                    "The workspace cannot be read (" + e.getClass().getSimpleName() + ").");
        }
        throw new Refusal(
                "sandbox.workspace",
                "The workspace " + workspace + " is not a folder, or a symbolic link leads to it.");
    }

    private static Path workingFolder(String requestedFolder, Path workspace, PathBounds bounds)
            throws Refusal {
        String text = Require.orEmpty(requestedFolder);
        PathBounds.Place place = bounds.follow(workspace.toString(), text);
        if (text.indexOf('\0') >= 0 || !bounds.isInWorkspace(place.path()) || !place.inside()) {
            throw folderRefused(text, "is outside of the workspace");
        }
        try {
            Path folder = Path.of(place.path());
            if (Files.isDirectory(folder) && folder.toRealPath().startsWith(workspace)) {
                return folder.toRealPath();
            }
        } catch (IOException | InvalidPathException e) {
            throw folderRefused(text, "cannot be read (" + e.getClass().getSimpleName() + ")");
        }
        throw folderRefused(text, "is not a folder of the workspace");
    }

    private static Refusal folderRefused(String text, String why) {
        return new Refusal(
                "sandbox.working_folder",
                "The folder in cwd, '"
                        + Refusal.shown(text)
                        + "' "
                        + why
                        + "; send an existing folder, relative to the workspace."
                        + (text.startsWith("/") || text.startsWith("~")
                                ? " For a folder of the sandbox begin a line of shell with cd "
                                        + Refusal.shown(text)
                                        + " && before the command."
                                : ""));
    }

    private void requireAllowed(String command) throws Refusal {
        if (!settings.allowedCommands().isEmpty()
                && !settings.allowedCommands().contains(command)) {
            throw new Refusal(
                    "sandbox.command_not_allowed",
                    "The command '"
                            + Refusal.shown(command)
                            + "' is not on the list of commands that may be run here; ask an"
                            + " operator to add it, or use another.");
        }
    }

    private void noteKind(String command, ProgramKind kind, Concerns concerns) {
        if (settings.allowInterpreters() || kind.compareTo(ProgramKind.DISPATCHER) < 0) {
            return;
        }
        boolean dispatcher = kind == ProgramKind.DISPATCHER;
        concerns.interpreter(
                dispatcher ? "sandbox.dispatcher" : "sandbox.interpreter",
                "The command '"
                        + Refusal.shown(command)
                        + (dispatcher
                                ? "' starts the program that its arguments name"
                                : "' is an interpreter, which executes its input")
                        + ", and interpreters are allowed only in tier C with strict egress here;"
                        + " run the program itself, or ask an operator for allowInterpreters.");
    }
}
