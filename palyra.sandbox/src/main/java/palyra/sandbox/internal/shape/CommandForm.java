package palyra.sandbox.internal.shape;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import palyra.sandbox.internal.guard.ResolvedCommand;

/**
 * A command that is known: its row and its reading.
 *
 * @param global options before the sub-command
 */
record CommandForm(CommandRow row, ParsedArguments reading, Set<String> global) {
    private static final Set<String> GLOBAL = // of git; the others have none
            Set.of("--no-pager", "--no-optional-locks", "--literal-pathspecs");
    private static final Set<String> PHASES =
            Set.of(
                    "clean",
                    "validate",
                    "compile",
                    "test-compile",
                    "test",
                    "package",
                    "integration-test",
                    "verify");

    /** Reads a command; empty when its program, options or operands are not known. */
    static Optional<CommandForm> of(
            CommandRows rows, String name, List<String> arguments, ResolvedCommand command) {
        return of(rows, name, arguments, fileName(command), command.workspace());
    }

    /**
     * Reads a command.
     *
     * @param name the name that the program is called by
     * @param fileName the name of its file
     */
    static Optional<CommandForm> of(
            CommandRows rows,
            String name,
            List<String> arguments,
            String fileName,
            Path workspace) {
        Set<String> global = new TreeSet<>();
        String subcommand = "";
        int from = 0;
        if (rows.hasSubcommands(name)) {
            while (from < arguments.size() && isGlobal(name, arguments.get(from))) {
                global.add(arguments.get(from++));
            }
            if (from == arguments.size()) {
                return Optional.empty();
            }
            subcommand = arguments.get(from++);
        }
        List<String> own = arguments.subList(from, arguments.size());
        return rows.of(name, fileName, subcommand)
                .flatMap(
                        row ->
                                ParsedArguments.of(row, own)
                                        .map(read -> new CommandForm(row, read, global)))
                .filter(form -> form.operandsArePlain(workspace))
                .filter(CommandForm::needsNoEditor);
    }

    /** Returns the name of a program's file. */
    static String fileName(ResolvedCommand command) {
        String path = command.facts().executable();
        return path.substring(path.lastIndexOf('/') + 1);
    }

    /** Whether an option before the sub-command leaves it the same command. */
    static boolean isGlobal(String command, String argument) {
        return command.equals("git") && GLOBAL.contains(argument);
    }

    /** A commit without a message asks an editor for one. */
    private boolean needsNoEditor() {
        return !row.subcommand().equals("commit")
                || reading.narrowing().contains("-m")
                || reading.narrowing().contains("--message");
    }

    private boolean operandsArePlain(Path workspace) {
        List<String> operands = reading.operands();
        return switch (row.operands()) {
            case NONE, FORMAT -> operands.isEmpty();
            case FILES -> areFiles(operands, workspace);
            case ONE_FILE -> operands.size() <= 1 && areFiles(operands, workspace);
            case TEXT -> operands.stream().allMatch(PlainText::isWord);
            case TEXT_THEN_FILES -> isTextThenFiles(operands, workspace);
            case PHASES -> !operands.isEmpty() && PHASES.containsAll(operands);
            case SCRIPT -> operands.size() == 1 && PlainText.isScript(operands.get(0));
        };
    }

    private static boolean areFiles(List<String> operands, Path workspace) {
        return operands.stream().allMatch(operand -> PlainText.isFile(operand, workspace));
    }

    private boolean isTextThenFiles(List<String> operands, Path workspace) {
        if (reading.options().contains("-e") || reading.options().contains("--regexp")) {
            return areFiles(operands, workspace);
        }
        return !operands.isEmpty()
                && PlainText.isWord(operands.get(0))
                && areFiles(operands.subList(1, operands.size()), workspace);
    }

    /** Returns the words that say which command it is: the sub-command and a script's name. */
    List<String> subcommands() {
        if (row.subcommand().isEmpty()) {
            return List.of();
        }
        return row.operands() == CommandRow.Operands.SCRIPT
                ? List.of(row.subcommand(), reading.operands().get(0))
                : List.of(row.subcommand());
    }
}
