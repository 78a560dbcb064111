package palyra.sandbox.internal.shape;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import palyra.sandbox.internal.guard.Concern;
import palyra.sandbox.internal.guard.ResolvedCommand;

/**
 * Sentences about commands. The texts of the command stand in them exactly, quoted where needed.
 */
final class CommandSummary {
    private CommandSummary() {}

    /** Returns what exactly would run, in one line. */
    static String of(CommandCall call, ResolvedCommand command, Optional<CommandForm> form) {
        List<String> parts = new ArrayList<>();
        parts.add(
                "Runs "
                        + words(command.argv())
                        + file(command)
                        + " in "
                        + word(command.workingFolder().toString()));
        if (call.stdinBytes() >= 0) {
            parts.add("reading " + call.stdinBytes() + " bytes of input from the call");
        }
        if (!call.hosts().isEmpty()) {
            parts.add("reaching " + words(new TreeSet<>(call.hosts())));
        }
        if (call.timeoutMillis() > 0) {
            parts.add("for at most " + call.timeoutMillis() + " ms");
        }
        if (call.background()) {
            parts.add("going on after the call");
        }
        if (call.session()) {
            parts.add("in the sandbox that all commands of this session share");
        }
        if (form.map(known -> known.row().grade().isBuild()).orElse(false)) {
            parts.add("which runs what the build files of the workspace say at that time");
        }
        return String.join(", ", parts) + "." + remarks(call, command);
    }

    private static String remarks(CommandCall call, ResolvedCommand command) {
        return command.concerns().stream()
                .map(concern -> remark(concern, call, command))
                .distinct()
                .map(remark -> " " + remark)
                .collect(Collectors.joining());
    }

    private static String remark(Concern concern, CommandCall call, ResolvedCommand command) {
        return switch (concern.kind()) {
            case OUTSIDE ->
                    "It seems to name a path outside of the workspace, which its sandbox keeps from"
                            + " it.";
            case PROTECTED ->
                    "It writes "
                            + words(concern.paths())
                            + ". Programs outside of the sandbox run what is there, such as an"
                            + " editor, git or a shell. With a yes to this call it is written and"
                            + " stays.";
            case INTERPRETER -> withinReach(call, command);
        };
    }

    private static String withinReach(CommandCall call, ResolvedCommand command) {
        boolean writes =
                command.concerns().stream().anyMatch(one -> one.kind() == Concern.Kind.PROTECTED);
        boolean hosts = !call.hosts().isEmpty() || !command.facts().hosts().isEmpty();
        return "It runs only where nothing but the workspace"
                + (writes ? ", with the protected paths that it writes," : "")
                + (hosts ? " and the hosts that it is allowed are" : " is")
                + " within reach.";
    }

    private static String file(ResolvedCommand command) {
        String real = command.facts().executable();
        return real.equals(command.program().toString())
                ? ""
                : " (the program is " + word(real) + ")";
    }

    /** Returns what a pattern covers, in one sentence. */
    static String pattern(CommandCall call, ResolvedCommand command, CommandForm form) {
        CommandRow row = form.row();
        Set<String> options = new TreeSet<>(form.global());
        options.addAll(form.reading().options());
        StringBuilder sentence = new StringBuilder("Runs ").append(word(call.command()));
        form.subcommands().forEach(name -> sentence.append(' ').append(word(name)));
        sentence.append(" (")
                .append(word(command.program().toString()))
                .append(", unchanged) in ")
                .append(word(command.workingFolder().toString()))
                .append(operands(form))
                .append(form.reading().endsOptions() ? ", with --" : "");
        if (!form.reading().narrowing().isEmpty()) {
            sentence.append(", always with ")
                    .append(words(new TreeSet<>(form.reading().narrowing())));
        }
        sentence.append(", ")
                .append(
                        options.isEmpty()
                                ? "with no other option"
                                : "with none or some of the options " + shown(row, options));
        if (row.grade() == CommandRow.Grade.BUILD_PATTERN) {
            sentence.append(", while package.json and the files beside it are unchanged");
        }
        sentence.append(
                call.hosts().isEmpty()
                        ? ", reaching no host"
                        : ", reaching none or some of " + words(new TreeSet<>(call.hosts())));
        return sentence.append(circumstances(call)).append('.').toString();
    }

    private static String circumstances(CommandCall call) {
        return ", without input"
                + (call.timeoutMillis() > 0
                        ? ", with a limit of " + call.timeoutMillis() + " ms"
                        : "")
                + (call.background() ? ", going on after the call" : "")
                + (call.session() ? ", in the sandbox of this session" : "");
    }

    private static String operands(CommandForm form) {
        boolean textGiven =
                form.reading().options().contains("-e")
                        || form.reading().options().contains("--regexp");
        return switch (form.row().operands()) {
            case NONE, PHASES, SCRIPT, FORMAT -> "";
            case ONE_FILE -> " on any one file of the workspace";
            case TEXT -> " with any texts";
            case TEXT_THEN_FILES ->
                    textGiven
                            ? " on any files of the workspace"
                            : " for any text in any files of the workspace";
            case FILES ->
                    form.row().program().equals("git")
                            ? " on any files and revisions of the workspace"
                            : " on any files of the workspace";
        };
    }

    private static String shown(CommandRow row, Set<String> options) {
        return options.stream()
                .map(
                        option ->
                                word(option)
                                        + (row.free().contains(option) ? " with any value" : ""))
                .collect(Collectors.joining(", "));
    }

    private static String words(Collection<String> words) {
        return words.stream().map(CommandSummary::word).collect(Collectors.joining(" "));
    }

    /** A word as it is if it is plain; else in quotes, with what cannot be seen written out. */
    static String word(String text) {
        if (text.matches("[A-Za-z0-9_./:=,@%+^-]+")) {
            return text;
        }
        StringBuilder quoted = new StringBuilder("\"");
        text.codePoints()
                .forEach(
                        c -> {
                            if (c == '"' || c == '\\') {
                                quoted.append('\\').appendCodePoint(c);
                            } else if (c >= 0x20 && c < 0x7f) {
                                quoted.appendCodePoint(c);
                            } else {
                                quoted.append(String.format("\\u{%x}", c));
                            }
                        });
        return quoted.append('"').toString();
    }
}
