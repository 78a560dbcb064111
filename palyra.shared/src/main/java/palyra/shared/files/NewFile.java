package palyra.shared.files;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLockInterruptionException;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.function.BooleanSupplier;
import org.osgi.framework.BundleContext;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.command.CommandContext;
import palyra.api.core.ops.Ops;

/** Files that commands write for an operator: new ones, whole or not at all, outside the state. */
public final class NewFile {
    private static final String PART = ".palyra-part";
    private static final DurableFiles FILES = new DurableFiles();

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

    /**
     * A reader never sees half an export: the file gets its name when it is whole and on the
     * medium. What a process that was killed left of the same file is removed first, and named.
     *
     * @throws PalyraException DISK_FULL, READ_ONLY or INVALID_ARGUMENT when the file cannot be
     *     written; CONFLICT while another command writes it
     */
    public static long write(CommandContext context, Path file, Writer writer) {
        Path part = file.resolveSibling(file.getFileName() + PART);
        boolean whole = false;
        try {
            removeRemains(context, part);
            try (FileChannel channel = FILES.create(part)) {
                channel.lock();
                OutputStream out = new BufferedOutputStream(Channels.newOutputStream(channel));
                long written = writer.write(out, context::cancelled);
                out.flush();
                if (context.cancelled()) {
                    throw new PalyraException(ErrorCode.CANCELLED, "The export was cancelled.");
                }
                channel.force(true);
                FILES.rename(part, file);
                whole = true;
                FILES.sync(file.getParent());
                return written;
            } finally {
                if (!whole) {
                    discard(part);
                }
            }
        } catch (FileAlreadyExistsException e) {
            throw busy(part, e);
        } catch (IOException e) {
            throw ended(e) || context.cancelled() ? interrupted(file, e) : refused(file, e);
        }
    }

    /** Whether the command was told to end, by its caller or because its bundle leaves. */
    private static boolean ended(IOException e) {
        return e instanceof ClosedByInterruptException
                || e instanceof FileLockInterruptionException;
    }

    private static PalyraException interrupted(Path file, IOException e) {
        return new PalyraException(
                ErrorCode.CANCELLED,
                "The command was ended while it wrote "
                        + file
                        + "; nothing of it is left. Try again.",
                e);
    }

    private static void removeRemains(CommandContext context, Path part) throws IOException {
        try (FileChannel channel = FileChannel.open(part, StandardOpenOption.WRITE)) {
            if (channel.tryLock() == null) {
                throw busy(part, null);
            }
            Files.delete(part);
            context.output().note("Removed " + part + ", which a command that was killed left.");
        } catch (NoSuchFileException e) {
            // Nothing was left.
        } catch (OverlappingFileLockException e) {
            throw busy(part, e);
        }
    }

    private static PalyraException busy(Path part, Exception e) {
        return new PalyraException(
                ErrorCode.CONFLICT,
                "Another command writes " + part + "; wait for it, or name another file.",
                e);
    }

    private static PalyraException refused(Path file, IOException e) {
        MediumFailure failure = MediumFailure.of(e, file.getParent());
        if (failure == MediumFailure.NO_SPACE || failure == MediumFailure.READ_ONLY) {
            return new PalyraException(
                    failure.code(ErrorCode.INTERNAL),
                    file
                            + " cannot be written: "
                            + MediumFailure.sentence(e, file.getParent())
                            + ", or name a file elsewhere. Nothing of it is left.",
                    e);
        }
        return new PalyraException(
                ErrorCode.INVALID_ARGUMENT,
                "The gateway's user cannot write "
                        + file
                        + " ("
                        + MediumFailure.reason(e)
                        + "); redirect standard output instead.",
                e);
    }

    private static void discard(Path part) {
        try {
            Files.deleteIfExists(part);
        } catch (IOException e) {
            // Its name says what it is, and the next command for the same file removes it.
        }
    }
}
