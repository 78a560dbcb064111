package palyra.shared.text;

import java.util.List;
import java.util.stream.Collectors;

/** Words as a POSIX shell reads them. Pure functions. */
public final class ShellWords {
    private ShellWords() {}

    /** Returns words in single quotes, of which a shell makes exactly these words again. */
    public static String quoted(List<String> words) {
        return words.stream()
                .map(word -> "'" + word.replace("'", "'\\''") + "'")
                .collect(Collectors.joining(" "));
    }
}
