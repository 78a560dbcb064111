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
 * {@code config check FILE}: validates a file and changes nothing. Opens a file only when its name
 * is that of a declared PID, so the command cannot be used to read other files with the gateway's
 * rights.
 */
final class ConfigCheckCommand implements Command {
    private static final String STANDARD_INPUT = "-";
    private static final CommandSpec SPEC =
            new CommandSpec(
                    "config check",
                    "Checks a configuration file without applying it",
                    "The gateway reads the file itself; if it has no permission, use standard"
                            + " input: config check - --pid PID < FILE. Exit code 65 when the file"
                            + " would be refused.",
                    List.of(OptionSpec.value("pid", "PID", "PID, when standard input is read")),
                    List.of(
                            PositionalSpec.required(
                                    "FILE", "PID.json or PID~NAME.json, or - for standard input")),
                    ConfigListCommand.ACTION,
                    false);

    private final ConfigurationWatcher watcher;

    ConfigCheckCommand(ConfigurationWatcher watcher) {
        this.watcher = watcher;
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
                watcher.catalogue().schema(target.pid()).orElseThrow(() -> undeclared(target));
        byte[] bytes =
                piped
                        ? context.in().readNBytes(ConfigurationFolder.MAX_BYTES + 1)
                        : read(path.get());
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
                given.isEmpty(), "--pid is for standard input only: the name of a file is its PID");
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
                Nearest.to(target.pid(), watcher.catalogue().pids())
                        .map(n -> "did you mean " + n + "?")
                        .orElse("config list --all shows the declared PIDs.");
        return new PalyraException(
                ErrorCode.NOT_FOUND, "No bundle declares PID " + target.pid() + "; " + near);
    }

    private static byte[] read(Path path) {
        Require.that(
                Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS),
                "'" + path + "' is not a file that can be read");
        try (InputStream in = Files.newInputStream(path)) {
            return in.readNBytes(ConfigurationFolder.MAX_BYTES + 1);
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
                bytes.length > ConfigurationFolder.MAX_BYTES
                        ? new Source.Broken(
                                "it has more than " + ConfigurationFolder.MAX_BYTES + " bytes",
                                "Make it smaller.")
                        : ConfigurationValidator.read(bytes);
        Source.Id id = new Source.Id(Layer.OPERATOR, name);
        return ConfigurationValidator.check(
                        new Source(id, target, Digests.sha256Hex(bytes), content), schema)
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
