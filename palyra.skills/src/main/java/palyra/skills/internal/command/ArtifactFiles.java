package palyra.skills.internal.command;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.command.CommandContext;
import palyra.shared.files.CallerFiles;
import palyra.skills.internal.artifact.ArtifactLimits;

/** Artifacts that a caller names as files; {@code -} means the caller's own streams. */
final class ArtifactFiles {
    private static final String STREAM = "-";

    private final Path state;

    /**
     * @param state the gateway's state folder
     */
    ArtifactFiles(Path state) {
        this.state = state;
    }

    Path path(CommandContext context, String name) {
        return CallerFiles.file(context, name, "give - and use the streams", state);
    }

    /** Returns what a file holds, or standard input. At most one byte more than an artifact has. */
    byte[] read(CommandContext context, String name) throws IOException {
        if (name.equals(STREAM)) {
            return context.in().readNBytes(ArtifactLimits.MAX_BYTES + 1);
        }
        Path path = path(context, name);
        if (!Files.exists(path)) {
            throw new PalyraException(
                    ErrorCode.NOT_FOUND,
                    "File not found by the gateway's user: "
                            + path
                            + "; check the path, or give - and"
                            + " redirect standard input.");
        }
        try (InputStream in = Files.newInputStream(path)) {
            return in.readNBytes(ArtifactLimits.MAX_BYTES + 1);
        } catch (IOException e) {
            throw new PalyraException(
                    ErrorCode.INVALID_ARGUMENT,
                    "The gateway's user cannot read "
                            + path
                            + "; give - and redirect standard"
                            + " input.",
                    e);
        }
    }

    /** Writes a new file, or to standard output. */
    void write(CommandContext context, String name, byte[] bytes) throws IOException {
        if (name.equals(STREAM)) {
            context.out().write(bytes);
            context.out().flush();
            return;
        }
        Path path = path(context, name);
        if (Files.exists(path)) {
            throw new PalyraException(
                    ErrorCode.ALREADY_EXISTS, "The file " + path + " exists; name a new one.");
        }
        Path part = path.resolveSibling(path.getFileName() + ".part");
        try {
            Files.createFile(
                    part,
                    PosixFilePermissions.asFileAttribute(
                            PosixFilePermissions.fromString("rw-r--r--")));
            Files.write(part, bytes, StandardOpenOption.WRITE);
            Files.move(part, path);
        } catch (IOException e) {
            throw new PalyraException(
                    ErrorCode.INVALID_ARGUMENT,
                    "The gateway's user cannot write "
                            + path
                            + "; give - and redirect standard"
                            + " output.",
                    e);
        } finally {
            Files.deleteIfExists(part);
        }
    }
}
