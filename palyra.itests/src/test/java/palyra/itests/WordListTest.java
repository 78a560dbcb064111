package palyra.itests;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.Test;

/** Prose names its actor: the words of {@code cnf/words.txt} are in no source and no document. */
public class WordListTest {
    private static final Pattern TEXT =
            Pattern.compile(".*\\.(java|md|txt|sh|cedar|cedarschema|properties|proto|wit|toml)");

    /** A word in quotes is a name, such as that of the Unix user. */
    private static final Pattern QUOTED = Pattern.compile("(\\\\?[\"`'])\\S+?\\1");

    private record Word(Pattern pattern, String instead) {
        static Word of(String line) {
            String[] parts = line.split(" \\| ", 2);
            return new Word(
                    Pattern.compile("\\b(?:" + parts[0] + ")\\b", Pattern.CASE_INSENSITIVE),
                    parts[1]);
        }
    }

    @Test
    public void proseNamesItsActor() throws IOException {
        List<Word> words = words();
        List<String> found = new ArrayList<>();
        int files = 0;
        for (Path file : files()) {
            files++;
            found.addAll(find(words, file.toString(), Files.readString(root().resolve(file))));
        }
        assertTrue("files that were read: " + files, files > 2_000);
        assertEquals(
                "write it in the field's words, see cnf/words.txt", "", String.join("\n", found));
    }

    @Test
    public void everyWordIsFoundAndItsNeighboursAreNot() throws IOException {
        List<Word> words = words();
        for (String bad :
                List.of(
                        "Nobody answers.",
                        "// whoever asks",
                        "it stands in the log",
                        "the file lies there",
                        "if it is meant, say so",
                        "that is no part of it",
                        "'x' is none")) {
            assertEquals(bad, 1, find(words, "file", bad).size());
        }
        for (String good :
                List.of(
                        "a star stands for any text",
                        "the Unix user \"nobody\"",
                        "when there is none",
                        "`approval.nobody`",
                        "bystands",
                        "aliens and replies")) {
            assertEquals(List.of(), find(words, "file", good));
        }
    }

    private static List<String> find(List<Word> words, String file, String text) {
        List<String> found = new ArrayList<>();
        List<String> lines = text.lines().toList();
        for (int i = 0; i < lines.size(); i++) {
            String line = QUOTED.matcher(lines.get(i)).replaceAll("");
            for (Word word : words) {
                Matcher matcher = word.pattern().matcher(line);
                if (matcher.find()) {
                    found.add(
                            file
                                    + ":"
                                    + (i + 1)
                                    + ": '"
                                    + matcher.group()
                                    + "': "
                                    + word.instead());
                }
            }
        }
        return found;
    }

    private static List<Word> words() throws IOException {
        return Files.readAllLines(root().resolve("cnf/words.txt")).stream()
                .filter(line -> !line.isBlank() && !line.startsWith("#"))
                .map(Word::of)
                .toList();
    }

    private static Path root() {
        return BuiltBundle.root();
    }

    private static List<Path> files() throws IOException {
        List<Path> found = new ArrayList<>();
        for (Path module : BuiltBundle.modules()) {
            found.addAll(under(module.resolve("src/main")));
        }
        found.addAll(under(root().resolve("docs")));
        found.addAll(under(root().resolve("scripts")));
        for (String name : List.of("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md")) {
            found.add(Path.of(name));
        }
        return found;
    }

    private static List<Path> under(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> all = Files.walk(folder)) {
            return all.filter(Files::isRegularFile)
                    .map(file -> root().relativize(file))
                    .filter(file -> TEXT.matcher(file.toString()).matches())
                    .filter(file -> !file.startsWith("docs/adr"))
                    .toList();
        }
    }
}
