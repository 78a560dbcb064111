package palyra.shell.internal.vault;

import java.io.IOException;
import java.util.Arrays;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.command.CommandContext;
import palyra.api.core.vault.Vault;
import palyra.shared.terminal.TerminalInput;

/**
 * Reads a value: from a terminal one line that is not shown while it is typed, else all of standard
 * input. Buffers are overwritten; the caller overwrites the value.
 */
final class ValueInput {
    private ValueInput() {}

    /**
     * Returns the value.
     *
     * @param exact whether a line end at the end of the input belongs to it
     */
    static byte[] read(CommandContext context, boolean exact) throws IOException {
        int most = Vault.MAX_VALUE_BYTES + 3; // a line end, and one that is too many
        byte[] given =
                context.interactive()
                        ? TerminalInput.unseen(
                                context, "Value (it is not shown; the line ends it): ", most)
                        : context.in().readNBytes(most);
        byte[] value = exact ? given : TerminalInput.withoutEnd(given);
        if (value.length < 1 || value.length > Vault.MAX_VALUE_BYTES) {
            Arrays.fill(value, (byte) 0);
            throw new PalyraException(
                    ErrorCode.INVALID_ARGUMENT,
                    (value.length < 1 ? "There is no value" : "The value is too long")
                            + " on standard input: give 1 to "
                            + Vault.MAX_VALUE_BYTES
                            + " bytes, as in: palyra vault put global/name < file");
        }
        return value;
    }
}
