package palyra.shell.internal.commands;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.command.CommandContext;

/** What a command reads of its caller: standard input, and files that were named. */
public final class CallerInput {
    private CallerInput() {}

    /** Returns the whole of standard input as text, at most {@code limitBytes} of UTF-8. */
    public static String text(CommandContext context, int limitBytes, String what)
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
