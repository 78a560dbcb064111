package palyra.shell.internal.swap;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.Require;
import palyra.api.command.Command;
import palyra.api.command.CommandArguments;
import palyra.api.command.CommandContext;
import palyra.api.command.OptionSpec;
import palyra.api.command.PositionalSpec;
import palyra.shared.files.CallerFiles;
import palyra.shell.internal.commands.CallerInput;
import palyra.shell.internal.commands.ShellCommand;

/** {@code swap BUNDLE JAR}: replaces a bundle while everything runs. */
@Component(service = Command.class)
public final class SwapCommand extends ShellCommand {
    private final Swapper swapper;

    @Activate
    public SwapCommand(@Reference Swapper swapper) {
        super(
                spec(
                        "swap",
                        "Replaces a bundle while everything runs, and undoes it when it fails.",
                        """
                        The jar is checked first: readable, of the same name, resolvable here. Then
                        the bundle is updated and watched until it and everything that worked
                        before works again; otherwise the old content is put back.
                        A swap lasts until the next start; to keep it, replace the installed jar
                        too. With - as JAR it is read from standard input.
                        Exit code 0: the new content is at work; 1: it was undone.""",
                        "bundle.swap",
                        SwapRun.options(
                                OptionSpec.value(
                                        "sha256",
                                        "DIGEST",
                                        "Refuse a jar that has another digest")),
                        List.of(
                                PositionalSpec.required("BUNDLE", "Symbolic name of the bundle"),
                                PositionalSpec.required("JAR", "File of the new content"))));
        this.swapper = swapper;
    }

    @Override
    public int run(CommandContext context) throws IOException, InterruptedException {
        CommandArguments given = context.arguments();
        String digest = given.option("sha256").orElse("");
        Require.that(
                digest.isEmpty() || digest.matches("[0-9a-f]{64}"),
                "--sha256 is '" + digest + "': give the 64 digits of a SHA-256 in lower case");
        SwapPlan plan = plan(context, given.positionals().get(0), given.positionals().get(1));
        if (!digest.isEmpty() && !digest.equals(plan.record().toSha256())) {
            swapper.discard(plan);
            throw new PalyraException(
                    ErrorCode.CONFLICT,
                    "The jar has the digest "
                            + plan.record().toSha256()
                            + ", not "
                            + digest
                            + ": it is another one than was looked at. Nothing was changed.");
        }
        return new SwapRun(swapper).carryOut(context, plan);
    }

    private SwapPlan plan(CommandContext context, String bundle, String jar) throws IOException {
        if (jar.equals("-")) {
            return swapper.plan(bundle, context.in());
        }
        try (InputStream in =
                CallerInput.open(CallerFiles.file(context, jar, "pipe the jar to -"))) {
            return swapper.plan(bundle, in);
        }
    }

    @Override
    public List<String> complete(int index, String prefix) {
        return index > 0
                ? List.of()
                : swapper.names().stream().filter(name -> name.startsWith(prefix)).toList();
    }
}
