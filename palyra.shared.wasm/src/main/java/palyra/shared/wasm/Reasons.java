package palyra.shared.wasm;

import java.util.ArrayList;
import java.util.List;

/** The reasons for refusing a module, the first 50. Not thread-safe. */
final class Reasons {
    private static final int MOST = 50;
    private static final int LONGEST_NAME = 80;

    private final List<Reason> found = new ArrayList<>();

    void add(String code, String sentence) {
        if (!full()) {
            found.add(new Reason(code, sentence));
        }
    }

    void add(ModuleException reason) {
        add(reason.code(), reason.getMessage());
    }

    void invalid(String sentence) {
        add(Reason.INVALID, sentence);
    }

    void limit(String of, String sentence) {
        add(Reason.LIMIT + of, sentence);
    }

    boolean full() {
        return found.size() >= MOST;
    }

    boolean none() {
        return found.isEmpty();
    }

    List<Reason> all() {
        return found;
    }

    /** Returns a name that a module chose, fit for a sentence. */
    static String quoted(String name) {
        StringBuilder text = new StringBuilder("\"");
        name.codePoints()
                .limit(LONGEST_NAME)
                .forEach(point -> text.appendCodePoint(printable(point) ? point : '?'));
        return text.append(name.length() > LONGEST_NAME ? "…\"" : "\"").toString();
    }

    private static boolean printable(int point) {
        return switch (Character.getType(point)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.PRIVATE_USE,
                    Character.UNASSIGNED ->
                    false;
            default -> true;
        };
    }
}
