package palyra.gateway.internal.settings;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.Require;

/**
 * Instructions that several agents share: a text, or a file that is read again for each turn.
 *
 * @param text the text; empty when there is a file
 * @param file absolute path of the file; empty when there is a text
 */
public record PromptProfile(String name, String text, String file) implements Setting {
    private static final int MAX_CHARS = 65_536;

    /** Checks. */
    public PromptProfile {
        Require.text(name, "name of a prompt profile");
        text = Require.orEmpty(text);
        file = Require.orEmpty(file);
        Require.that(
                text.isEmpty() != file.isEmpty(),
                "prompt profile '" + name + "' needs either a text or a file");
        Require.that(
                text.length() <= MAX_CHARS,
                "prompt profile '" + name + "' has more than " + MAX_CHARS + " characters");
        Require.that(
                file.isEmpty() || Path.of(file).isAbsolute(),
                "prompt profile '" + name + "': the path of its file is not absolute");
    }

    /**
     * Returns the instructions as they are now.
     *
     * @throws PalyraException MODEL_UNAVAILABLE when the file cannot be read as UTF-8 or is too
     *     long
     */
    public String read() {
        if (file.isEmpty()) {
            return text;
        }
        try {
            Path path = Path.of(file);
            if (Files.size(path) > 4L * MAX_CHARS) {
                throw unusable("it is longer than " + MAX_CHARS + " characters", null);
            }
            String read = Files.readString(path);
            if (read.length() > MAX_CHARS) {
                throw unusable("it is longer than " + MAX_CHARS + " characters", null);
            }
            return read;
        } catch (IOException e) {
            throw unusable("it cannot be read as UTF-8 text", e);
        }
    }

    private PalyraException unusable(String why, IOException cause) {
        return new PalyraException(
                ErrorCode.MODEL_UNAVAILABLE,
                "Prompt profile '"
                        + name
                        + "' is in "
                        + file
                        + " and "
                        + why
                        + "; fix the file or choose another profile.",
                cause);
    }
}
