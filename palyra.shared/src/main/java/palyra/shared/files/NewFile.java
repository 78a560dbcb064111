package palyra.shared.files;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.function.BooleanSupplier;
import org.osgi.framework.BundleContext;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.command.CommandContext;
import palyra.api.core.ops.Ops;

/** Files that commands write for an operator: new ones, whole or not at all, outside the state. */
public final class NewFile {
    private final Path state; // null when it is not known

    /** Reads the path of the gateway's state folder from the framework's properties. */
    public NewFile(BundleContext context) {
        String folder = context.getProperty(Ops.STATE_FOLDER);
        this.state = folder == null ? null : Path.of(folder).toAbsolutePath().normalize();
    }

    /** What writes the content and says how much it was. */
    @FunctionalInterface
    public interface Writer {
        /** Writes to {@code out}; stops early once {@code cancelled}. */
        long write(OutputStream out, BooleanSupplier cancelled) throws IOException;
    }

    /** Returns the file to write that an operator named. */
    public Path target(CommandContext context, String name) {
        Path file = CallerFiles.file(context, name, "redirect standard output", state);
        if (Files.exists(file)) {
            throw new PalyraException(
                    ErrorCode.ALREADY_EXISTS,
                    "The file " + file + " exists already; name a new one.");
        }
        return file;
    }

    /** A reader never sees half an export: the file gets its name when it is whole. */
    public static long write(CommandContext context, Path file, Writer writer) {
        Path part = file.resolveSibling(file.getFileName() + ".part");
        try {
            long written;
            try (OutputStream out = create(part)) {
                written = writer.write(out, context::cancelled);
            }
            if (context.cancelled()) {
                throw new PalyraException(ErrorCode.CANCELLED, "The export was cancelled.");
            }
            Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
            return written;
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
