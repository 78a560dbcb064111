package palyra.config.internal;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.Require;
import palyra.api.command.Command;
import palyra.api.command.CommandContext;
import palyra.api.command.CommandSpec;
import palyra.api.command.ExitCodes;
import palyra.api.command.OptionSpec;
import palyra.api.command.PositionalSpec;
import palyra.shared.hash.Digests;
import palyra.shared.text.Nearest;

/**
 * {@code config check FILE}: says whether a file would be accepted, and changes nothing. A file is
 * opened only when its name is that of a declared PID, so the command is of no use for looking into
 * other files with the gateway's eyes.
 */
final class ConfigCheckCommand implements Command {
    private static final String STANDARD_INPUT = "-";
    private static final CommandSpec SPEC =
            new CommandSpec(
                    "config check",
                    "Checks a configuration file without applying it",
                    "The gateway reads the file itself; if it may not, send it: config check - --pid"
                            + " PID < FILE. Exit code 65 when the file would be refused.",
                    List.of(
                            OptionSpec.value(
                                    "pid", "PID", "What it is for, if the name does not say it")),
                    List.of(
                            PositionalSpec.required(
                                    "FILE", "PID.json or PID~NAME.json, or - for standard input")),
                    ConfigListCommand.ACTION,
                    false);

    private final ConfigurationWatch watch;

    ConfigCheckCommand(ConfigurationWatch watch) {
        this.watch = watch;
    }

    @Override
    public CommandSpec spec() {
        return SPEC;
    }

    @Override
    public int run(CommandContext context) throws IOException {
        String file = context.arguments().positional(0).orElse("");
        boolean piped = file.equals(STANDARD_INPUT);
        Optional<Path> path = piped ? Optional.empty() : Optional.of(path(file, context));
        Target target = target(context, path);
        Schema schema =
                watch.catalogue().schema(target.pid()).orElseThrow(() -> undeclared(target));
        byte[] bytes = piped ? context.in().readNBytes(ConfFolder.MAX_BYTES + 1) : read(path.get());
        String shown = piped ? target.fileName() : path.get().getFileName().toString();
        return report(context, shown, check(shown, target, bytes, schema));
    }

    private static Path path(String file, CommandContext context) {
        try {
            Path given = Path.of(file);
            boolean relative = !given.isAbsolute() && !context.workingFolder().isEmpty();
            return relative ? Path.of(context.workingFolder()).resolve(given) : given;
        } catch (InvalidPathException e) {
            throw new PalyraException(
                    ErrorCode.INVALID_ARGUMENT, "'" + file + "' is not a file name", e);
        }
    }

    private static Target target(CommandContext context, Optional<Path> path) {
        Optional<String> given = context.arguments().option("pid");
        if (given.isPresent() && path.isEmpty()) {
            return Target.parse(given.get())
                    .orElseThrow(
                            () ->
                                    new PalyraException(
                                            ErrorCode.INVALID_ARGUMENT,
                                            "--pid is '"
                                                    + given.get()
                                                    + "': give PID or PID~NAME"));
        }
        Require.that(
                given.isEmpty(),
                "--pid goes with standard input only: a file's own name says what it is for");
        String name = path.map(p -> String.valueOf(p.getFileName())).orElse("");
        return Target.ofFileName(name)
                .orElseThrow(
                        () ->
                                new PalyraException(
                                        ErrorCode.INVALID_ARGUMENT,
                                        path.isEmpty()
                                                ? "Standard input has no name: add --pid PID"
                                                : "'"
                                                        + name
                                                        + "' is not named PID.json or"
                                                        + " PID~NAME.json; rename it"));
    }

    private PalyraException undeclared(Target target) {
        String near =
                Nearest.to(target.pid(), watch.catalogue().pids())
                        .map(n -> "did you mean " + n + "?")
                        .orElse("config list --all shows what there is.");
        return new PalyraException(
                ErrorCode.NOT_FOUND, "No bundle declares PID " + target.pid() + "; " + near);
    }

    private static byte[] read(Path path) {
        Require.that(
                Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS),
                "'" + path + "' is not a file that can be read");
        try (InputStream in = Files.newInputStream(path)) {
            return in.readNBytes(ConfFolder.MAX_BYTES + 1);
        } catch (IOException e) {
            throw new PalyraException(
                    ErrorCode.INVALID_ARGUMENT,
                    "'"
                            + path
                            + "' cannot be read by the gateway ("
                            + e.getClass().getSimpleName()
                            + "); send it through standard input: config check - --pid PID",
                    e);
        }
    }

    private static List<Problem> check(String name, Target target, byte[] bytes, Schema schema) {
        Source.Content content =
                bytes.length > ConfFolder.MAX_BYTES
                        ? new Source.Broken(
                                "it has more than " + ConfFolder.MAX_BYTES + " bytes",
                                "Make it smaller.")
                        : Checker.read(bytes);
        Source.Id id = new Source.Id(Layer.OPERATOR, name);
        return Checker.check(new Source(id, target, Digests.sha256Hex(bytes), content), schema)
                .problems();
    }

    private static int report(CommandContext context, String file, List<Problem> problems) {
        List<String> lines = problems.stream().map(p -> p.message() + " " + p.remedy()).toList();
        if (context.json()) {
            Map<String, Object> fields = new LinkedHashMap<>();
            fields.put("file", file);
            fields.put("acceptable", lines.isEmpty());
            fields.put("problems", lines);
            context.output().fields(fields);
        } else if (lines.isEmpty()) {
            context.output().line(file + " is acceptable.");
        } else {
            lines.forEach(context.output()::line);
        }
        return lines.isEmpty() ? ExitCodes.OK : ExitCodes.DATA;
    }
}
