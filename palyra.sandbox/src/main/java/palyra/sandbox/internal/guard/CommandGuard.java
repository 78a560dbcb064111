package palyra.sandbox.internal.guard;

/** Guard. */
public final class CommandGuard {
    /** Creates. */
    public CommandGuard(GuardSettings settings) {}

    /** Examines. */
    public GuardVerdict examine(CommandRequest request, java.nio.file.Path workspace) {
        return new GuardVerdict.Refused("sandbox.stub", "being written");
    }
}
