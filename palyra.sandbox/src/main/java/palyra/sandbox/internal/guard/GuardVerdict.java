package palyra.sandbox.internal.guard;

/** What a guard says to a command. */
public sealed interface GuardVerdict {
    /**
     * It can be started, where a sandbox holds its {@link ResolvedCommand#concerns}.
     *
     * @param command the command, resolved
     */
    record Accepted(ResolvedCommand command) implements GuardVerdict {}

    /**
     * It must not be started, even if policy allows it.
     *
     * @param reasonCode machine-readable: {@code sandbox.command_invalid}, {@code
     *     sandbox.command_not_allowed}, {@code sandbox.command_not_found}, {@code
     *     sandbox.arguments}, {@code sandbox.working_folder}, {@code sandbox.host_invalid}, {@code
     *     sandbox.workspace}
     * @param reason one sentence that the model can act on
     */
    record Refused(String reasonCode, String reason) implements GuardVerdict {}
}
