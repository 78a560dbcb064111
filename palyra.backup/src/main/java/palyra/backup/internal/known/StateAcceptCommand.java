package palyra.backup.internal.known;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import palyra.api.command.Command;
import palyra.api.command.CommandContext;
import palyra.api.command.CommandSpec;
import palyra.api.command.ExitCodes;
import palyra.backup.internal.RestoredState;
import palyra.backup.internal.archive.Manifest;

/** {@code state accept}: goes on without what a start or a restoration misses. */
final class StateAcceptCommand implements Command {
    private static final CommandSpec SPEC =
            new CommandSpec(
                    "state accept",
                    "Goes on without what the state folder lacks",
                    """
                    A gateway whose state folder has less than when it ran last, or than the backup
                    that was restored, is not ready: palyra doctor names what is missing. This command
                    takes the folder as it is now. What is missing is not asked for again; the answer
                    names all of it, and so does an event state_accepted of the journal.\
                    """,
                    List.of(),
                    List.of(),
                    "state.accept",
                    true);

    private final KnownState known;
    private final Path state;

    StateAcceptCommand(KnownState known, Path state) {
        this.known = known;
        this.state = state;
    }

    @Override
    public CommandSpec spec() {
        return SPEC;
    }

    @Override
    public int run(CommandContext context) throws IOException {
        GivenUp given = known.accept(context.permit(), RestoredState.missing(state));
        Files.deleteIfExists(state.resolve(Manifest.NAME));
        if (context.json() || !given.isNothing()) {
            context.output().fields(given.fields());
        }
        context.output()
                .note(
                        given.isNothing()
                                ? "Nothing was missing."
                                : "The gateway goes on without these.");
        return ExitCodes.OK;
    }
}
