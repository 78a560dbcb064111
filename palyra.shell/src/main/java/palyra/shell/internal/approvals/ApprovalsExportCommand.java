package palyra.shell.internal.approvals;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.osgi.framework.BundleContext;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.approval.ApprovalExportFormat;
import palyra.api.approval.ApprovalQuery;
import palyra.api.command.Command;
import palyra.api.command.CommandArguments;
import palyra.api.command.CommandContext;
import palyra.api.command.ExitCodes;
import palyra.api.command.OptionSpec;
import palyra.api.command.PositionalSpec;
import palyra.shared.files.NewFile;
import palyra.shell.internal.commands.ShellCommand;
import palyra.shell.internal.commands.Words;
import palyra.shell.internal.host.AuthorizesEachResource;
import palyra.shell.internal.host.Fields;
import palyra.shell.internal.host.Seams;

/** {@code approvals export}: questions and answers as a file that proves its own content. */
@Component(service = Command.class)
public final class ApprovalsExportCommand extends ShellCommand implements AuthorizesEachResource {
    private static final int MOST = 5_000;

    private final Seams seams;
    private final BundleContext bundle;
    private final NewFile files;

    @Activate
    public ApprovalsExportCommand(@Reference Seams seams, BundleContext bundle) {
        super(
                spec(
                        "approvals export",
                        "Writes questions and answers to a file that shows later changes.",
                        """
                        NDJSON has a digest and a chained digest with each record and a signed last
                        line: check it with palyra approvals verify FILE. Times are as 12h or 7d
                        ago, or as 2026-01-31T00:00:00Z.\
                        """,
                        "approval.list",
                        List.of(
                                OptionSpec.choice(
                                        "format", "F", "Form (ndjson)", List.of("ndjson", "json")),
                                OptionSpec.choice(
                                        "state",
                                        "S",
                                        "Only those in this state",
                                        ApprovalsListCommand.STATES),
                                OptionSpec.value("since", "TIME", "Only those asked since then"),
                                OptionSpec.value("until", "TIME", "Only those asked before then"),
                                OptionSpec.value("limit", "N", "How many, 1 to 5000 (5000)")),
                        List.of(
                                PositionalSpec.optional(
                                        "FILE", "New file; without it, or with -, to output"))));
        this.seams = seams;
        this.bundle = bundle;
        this.files = new NewFile(bundle);
    }

    @Override
    public int run(CommandContext context) throws IOException {
        ApprovalQuery query = query(context);
        int limit = context.arguments().number("limit", MOST, 1, MOST);
        String name = context.arguments().positional(0).orElse("-");
        if (name.equals("-")) {
            toOutput(context, query, limit);
            return ExitCodes.OK;
        }
        Path file = files.target(context, name);
        long bytes =
                NewFile.write(
                        context, file, (out, cancelled) -> export(context, query, limit, out));
        context.output().fields(Fields.of("file", file.toString(), "bytes", bytes));
        return ExitCodes.OK;
    }

    private static ApprovalQuery query(CommandContext context) {
        CommandArguments given = context.arguments();
        return new ApprovalQuery(
                ApprovalIds.state(context),
                Optional.empty(),
                "",
                "",
                "",
                "",
                time(given, "since"),
                time(given, "until"));
    }

    private static long time(CommandArguments given, String option) {
        String text = given.option(option).orElse("");
        if (text.isEmpty()) {
            return 0;
        }
        if (text.contains("T")) {
            try {
                return Math.max(0, Instant.parse(text).toEpochMilli());
            } catch (DateTimeParseException e) {
                throw new PalyraException(
                        ErrorCode.INVALID_ARGUMENT,
                        "--"
                                + option
                                + " is '"
                                + Words.brief(text, 40)
                                + "': give a time such as 2026-01-31T00:00:00Z, or 7d.",
                        e);
            }
        }
        return Math.max(0, System.currentTimeMillis() - Words.millis(text, option));
    }

    /** A slow reader must not hold up the service: what it gets waits in a file of the bundle's. */
    private void toOutput(CommandContext context, ApprovalQuery query, int limit)
            throws IOException {
        Path folder = bundle.getDataFile("").toPath();
        Files.createDirectories(folder);
        Path spool = Files.createTempFile(folder, "approvals-", ".export");
        try {
            try (OutputStream out = Files.newOutputStream(spool)) {
                export(context, query, limit, out);
            }
            Files.copy(spool, context.out());
            context.out().flush();
        } finally {
            Files.deleteIfExists(spool);
        }
    }

    private long export(CommandContext context, ApprovalQuery query, int limit, OutputStream out)
            throws IOException {
        ApprovalExportFormat format =
                ApprovalExportFormat.valueOf(
                        context.arguments()
                                .option("format")
                                .orElse("ndjson")
                                .toUpperCase(Locale.ROOT));
        long[] bytes = {0};
        try {
            seams.approvals()
                    .run(
                            a ->
                                    a.export(
                                            context.principal(),
                                            query,
                                            format,
                                            limit,
                                            chunk -> bytes[0] += write(out, chunk)));
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
        return bytes[0];
    }

    private static int write(OutputStream out, byte[] chunk) {
        try {
            out.write(chunk);
            return chunk.length;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
