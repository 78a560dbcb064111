package palyra.sandbox.internal.shape;

import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import palyra.sandbox.internal.guard.ResolvedCommand;

/**
 * Why a command may be allowed for one call only. A command that is refused for longer is asked
 * about again each time. Only a command that has a row may be allowed for longer, and not every one
 * of those.
 */
final class OnceOnlyRule {
    private OnceOnlyRule() {}

    /**
     * Returns why, as a sentence; empty when a command may be allowed for longer.
     *
     * @param form its command row; empty when unknown
     */
    static String why(
            CommandCall call,
            ResolvedCommand command,
            Optional<CommandForm> form,
            ProgramTrust trust) {
        String name = call.command().toLowerCase(Locale.ROOT);
        Set<String> flags = command.facts().flags();
        if (command.interpreter() || flags.contains("!eval")) {
            return "it is a shell, an interpreter or a program that starts others, and executes"
                    + " its input";
        }
        if (!command.facts().executable().startsWith("/")
                || !trust.trusts(command.facts().executable())) {
            return "users other than the administrator of this machine can change its program";
        }
        if (!name.equals("git")
                && call.arguments().stream().anyMatch(OnceOnlyRule::isResponseFile)) {
            return "a file that an argument names with @ can have other content at the next call";
        }
        if (!name.equals(call.command())
                || !call.command().chars().allMatch(OnceOnlyRule::isUsual)) {
            return "the name of its program is not written in the usual way";
        }
        if (flags.contains("!runs-programs") || flags.contains("!script")) {
            return build(form) ? "" : "it is a script, or can start other programs";
        }
        if (form.map(known -> known.row().grade() == CommandRow.Grade.ONCE).orElse(false)) {
            return "a similar call could name any other file, or do more";
        }
        return form.isPresent()
                ? ""
                : "this form of the command is not known and may start other programs";
    }

    private static boolean isUsual(int character) {
        return character > 0x20 && character < 0x7f;
    }

    private static boolean isResponseFile(String argument) {
        return argument.startsWith("@") || argument.contains("=@");
    }

    private static boolean build(Optional<CommandForm> form) {
        return form.map(known -> known.row().grade().isBuild()).orElse(false);
    }
}
