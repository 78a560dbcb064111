package palyra.sandbox.internal.files;

import com.fasterxml.jackson.databind.node.TextNode;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Tells where a text is almost what was looked for in vain. Stateless. */
final class NearMiss {
    static final int MAX_LINES = 50_000; // that are looked at
    private static final int MAX_LINE = 400; // characters of a line that are compared
    private static final int SHOWN = 160;
    private static final double ALIKE = 0.5;

    private NearMiss() {}

    /** Returns one or two sentences; texts are bytes read as ISO 8859-1. */
    static String of(String text, String wanted) {
        List<String> file = lines(text);
        List<String> old = lines(wanted);
        int best = -1;
        int equal = 0;
        for (int i = 0; i < file.size(); i++) {
            int same = equalLines(file, i, old);
            if (same > equal) {
                equal = same;
                best = i;
            }
        }
        if (best >= 0 && old.stream().limit(equal).anyMatch(line -> !line.isBlank())) {
            String found = best + equal < file.size() ? file.get(best + equal) : "";
            return "Lines "
                    + (best + 1)
                    + " to "
                    + (best + equal)
                    + " agree with it, and then "
                    + (best + equal < file.size()
                            ? differs(best + equal + 1, found, old.get(equal))
                            : "the file ends, where old goes on with "
                                    + shown(old.get(equal))
                                    + ".");
        }
        String first = old.stream().filter(line -> !line.isBlank()).findFirst().orElse("");
        int nearest = nearest(file, first);
        return nearest < 0
                ? "No line is like its first one, " + shown(first) + "; read the file again."
                : "The nearest " + differs(nearest + 1, file.get(nearest), first);
    }

    private static List<String> lines(String text) {
        return lines(LineText.lines(text));
    }

    /** Returns the first lines as they are read in UTF-8. */
    static List<String> lines(List<LineText> all) {
        return all.stream().limit(MAX_LINES).map(line -> text(line.text())).toList();
    }

    /** Returns a text with one character per byte as it is read in UTF-8. */
    static String text(String bytes) {
        return new String(bytes.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
    }

    /** How many lines from one on are those of the old text, less its last one. */
    private static int equalLines(List<String> file, int at, List<String> old) {
        int same = 0;
        while (same < old.size() - 1
                && at + same < file.size()
                && (same == 0
                        ? file.get(at).endsWith(old.get(0))
                        : file.get(at + same).equals(old.get(same)))) {
            same++;
        }
        return same;
    }

    private static String differs(int number, String found, String wanted) {
        return "line "
                + number
                + " is "
                + shown(found)
                + how(found, wanted)
                + "; old has "
                + shown(wanted)
                + ".";
    }

    /** Returns how two lines differ that look alike; empty for others. */
    static String how(String found, String wanted) {
        return bare(found).equals(bare(wanted))
                ? ", which differs in white space only"
                : found.strip().equalsIgnoreCase(wanted.strip())
                        ? ", which differs in the case of letters"
                        : "";
    }

    private static String bare(String line) {
        return line.replaceAll("[\\s\\u00a0]+", "");
    }

    /** Returns a line as JSON, so that blanks show. */
    static String shown(String line) {
        String part = line.length() > SHOWN ? line.substring(0, SHOWN) + "…" : line;
        return new TextNode(part).toString();
    }

    /** Returns the index of the line most like another one; -1 for none. */
    static int nearest(List<String> file, String wanted) {
        String bare = bare(cut(wanted));
        Map<String, Integer> pairs = pairs(bare);
        double best = ALIKE;
        int nearest = -1;
        for (int i = 0; i < file.size() && !bare.isEmpty(); i++) {
            String other = bare(cut(file.get(i)));
            double alike = bare.equals(other) ? 2 : alike(pairs, pairs(other));
            if (alike > best) {
                best = alike;
                nearest = i;
            }
        }
        return nearest;
    }

    private static String cut(String line) {
        return line.length() > MAX_LINE ? line.substring(0, MAX_LINE) : line;
    }

    /** Pairs of neighbours, and how often they are there. */
    private static Map<String, Integer> pairs(String line) {
        Map<String, Integer> pairs = new HashMap<>();
        for (int i = 0; i + 1 < line.length(); i++) {
            pairs.merge(line.substring(i, i + 2).toLowerCase(Locale.ROOT), 1, Integer::sum);
        }
        return pairs;
    }

    /** The coefficient of Dice: how many pairs of both are in both; from 0 to 1. */
    private static double alike(Map<String, Integer> one, Map<String, Integer> other) {
        int all = sum(one) + sum(other);
        int both =
                one.entrySet().stream()
                        .mapToInt(
                                each ->
                                        Math.min(
                                                each.getValue(),
                                                other.getOrDefault(each.getKey(), 0)))
                        .sum();
        return all == 0 ? 0 : 2.0 * both / all;
    }

    private static int sum(Map<String, Integer> pairs) {
        return pairs.values().stream().mapToInt(Integer::intValue).sum();
    }
}
