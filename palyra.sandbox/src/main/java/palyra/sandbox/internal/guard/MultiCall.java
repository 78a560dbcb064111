package palyra.sandbox.internal.guard;

import java.util.List;
import palyra.sandbox.internal.guard.GuardRule.Column;

/** Binaries that are many programs, and act as the one they are called by. */
final class MultiCall {
    private static final String COREUTILS = "--coreutils-prog=";

    private MultiCall() {}

    /** Whether a file name is that of such a binary. */
    static boolean isBinary(String fileName) {
        return GuardRule.of(ProgramNames.readings(fileName), Column.MULTI_CALL).isPresent();
    }

    /**
     * Returns how many arguments precede those of the applet: 1 when the binary is called by its
     * own name with an applet as first argument.
     */
    static int skipped(FoundProgram program, List<String> arguments) {
        boolean own = isBinary(program.start().getFileName().toString());
        return own && !arguments.isEmpty() && !applet(arguments.get(0)).isEmpty() ? 1 : 0;
    }

    /** Returns the applet that a first argument names; empty when it is another option. */
    static String applet(String first) {
        if (first.startsWith(COREUTILS)) {
            return first.substring(COREUTILS.length());
        }
        return first.startsWith("-") ? "" : first;
    }
}
