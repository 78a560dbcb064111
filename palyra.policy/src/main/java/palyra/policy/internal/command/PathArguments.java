package palyra.policy.internal.command;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Optional;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.command.CommandContext;
import palyra.api.command.OptionSpec;
import palyra.lib.cedar.PolicySetLimits;

/**
 * What a caller named. The gateway opens files as its own user, so only an operator, who may read
 * the policies anyway, can name one.
 */
final class PathArguments {
    /** Means standard input. */
    static final String STANDARD_INPUT = "-";

    /** The set to look at instead of the one in force. */
    static final OptionSpec SET =
            OptionSpec.value(
                    "set", "SHA", "A set that was in force earlier, instead of the one that is");

    /** The digest that a refusal named. */
    static final OptionSpec CONFIRM =
            OptionSpec.value(
                    "confirm", "SHA", "Digest of the set whose loss of protection you confirm");

    static final int LARGEST = PolicySetLimits.STANDARD.fileBytes();

    private PathArguments() {}

    /** Returns the path that a text names, relative to the caller's working folder. */
    static Path path(CommandContext context, String text) {
        if (!context.principal().in("operator")) {
            throw new PalyraException(
                    ErrorCode.DENIED,
                    "The gateway opens files and folders for operators only; ask one.");
        }
        try {
            Path path = Path.of(text);
            if (!path.isAbsolute() && context.workingFolder().isEmpty()) {
                throw new PalyraException(
                        ErrorCode.INVALID_ARGUMENT,
                        "'"
                                + text
                                + "' is a relative path, but the caller's working folder is not known; give a full path.");
            }
            return Path.of(context.workingFolder()).resolve(path).normalize();
        } catch (InvalidPathException e) {
            throw new PalyraException(ErrorCode.INVALID_ARGUMENT, "What was named is no path.", e);
        }
    }

    /** Returns the folder of an argument, or empty when it was left out. */
    static Optional<Path> folder(CommandContext context, int index) {
        Optional<Path> folder =
                context.arguments().positional(index).map(text -> path(context, text));
        folder.ifPresent(PathArguments::requireFolder);
        return folder;
    }

    static void requireFolder(Path folder) {
        if (!Files.exists(folder)) {
            throw new PalyraException(
                    ErrorCode.NOT_FOUND, "There is no folder " + folder + "; check the path.");
        }
        if (!Files.isDirectory(folder)) {
            throw new PalyraException(
                    ErrorCode.INVALID_ARGUMENT,
                    folder + " is no folder; name the folder with the whole set.");
        }
    }

    /** Returns a file's bytes. */
    static byte[] bytes(Path file) {
        if (!Files.exists(file)) {
            throw new PalyraException(
                    ErrorCode.NOT_FOUND, "There is no file " + file + "; check the path.");
        }
        if (!Files.isRegularFile(file)) {
            throw new PalyraException(ErrorCode.INVALID_ARGUMENT, file + " is no file.");
        }
        try (InputStream in = Files.newInputStream(file)) {
            return limited(in, file.toString());
        } catch (IOException e) {
            throw new PalyraException(
                    ErrorCode.INVALID_ARGUMENT,
                    file + " cannot be read by the gateway's user; check its permissions.",
                    e);
        }
    }

    /** Returns the text of a file, or of standard input for {@code -}. */
    static String text(CommandContext context, String name) throws IOException {
        byte[] bytes =
                name.equals(STANDARD_INPUT)
                        ? limited(context.in(), "standard input")
                        : bytes(path(context, name));
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
        } catch (CharacterCodingException e) {
            throw new PalyraException(
                    ErrorCode.INVALID_ARGUMENT, name + " is not valid UTF-8; convert it.", e);
        }
    }

    private static byte[] limited(InputStream in, String what) throws IOException {
        byte[] bytes = in.readNBytes(LARGEST + 1);
        if (bytes.length > LARGEST) {
            throw new PalyraException(
                    ErrorCode.INVALID_ARGUMENT,
                    what + " is larger than " + LARGEST + " bytes, which no policy file may be.");
        }
        return bytes;
    }
}
