package palyra.shared.sealed;

import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import palyra.shared.secrets.KnownValues;
import palyra.shared.secrets.PlaceholderNumbers;
import palyra.shared.secrets.SecretMatch;
import palyra.shared.secrets.SecretShapes;
import palyra.shared.secrets.SecretStream;
import palyra.shared.secrets.SecretText;

/**
 * Takes secrets out of texts of one reader. Thread-safe. While a vault is being replaced its
 * methods wait, and throw KEYS_UNAVAILABLE in the end; see {@link VaultValues}.
 */
public final class ReachRedactor {
    private final Supplier<SecretShapes> shapes;
    private final KnownValues known;

    ReachRedactor(Supplier<SecretShapes> shapes, KnownValues known) {
        this.shapes = shapes;
        this.known = known;
    }

    /** Returns a text without its secrets; the same text when it has none. */
    public String text(String text, PlaceholderNumbers numbers) {
        return text(text, numbers, taken -> {});
    }

    /**
     * The same.
     *
     * @param whenTaken told of each secret as it is taken out
     */
    String text(String text, PlaceholderNumbers numbers, Consumer<SecretText.Taken> whenTaken) {
        return text.isEmpty()
                ? text
                : reportTaken(SecretText.redact(text, shapes.get(), known, numbers), whenTaken);
    }

    /**
     * The same for a JSON text, which stays one: secrets are looked for in the strings it holds, as
     * they are without escapes, each with its member's name before it. Invalid JSON is taken as
     * plain text.
     */
    public String json(String json, PlaceholderNumbers numbers) {
        return json(json, numbers, taken -> {});
    }

    /**
     * The same.
     *
     * @param whenTaken told of each secret as it is taken out
     */
    String json(String json, PlaceholderNumbers numbers, Consumer<SecretText.Taken> whenTaken) {
        return json.isEmpty()
                ? json
                : new JsonRedaction((name, value) -> member(name, value, numbers, whenTaken))
                        .of(json)
                        .orElseGet(() -> text(json, numbers, whenTaken));
    }

    /** A value is looked at with its name before it: some secrets only the name tells. */
    private String member(
            String name,
            String value,
            PlaceholderNumbers numbers,
            Consumer<SecretText.Taken> whenTaken) {
        if (name.isEmpty() || value.isEmpty()) {
            return text(value, numbers, whenTaken);
        }
        String before = name + ": ";
        List<SecretMatch> shaped =
                shapes.get().find(before + value).stream()
                        .filter(find -> find.end() > before.length())
                        .map(find -> moved(find, before.length()))
                        .toList();
        List<SecretMatch> all = SecretText.merged(shaped, known.find(value));
        return reportTaken(SecretText.redact(value, all, numbers), whenTaken);
    }

    private static String reportTaken(SecretText redacted, Consumer<SecretText.Taken> whenTaken) {
        redacted.secrets().forEach(whenTaken);
        return redacted.text();
    }

    private static SecretMatch moved(SecretMatch find, int by) {
        return new SecretMatch(
                Math.max(0, find.start() - by), find.end() - by, find.kind(), find.source());
    }

    /** Returns a stream that takes secrets out of text in pieces. */
    public SecretStream stream(PlaceholderNumbers numbers, Consumer<SecretText.Taken> whenTaken) {
        return new SecretStream(shapes.get(), known, numbers, whenTaken);
    }
}
