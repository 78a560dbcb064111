package palyra.api.core.command;

import java.nio.charset.StandardCharsets;
import palyra.api.Require;

/**
 * How a command ended.
 *
 * @param exitCode one of {@link palyra.api.command.ExitCodes}
 * @param output what it wrote to standard output, within the bound
 * @param error what it wrote to standard error, within 64 KiB: one line for a refusal, or a JSON
 *     object with {@code error.code} and {@code error.message} where {@code --json} was given
 * @param truncated whether output was cut off at the bound
 */
public record CommandResult(int exitCode, byte[] output, String error, boolean truncated) {
    /** Checks and copies. */
    public CommandResult {
        output = output.clone();
        error = Require.orEmpty(error);
    }

    /** Returns a copy of the output. */
    @Override
    public byte[] output() {
        return output.clone();
    }

    /** Returns the output as text. */
    public String text() {
        return new String(output, StandardCharsets.UTF_8);
    }
}
