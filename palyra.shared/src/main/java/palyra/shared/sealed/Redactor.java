package palyra.shared.sealed;

import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import palyra.shared.secrets.KnownValues;
import palyra.shared.secrets.SecretFind;
import palyra.shared.secrets.SecretNumbers;
import palyra.shared.secrets.SecretShapes;
import palyra.shared.secrets.SecretStream;
import palyra.shared.secrets.SecretText;

/**
 * Takes secrets out of texts: what looks like one, and what the vault keeps. Thread-safe. While a
 * vault is being replaced its methods wait, and throw KEYS_UNAVAILABLE in the end; see {@link
 * VaultValues}.
 */
public final class Redactor {
    private final KnownValues known;
    private volatile SecretShapes shapes = SecretShapes.standard();

    /** Creates a redactor that looks for every shape. */
    public Redactor(KnownValues known) {
        this.known = known;
    }

    /** Looks for all shapes but some kinds from now on; returns the names that are no kind. */
    public Set<String> switchOff(Collection<String> kinds) {
        shapes = SecretShapes.standard().without(kinds);
        Set<String> unknown = new TreeSet<>(kinds);
        unknown.removeAll(SecretShapes.standard().kinds());
        return unknown;
    }

    /** Returns a text without its secrets; the same text when it has none. */
    public String text(String text, SecretNumbers numbers) {
        return text.isEmpty() ? text : SecretText.redact(text, shapes, known, numbers).text();
    }

    /**
     * The same for a JSON text, which stays one: secrets are looked for in the strings it holds, as
     * they are without escapes, each with its member's name before it. What is no JSON is taken as
     * plain text.
     */
    public String json(String json, SecretNumbers numbers) {
        return json.isEmpty()
                ? json
                : new JsonRedaction((name, value) -> member(name, value, numbers))
                        .of(json)
                        .orElseGet(() -> text(json, numbers));
    }

    /** A value is looked at with its name before it: some secrets only the name tells. */
    private String member(String name, String value, SecretNumbers numbers) {
        if (name.isEmpty() || value.isEmpty()) {
            return text(value, numbers);
        }
        String before = name + ": ";
        List<SecretFind> shaped =
                shapes.find(before + value).stream()
                        .filter(find -> find.end() > before.length())
                        .map(find -> moved(find, before.length()))
                        .toList();
        List<SecretFind> all = SecretText.merged(shaped, known.find(value));
        return SecretText.redact(value, all, numbers).text();
    }

    private static SecretFind moved(SecretFind find, int by) {
        return new SecretFind(Math.max(0, find.start() - by), find.end() - by, find.kind());
    }

    /** Returns a stream that takes secrets out of text in pieces. */
    public SecretStream stream(SecretNumbers numbers, Consumer<SecretText.Taken> whenTaken) {
        return new SecretStream(shapes, known, numbers, whenTaken);
    }
}
