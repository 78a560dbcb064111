package palyra.shell.internal.commands;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.osgi.framework.BundleContext;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.command.Command;
import palyra.api.command.CommandContext;
import palyra.api.command.ExitCodes;
import palyra.api.command.OptionSpec;
import palyra.api.core.keys.PublishedKey;
import palyra.api.core.ops.Ops;
import palyra.shell.internal.host.AsksForEach;
import palyra.shell.internal.host.Fields;
import palyra.shell.internal.host.Seams;

/** {@code tape export RUN}: a tape that can be verified without the gateway. */
@Component(service = Command.class)
public final class TapeExportCommand extends ShellCommand implements AsksForEach {
    private final Seams seams;
    private final Path state;

    @Activate
    public TapeExportCommand(@Reference Seams seams, BundleContext context) {
        super(
                spec(
                        "tape export",
                        "Writes a tape so that anybody can verify it without the gateway.",
                        """
                        JSON lines: a header with the signed head and the public keys, each record
                        with payload, salt and hashes, and a last line that counts them. Check it
                        with palyra tape verify --file FILE.""",
                        "tape.export",
                        List.of(
                                OptionSpec.value(
                                        "output",
                                        "FILE",
                                        "Write to this new file instead of standard output")),
                        List.of(TapeStream.RUN_OR_JOURNAL)));
        this.seams = seams;
        String folder = context.getProperty(Ops.STATE_FOLDER);
        this.state = folder == null ? null : Path.of(folder).toAbsolutePath().normalize();
    }

    @Override
    public int run(CommandContext context) throws IOException {
        TapeStream stream =
                TapeStream.permitted(
                        seams, context, context.arguments().positionals().get(0), "tape.export");
        List<PublishedKey> keys = seams.keys().call(service -> service.published());
        String name = context.arguments().option("output").orElse("");
        if (name.isEmpty()) {
            new TapeExport(seams, stream, keys).write(context.out(), context::cancelled);
            return context.cancelled() ? ExitCodes.CANCELLED : ExitCodes.OK;
        }
        Path file = target(context, name);
        long records = writeFile(context, new TapeExport(seams, stream, keys), file);
        context.output()
                .fields(
                        Fields.of(
                                "stream", stream.streamId(),
                                "records", records,
                                "file", file.toString()));
        return ExitCodes.OK;
    }

    private Path target(CommandContext context, String name) {
        Path file = CallerFiles.file(context, name, "redirect standard output");
        if (state != null && file.startsWith(state)) {
            throw new PalyraException(
                    ErrorCode.INVALID_ARGUMENT,
                    file + " lies in the gateway's own state folder; write it somewhere else.");
        }
        if (Files.exists(file)) {
            throw new PalyraException(
                    ErrorCode.ALREADY_EXISTS,
                    "The file " + file + " exists already; name a new one.");
        }
        return file;
    }

    /** A reader never sees half an export: the file gets its name when it is whole. */
    private static long writeFile(CommandContext context, TapeExport export, Path file) {
        Path part = file.resolveSibling(file.getFileName() + ".part");
        try {
            long records;
            try (OutputStream out = create(part)) {
                records = export.write(out, context::cancelled);
            }
            if (context.cancelled()) {
                throw new PalyraException(ErrorCode.CANCELLED, "The export was cancelled.");
            }
            Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
            return records;
        } catch (IOException e) {
            throw new PalyraException(
                    ErrorCode.INVALID_ARGUMENT,
                    "The gateway's user cannot write "
                            + file
                            + " ("
                            + e.getClass().getSimpleName()
                            + "); redirect standard output instead.",
                    e);
        } finally {
            discard(part);
        }
    }

    private static OutputStream create(Path part) throws IOException {
        Files.createFile(
                part,
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        return Files.newOutputStream(part, StandardOpenOption.WRITE);
    }

    private static void discard(Path part) {
        try {
            Files.deleteIfExists(part);
        } catch (IOException e) {
            // It is named .part and holds nothing that was promised.
        }
    }
}
