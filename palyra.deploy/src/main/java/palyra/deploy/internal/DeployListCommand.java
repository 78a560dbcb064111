package palyra.deploy.internal;

import java.util.List;
import java.util.Locale;
import palyra.api.command.Command;
import palyra.api.command.CommandContext;
import palyra.api.command.CommandSpec;
import palyra.api.command.ExitCodes;

/** {@code deploy list}: every file of the folder with its state. */
final class DeployListCommand implements Command {
    static final String ACTION = "deploy.read";
    private static final CommandSpec SPEC =
            new CommandSpec(
                    "deploy list",
                    "Lists the files of the drop-in folder and their states",
                    "A jar is deployed when its digest, or the signer of all of it, is pinned.",
                    List.of(),
                    List.of(),
                    ACTION,
                    false);

    private final Reporter reporter;

    DeployListCommand(Reporter reporter) {
        this.reporter = reporter;
    }

    @Override
    public CommandSpec spec() {
        return SPEC;
    }

    @Override
    public int run(CommandContext context) {
        DeployView view = reporter.view();
        if (context.json()) {
            context.output()
                    .table(
                            List.of(
                                    "File",
                                    "State",
                                    "Bundle",
                                    "Version",
                                    "Sha256",
                                    "Pin",
                                    "Pinned by",
                                    "Explanation",
                                    "Remedy"),
                            view.rows().stream().map(DeployListCommand::whole).toList());
        } else {
            write(context, view);
        }
        notes(context, view);
        return ExitCodes.OK;
    }

    private static void write(CommandContext context, DeployView view) {
        context.output()
                .table(
                        List.of("File", "State", "Bundle", "Version", "Pinned by"),
                        view.rows().stream().map(DeployListCommand::brief).toList());
        for (Row row : view.rows()) {
            if (!row.explanation().isEmpty()) {
                context.output().line(row.file() + ": " + row.explanation());
                if (!row.remedy().isEmpty()) {
                    context.output().line("    → " + row.remedy());
                }
            }
        }
    }

    /** Writes notes about the folder as a whole. */
    static void notes(CommandContext context, DeployView view) {
        view.general().forEach(f -> context.output().note(f.message() + " " + f.remedy()));
        if (!view.active()) {
            context.output().note("The drop-in folder is not watched: " + view.why());
        } else if (view.rows().isEmpty()) {
            context.output().note(view.place() + " is empty.");
        }
    }

    static String state(Row row) {
        return row.state().name().toLowerCase(Locale.ROOT);
    }

    private static List<String> brief(Row row) {
        return List.of(row.file(), state(row), bundle(row), version(row), origin(row));
    }

    private static List<String> whole(Row row) {
        return List.of(
                row.file(),
                state(row),
                bundle(row),
                version(row),
                row.facts().map(JarFacts::sha256).orElse(""),
                row.pin().map(pin -> pin.pin().toString()).orElse(""),
                origin(row),
                row.explanation(),
                row.remedy());
    }

    static String bundle(Row row) {
        return row.facts().map(JarFacts::symbolicName).orElse("");
    }

    static String version(Row row) {
        return row.facts().map(facts -> facts.version().toString()).orElse("");
    }

    static String origin(Row row) {
        return row.pin().map(PinSet.Entry::origin).orElse("");
    }
}
