package palyra.shared.secrets;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Takes the secrets out of a text that arrives in pieces. Passes on at once what can be no part of
 * a secret, holds back the rest until more has come; however the text is cut, the output is the
 * same, and the same as {@link SecretText#redact} gives for the whole. For one thread.
 */
public final class SecretStream {
    /** Characters before a match that a shape may read. */
    private static final int BACK = 3;

    /** From so many characters held back, not every piece is looked at again at once. */
    private static final int LONG = 512;

    private final Scan scan;
    private final KnownValues known;
    private final PlaceholderNumbers numbers;
    private final Consumer<SecretText.Taken> whenTaken;
    private final StringBuilder buffer = new StringBuilder();
    private final List<SecretMatch> shaped = new ArrayList<>(); // not passed on yet
    private int passed; // how much of the buffer was passed on
    private int next; // where the scan goes on
    private int looked; // length of the buffer when it was looked at last

    /**
     * Creates a stream.
     *
     * @param whenTaken told of each secret as it is taken out
     */
    public SecretStream(
            SecretShapes shapes,
            KnownValues known,
            PlaceholderNumbers numbers,
            Consumer<SecretText.Taken> whenTaken) {
        this.scan = shapes.scan();
        this.known = known;
        this.numbers = numbers;
        this.whenTaken = whenTaken;
    }

    /** Takes the next piece and returns what may be passed on now, often all of it. */
    public String add(String piece) {
        buffer.append(piece);
        int held = looked - passed;
        if (held > LONG && buffer.length() - looked < held / 8) {
            return "";
        }
        return look(false);
    }

    /** Returns what was held back: the text is complete. The stream may be used for another. */
    public String end() {
        String rest = look(true);
        buffer.setLength(0);
        shaped.clear();
        passed = 0;
        next = 0;
        looked = 0;
        return rest;
    }

    private String look(boolean complete) {
        next = scan.run(buffer, next, complete, shaped);
        looked = buffer.length();
        List<SecretMatch> finds = SecretText.merged(shaped, knownNow());
        int safe = complete ? buffer.length() : Math.min(scan.hold(), safeOfKnown());
        for (int i = finds.size() - 1; i >= 0; i--) {
            SecretMatch find = finds.get(i);
            if (find.start() < safe && find.end() > safe) {
                safe = find.start();
            }
        }
        String out = passOn(finds, safe);
        forget();
        return out;
    }

    private List<SecretMatch> knownNow() {
        return known.find(buffer.subSequence(passed, buffer.length())).stream()
                .map(
                        find ->
                                new SecretMatch(
                                        find.start() + passed,
                                        find.end() + passed,
                                        find.kind(),
                                        find.source()))
                .toList();
    }

    private int safeOfKnown() {
        return passed + known.safeLength(buffer.subSequence(passed, buffer.length()));
    }

    private String passOn(List<SecretMatch> finds, int safe) {
        if (safe <= passed) {
            return "";
        }
        StringBuilder out = new StringBuilder();
        List<SecretText.Taken> taken = new ArrayList<>();
        int at = passed;
        for (SecretMatch find : finds) {
            if (find.end() <= safe) {
                out.append(buffer, at, find.start());
                String literal = buffer.substring(find.start(), find.end());
                out.append(SecretText.take(literal, find, numbers, taken));
                at = find.end();
            }
        }
        out.append(buffer, at, safe);
        passed = safe;
        taken.forEach(whenTaken);
        return out.toString();
    }

    /** Lets go of what neither a scan nor a secret can need any more. */
    private void forget() {
        int done = passed;
        shaped.removeIf(find -> find.end() <= done);
        int from = Math.min(Math.min(passed, next), looked) - BACK;
        if (from <= 0) {
            return;
        }
        buffer.delete(0, from);
        passed -= from;
        next -= from;
        looked -= from;
        shaped.replaceAll(
                find ->
                        new SecretMatch(
                                find.start() - from,
                                find.end() - from,
                                find.kind(),
                                find.source()));
    }
}
