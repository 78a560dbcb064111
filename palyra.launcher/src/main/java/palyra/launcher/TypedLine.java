package palyra.launcher;

import java.util.ArrayList;
import java.util.List;
import org.jline.reader.CompletingParsedLine;
import org.jline.reader.ParsedLine;

/**
 * A line up to the cursor, as JLine asks for it: {@link ShellWords} splits it. Completion does not
 * change the text after the cursor.
 */
record TypedLine(String line, int cursor, ShellWords.Typed typed) implements CompletingParsedLine {
    /** Accepts every line; errors are reported when it runs. */
    static final class Parser implements org.jline.reader.Parser {
        @Override
        public ParsedLine parse(String line, int cursor, ParseContext context) {
            return new TypedLine(line, cursor, ShellWords.typed(line.substring(0, cursor)));
        }
    }

    /** Those of the stage at the cursor; of a later one with its {@code |} in front. */
    @Override
    public List<String> words() {
        List<String> words = new ArrayList<>();
        if (typed.stages() > 0) {
            words.add("|");
        }
        words.addAll(typed.before());
        words.add(typed.word());
        return words;
    }

    @Override
    public int wordIndex() {
        return words().size() - 1;
    }

    @Override
    public String word() {
        return typed.word();
    }

    @Override
    public int wordCursor() {
        return typed.word().length();
    }

    @Override
    public CharSequence escape(CharSequence candidate, boolean complete) {
        return ShellWords.typeable(candidate.toString());
    }

    @Override
    public int rawWordCursor() {
        return cursor - typed.start();
    }

    @Override
    public int rawWordLength() {
        return rawWordCursor();
    }
}
