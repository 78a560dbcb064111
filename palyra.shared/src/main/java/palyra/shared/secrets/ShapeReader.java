package palyra.shared.secrets;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * Reads the tables of shapes. A line is {@code kind anchors items [check]}: anchors have bars
 * between them; one that begins with {@code @} is a name before the secret, any other the beginning
 * of the secret; items are those of {@link Body}; the check is {@code RANDOM} unless a word says
 * otherwise, and {@code alone} says that nothing may join it to the text before it.
 */
final class ShapeReader {
    private ShapeReader() {}

    /** Returns all shapes in the order in which they are tried. */
    static List<Shape> all() {
        List<Shape> shapes = new ArrayList<>();
        shapes.add(new PemShape());
        shapes.add(new DiscordShape());
        Stream.of(ShapeTable.CODE, ShapeTable.CLOUD, ShapeTable.SERVICES, NamedSecrets.TABLE)
                .flatMap(String::lines)
                .filter(line -> !line.isBlank())
                .forEach(line -> read(line, shapes));
        shapes.add(new UrlShape());
        return shapes;
    }

    private static void read(String line, List<Shape> shapes) {
        String[] words = line.strip().split(" +");
        List<String> items = new ArrayList<>();
        Check check = Check.RANDOM;
        boolean alone = false;
        for (String word : Arrays.asList(words).subList(2, words.length)) {
            if (word.equals("alone")) {
                alone = true;
            } else if (word.length() > 3 && word.chars().allMatch(c -> c >= 'A' && c <= 'Z')) {
                check = Check.valueOf(word);
            } else {
                items.add(word);
            }
        }
        Body body = new Body(items, alone);
        for (String anchor : words[1].split("\\|")) {
            shapes.add(
                    anchor.startsWith("@")
                            ? new ContextShape(words[0], anchor.substring(1), body, check)
                            : new PrefixShape(words[0], anchor, body, check, alone));
        }
    }
}
