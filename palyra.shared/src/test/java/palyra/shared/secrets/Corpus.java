package palyra.shared.secrets;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * The committed examples. A line of {@code corpus.txt} is a kind, a tab, and a text with the secret
 * in guillemets; kind {@code -} is a text without any. A broken bar within a secret is no part of
 * it: it keeps programs that look for secrets in repositories from taking the examples for real
 * ones. All were made up at random.
 */
final class Corpus {
    private Corpus() {}

    /**
     * One example.
     *
     * @param secret what is to be found; empty for none
     */
    record Example(String kind, String text, String secret) {
        static Example of(String line) {
            int tab = line.indexOf('\t');
            String text = line.substring(tab + 1).replace("¦", "").replace("\\n", "\n");
            text = text.replace("\\\n", "\\n"); // a written \\n is a backslash and an n
            int open = text.indexOf('«');
            if (open < 0) {
                return new Example(line.substring(0, tab), text, "");
            }
            int close = text.lastIndexOf('»');
            return new Example(
                    line.substring(0, tab),
                    text.substring(0, open)
                            + text.substring(open + 1, close)
                            + text.substring(close + 1),
                    text.substring(open + 1, close));
        }
    }

    static List<Example> examples() {
        return lines("corpus.txt").stream().map(Example::of).toList();
    }

    static List<String> ordinary() {
        return lines("ordinary.txt");
    }

    private static List<String> lines(String name) {
        try (InputStream in = Corpus.class.getResourceAsStream(name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
