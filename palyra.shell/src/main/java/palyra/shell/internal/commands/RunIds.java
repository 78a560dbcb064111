package palyra.shell.internal.commands;

import java.util.List;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.command.CommandContext;
import palyra.api.command.PositionalSpec;
import palyra.api.run.RunView;
import palyra.shell.internal.host.Seams;

/** How runs are named on the command line. */
public final class RunIds {
    static final String LAST = "last";

    /** A run as a command takes it. */
    public static final PositionalSpec RUN =
            PositionalSpec.required("RUN", "Id of a run, or last for the newest one");

    private RunIds() {}

    /** Returns the id that the first argument names. */
    public static String of(CommandContext context, Seams seams) {
        return of(context.arguments().positional(0).orElse(LAST), context, seams);
    }

    /** Returns the id that {@code text} names; {@code last} is the newest run. */
    public static String of(String text, CommandContext context, Seams seams) {
        if (!text.equals(LAST)) {
            return Words.id(text, "run id");
        }
        List<RunView> newest = seams.runs().call(runs -> runs.runs(context.principal(), "", "", 1));
        if (newest.isEmpty()) {
            throw new PalyraException(
                    ErrorCode.NOT_FOUND, "There is no run yet; start one with palyra ask.");
        }
        return newest.get(0).runId();
    }

    /** Returns what to say of a run that is not there. */
    public static PalyraException unknown(String runId) {
        return new PalyraException(
                ErrorCode.NOT_FOUND, "There is no run " + runId + "; list them with palyra runs.");
    }
}
