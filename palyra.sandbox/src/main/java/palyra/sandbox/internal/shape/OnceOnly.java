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
final class OnceOnly {
    private OnceOnly() {}

    /**
     * Returns why, as a sentence; empty when a command may be allowed for longer.
     *
     * @param form what is known about it; empty for nothing
     */
    static String why(
            CommandCall call,
            ResolvedCommand command,
            Optional<CommandForm> form,
            ProgramTrust trust) {
        String name = call.command().toLowerCase(Locale.ROOT);
        Set<String> flags = command.facts().flags();
        if (command.interpreter() || flags.contains("!eval")) {
            return "it is a shell, an interpreter or a program that starts others, and runs"
                    + " whatever its input says";
        }
        if (!command.facts().executable().startsWith("/")
                || !trust.trusts(command.facts().executable())) {
            return "its program can be changed by others than the administrator of this machine";
        }
        if (!name.equals("git") && call.arguments().stream().anyMatch(OnceOnly::isResponseFile)) {
            return "a file that an argument names with @ can hold anything by the next time";
        }
        if (!name.equals(call.command()) || !call.command().chars().allMatch(OnceOnly::isUsual)) {
            return "the name of its program is not written in the usual way";
        }
        if (flags.contains("!runs-programs") || flags.contains("!script")) {
            return build(form) ? "" : "it is a script, or can start other programs";
        }
        if (form.map(known -> known.row().grade() == CommandRow.Grade.ONCE).orElse(false)) {
            return "a call like it can name any other file, or do more";
        }
        return form.isPresent()
                ? ""
                : "nothing is known about this form of it that says that it starts no other program";
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
