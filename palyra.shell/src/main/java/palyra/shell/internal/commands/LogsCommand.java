package palyra.shell.internal.commands;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.osgi.framework.BundleContext;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.command.Command;
import palyra.api.command.CommandContext;
import palyra.api.command.ExitCodes;
import palyra.api.command.OptionSpec;
import palyra.api.core.ops.Ops;
import palyra.shell.internal.host.Fields;

/** {@code logs}: the end of the gateway's log. */
@Component(service = Command.class)
public final class LogsCommand extends ShellCommand {
    private static final int DEFAULT_LINES = 50;
    private static final int MAX_LINES = 10_000;
    private static final int MAX_BYTES = 8 << 20;

    private final BundleContext bundles;

    @Activate
    public LogsCommand(BundleContext bundles) {
        super(
                spec(
                        "logs",
                        "Shows the end of the gateway's log.",
                        "",
                        "system.logs",
                        List.of(OptionSpec.value("lines", "N", "How many lines, 1 to 10000 (50)")),
                        List.of()));
        this.bundles = bundles;
    }

    @Override
    public int run(CommandContext context) throws IOException {
        int lines = context.arguments().number("lines", DEFAULT_LINES, 1, MAX_LINES);
        Path file =
                Path.of(String.valueOf(bundles.getProperty(Ops.STATE_FOLDER)))
                        .resolve("logs")
                        .resolve("palyra.log");
        if (!Files.isRegularFile(file)) {
            throw new PalyraException(
                    ErrorCode.NOT_FOUND,
                    "There is no log at " + file + "; the gateway may log to its console only.");
        }
        List<String> end = end(file, lines);
        if (context.json()) {
            context.output().fields(Fields.of("file", file.toString(), "lines", end));
        } else {
            end.forEach(context.output()::line);
        }
        return ExitCodes.OK;
    }

    /** Returns the last lines, reading no more of the file than they can take. */
    static List<String> end(Path file, int lines) throws IOException {
        try (RandomAccessFile log = new RandomAccessFile(file.toFile(), "r")) {
            long from = Math.max(0, log.length() - MAX_BYTES);
            byte[] bytes = new byte[(int) (log.length() - from)];
            log.seek(from);
            log.readFully(bytes);
            List<String> all = new String(bytes, StandardCharsets.UTF_8).lines().toList();
            List<String> whole = from > 0 && all.size() > 1 ? all.subList(1, all.size()) : all;
            return whole.subList(Math.max(0, whole.size() - lines), whole.size());
        }
    }
}
