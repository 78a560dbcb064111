package palyra.vault.internal.known;

import java.util.List;
import java.util.function.UnaryOperator;
import palyra.api.core.vault.KnownSecrets;

/**
 * Puts names in place of values, for lines of the log, which operators alone read: those of every
 * scope. Never fails; thread-safe.
 */
public final class LogRedactor implements UnaryOperator<String> {
    private final KnownValues known;

    /** Creates it. */
    public LogRedactor(KnownValues known) {
        this.known = known;
    }

    @Override
    public String apply(String line) {
        List<KnownSecrets.Found> found = line == null ? List.of() : known.findAny(line);
        if (found.isEmpty()) {
            return line;
        }
        StringBuilder shown = new StringBuilder();
        int at = 0;
        for (KnownSecrets.Found each : found) {
            shown.append(line, at, each.start()).append('[').append(each.ref()).append(']');
            at = each.end();
        }
        return shown.append(line, at, line.length()).toString();
    }
}
