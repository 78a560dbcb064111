package palyra.shared.secrets;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * A text with placeholders for its secrets.
 *
 * @param text the text without secrets
 * @param secrets what was taken out, in order
 */
public record SecretText(String text, List<Taken> secrets) {
    /** Copies. */
    public SecretText {
        secrets = List.copyOf(secrets);
    }

    /**
     * A secret that was taken out of a text. Its text form tells no literal.
     *
     * @param kind see {@link SecretMatch#kind}
     * @param source see {@link SecretMatch#source}
     */
    public record Taken(String placeholder, String literal, String kind, String source) {
        @Override
        public String toString() {
            return placeholder;
        }
    }

    /** Returns a text without its secrets; the same text when it has none. */
    public static SecretText redact(
            String text, SecretShapes shapes, KnownValues known, PlaceholderNumbers numbers) {
        return redact(text, merged(shapes.find(text), known.find(text)), numbers);
    }

    /** Returns a text without what was found in it, by start and none overlapping. */
    public static SecretText redact(
            String text, List<SecretMatch> found, PlaceholderNumbers numbers) {
        if (found.isEmpty()) {
            return new SecretText(text, List.of());
        }
        List<Taken> taken = new ArrayList<>();
        StringBuilder seen = new StringBuilder();
        int at = 0;
        for (SecretMatch find : found) {
            seen.append(text, at, find.start());
            seen.append(take(text.substring(find.start(), find.end()), find, numbers, taken));
            at = find.end();
        }
        return new SecretText(seen.append(text, at, text.length()).toString(), taken);
    }

    static String take(
            String literal, SecretMatch find, PlaceholderNumbers numbers, List<Taken> taken) {
        String placeholder = Placeholder.of(find.kind(), numbers.of(find.kind(), literal));
        taken.add(new Taken(placeholder, literal, find.kind(), find.source()));
        return placeholder;
    }

    /** Joins overlapping matches; a known value gives the joined match its kind. */
    public static List<SecretMatch> merged(List<SecretMatch> shaped, List<SecretMatch> known) {
        if (known.isEmpty()) {
            return shaped;
        }
        List<SecretMatch> all = new ArrayList<>(known);
        all.addAll(shaped);
        all.sort(Comparator.comparingInt(SecretMatch::start)); // stable: known first
        List<SecretMatch> joined = new ArrayList<>();
        for (SecretMatch next : all) {
            SecretMatch last = joined.isEmpty() ? null : joined.get(joined.size() - 1);
            if (last == null || next.start() >= last.end()) {
                joined.add(next);
            } else {
                SecretMatch named = known.contains(next) ? next : last;
                int end = Math.max(last.end(), next.end());
                joined.set(
                        joined.size() - 1,
                        new SecretMatch(last.start(), end, named.kind(), named.source()));
            }
        }
        return joined;
    }
}
