package palyra.shell.internal.commands;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.command.CommandContext;

/**
 * Files and input of the caller. The gateway opens files as its own user, so only an operator, who
 * may do everything here anyway, can name one; everybody else uses the streams.
 */
public final class CallerFiles {
    private CallerFiles() {}

    /** Returns the file that an operator named, relative to where the caller stands. */
    public static Path file(CommandContext context, String name, String instead) {
        if (!context.principal().in("operator")) {
            throw new PalyraException(
                    ErrorCode.DENIED,
                    "The gateway opens files for operators only; " + instead + ".");
        }
        try {
            Path path = Path.of(name);
            if (path.isAbsolute()) {
                return path.normalize();
            }
            if (context.workingFolder().isEmpty()) {
                throw new PalyraException(
                        ErrorCode.INVALID_ARGUMENT,
                        "'" + name + "' is relative, but to what is not known; give a full path.");
            }
            return Path.of(context.workingFolder()).resolve(path).normalize();
        } catch (InvalidPathException e) {
            throw new PalyraException(
                    ErrorCode.INVALID_ARGUMENT, "'" + Words.brief(name, 80) + "' is no path.", e);
        }
    }

    /** Returns the whole of standard input as text, at most {@code limitBytes} of UTF-8. */
    public static String input(CommandContext context, int limitBytes, String what)
            throws IOException {
        InputStream in = context.in();
        byte[] bytes = in.readNBytes(limitBytes + 1);
        if (bytes.length > limitBytes) {
            throw new PalyraException(
                    ErrorCode.INVALID_ARGUMENT,
                    "The input for " + what + " is larger than " + limitBytes + " bytes.");
        }
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
        } catch (CharacterCodingException e) {
            throw new PalyraException(
                    ErrorCode.INVALID_ARGUMENT,
                    "The input for " + what + " is not valid UTF-8; convert it first.",
                    e);
        }
    }

    /** Returns the stream of a file for reading, with a sentence when it cannot be read. */
    public static InputStream open(Path file) {
        try {
            if (!Files.isRegularFile(file)) {
                throw new PalyraException(
                        ErrorCode.NOT_FOUND, "There is no file " + file + "; check the path.");
            }
            return Files.newInputStream(file);
        } catch (IOException e) {
            throw new PalyraException(
                    ErrorCode.INVALID_ARGUMENT,
                    "The file "
                            + file
                            + " cannot be read by the gateway's user ("
                            + e.getClass().getSimpleName()
                            + ").",
                    e);
        }
    }
}
