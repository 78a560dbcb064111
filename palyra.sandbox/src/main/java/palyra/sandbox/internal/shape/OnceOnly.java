package palyra.sandbox.internal.shape;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import palyra.sandbox.internal.guard.ResolvedCommand;

/**
 * Why a command may be allowed for one call only. A command that is refused for longer is asked
 * about again each time, so whatever runs something that nobody can see in the command belongs
 * here.
 */
final class OnceOnly {
    private static final Set<String> STARTERS = // beside those that a guard marks
            Set.of(
                    "find", "gfind", "fd", "fdfind", "tar", "gtar", "bsdtar", "star", "cpio", "pax",
                    "ssh", "scp", "sftp", "rsync", "zip", "7z", "7za", "man", "cc", "gcc", "g++",
                    "c++", "clang", "clang++");
    private static final Set<String> READING_GIT =
            Set.of(
                    "blame",
                    "cat-file",
                    "check-ignore",
                    "count-objects",
                    "describe",
                    "diff",
                    "for-each-ref",
                    "log",
                    "ls-files",
                    "ls-tree",
                    "merge-base",
                    "name-rev",
                    "rev-list",
                    "rev-parse",
                    "shortlog",
                    "show",
                    "show-ref",
                    "status",
                    "version");

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
        if (STARTERS.contains(name) || STARTERS.contains(CommandForm.fileName(command))) {
            return "it can start other programs";
        }
        return name.equals("git") ? git(call.arguments(), form) : "";
    }

    private static boolean isUsual(int character) {
        return character > 0x20 && character < 0x7f;
    }

    private static boolean isResponseFile(String argument) {
        return argument.startsWith("@") || argument.contains("=@");
    }

    private static boolean build(Optional<CommandForm> form) {
        return form.map(known -> known.row().grade() != CommandRow.Grade.PATTERN).orElse(false);
    }

    /** A form that is known, or a command that only reads, with nothing before it. */
    private static String git(List<String> arguments, Optional<CommandForm> form) {
        if (form.isPresent()) {
            return "";
        }
        return !arguments.isEmpty() && READING_GIT.contains(arguments.get(0))
                ? ""
                : "this form of git can run a hook, an alias, an editor or another program";
    }
}
