package palyra.shared.secrets;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SecretStreamTest {
    private static final String VALUE = "correct horse";

    /** Knows one value. */
    private static final KnownValues KNOWN =
            new KnownValues() {
                @Override
                public List<SecretMatch> find(CharSequence text) {
                    List<SecretMatch> found = new ArrayList<>();
                    String all = text.toString();
                    for (int at = all.indexOf(VALUE); at >= 0; ) {
                        found.add(new SecretMatch(at, at + VALUE.length(), "vault"));
                        at = all.indexOf(VALUE, at + VALUE.length());
                    }
                    return found;
                }

                @Override
                public int safeLength(CharSequence text) {
                    String all = text.toString();
                    for (int i = Math.max(0, all.length() - VALUE.length() + 1);
                            i < all.length();
                            i++) {
                        if (VALUE.startsWith(all.substring(i))) {
                            return i;
                        }
                    }
                    return all.length();
                }
            };

    private static SecretStream stream(KnownValues known) {
        return new SecretStream(
                SecretShapes.standard(), known, PlaceholderNumbers.fresh(), taken -> {});
    }

    private static String whole(String text, KnownValues known) {
        return SecretText.redact(text, SecretShapes.standard(), known, PlaceholderNumbers.fresh())
                .text();
    }

    private static String pieces(String text, KnownValues known, int... cuts) {
        SecretStream stream = stream(known);
        StringBuilder out = new StringBuilder();
        int at = 0;
        for (int cut : cuts) {
            out.append(stream.add(text.substring(at, cut)));
            at = cut;
        }
        return out.append(stream.add(text.substring(at))).append(stream.end()).toString();
    }

    @Test
    void givesTheSameForEveryCutOfEveryExample() {
        for (Corpus.Example example : Corpus.examples()) {
            String text = example.text();
            String expected = whole(text, KnownValues.NONE);
            for (int cut = 0; cut <= text.length(); cut++) {
                assertEquals(expected, pieces(text, KnownValues.NONE, cut), text);
            }
            int[] all = new int[text.length()];
            for (int i = 0; i < all.length; i++) {
                all[i] = i;
            }
            assertEquals(expected, pieces(text, KnownValues.NONE, all), text);
        }
    }

    @Test
    void givesTheSameForRandomCutsOfTextsThatHoldEverything() {
        Random random = new Random(11);
        List<Corpus.Example> examples = Corpus.examples();
        List<String> ordinary = Corpus.ordinary();
        for (int round = 0; round < 400; round++) {
            StringBuilder text = new StringBuilder();
            for (int i = 0; i < 6; i++) {
                text.append(examples.get(random.nextInt(examples.size())).text());
                text.append(random.nextBoolean() ? " " : "");
                text.append(random.nextInt(3) == 0 ? VALUE : "");
                text.append(ordinary.get(random.nextInt(ordinary.size())));
            }
            String all = text.toString();
            int[] cuts = random.ints(random.nextInt(60), 0, all.length() + 1).sorted().toArray();
            assertEquals(whole(all, KNOWN), pieces(all, KNOWN, cuts), "round " + round);
        }
    }

    @Test
    void passesOrdinaryWordsOnAtOnce() {
        for (String line : Corpus.ordinary()) {
            SecretStream stream = stream(KnownValues.NONE);
            StringBuilder given = new StringBuilder();
            StringBuilder got = new StringBuilder();
            for (String word : line.split("(?<= )")) {
                given.append(word);
                got.append(stream.add(word));
                if (word.endsWith(" ") && !word.equals("-----BEGIN ")) {
                    assertEquals(given.toString(), got.toString());
                }
            }
            assertEquals(line, got.append(stream.end()).toString());
        }
    }

    @Test
    void holdsNothingBackOfAWordThatCannotBeASecret() {
        SecretStream stream = stream(KnownValues.NONE);
        assertEquals("tok", stream.add("tok"));
        assertEquals("en and some", stream.add("en and some"));
        assertEquals(" ", stream.add(" gh"));
        assertEquals("ghost", stream.add("ost"));
    }

    @Test
    void neverPassesOnAPartOfASecret() {
        for (Corpus.Example example : Corpus.examples()) {
            if (example.secret().isEmpty()) {
                continue;
            }
            SecretStream stream = stream(KnownValues.NONE);
            StringBuilder out = new StringBuilder();
            int start = example.text().indexOf(example.secret());
            for (int i = 0; i < start + example.secret().length(); i++) {
                out.append(stream.add(example.text().substring(i, i + 1)));
                assertTrue(out.length() <= start, () -> example.text() + " → " + out);
            }
        }
    }

    @Test
    void joinsAKnownValueAndAShapeThatOverlap() {
        String token = "glpat-" + "x7Kq9ZmT2vLw4RbN8sYd";
        String text = "say correct horse " + token + " correct horse";
        assertEquals(
                "say ⟦secret:vault:1⟧ ⟦secret:gitlab-pat:2⟧ ⟦secret:vault:1⟧", whole(text, KNOWN));
        List<SecretMatch> joined =
                SecretText.merged(
                        List.of(new SecretMatch(4, 20, "shape")),
                        List.of(
                                new SecretMatch(10, 30, "vault"),
                                new SecretMatch(40, 44, "vault")));
        assertEquals(
                List.of(new SecretMatch(4, 30, "vault"), new SecretMatch(40, 44, "vault")), joined);
    }

    @Test
    void numbersTheSameLiteralTheSame() {
        String one = "ghp_" + "zQWBuTSOoRi4A9spHcVY5ncnsDkxkJ0mLq17";
        String two = "npm_" + "zQWBuTSOoRi4A9spHcVY5ncnsDkxkJ0mLq17";
        assertEquals(
                "⟦secret:github-pat:1⟧ ⟦secret:npm-token:2⟧ ⟦secret:github-pat:1⟧",
                whole(one + " " + two + " " + one, KnownValues.NONE));
        assertEquals(2, Placeholder.highest("a ⟦secret:x:1⟧ b ⟦secret:y:2⟧ ⟦secret:y:9"));
        assertEquals(0, Placeholder.highest("⟦secret:⟧ ⟦secret:x:⟧ secret:x:4"));
    }
}
