package palyra.shared.secrets;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class SecretShapesTest {
    private static final SecretShapes SHAPES = SecretShapes.standard();

    private static String found(String text) {
        List<String> found = new ArrayList<>();
        for (SecretMatch find : SHAPES.find(text)) {
            found.add(find.kind() + " " + text.substring(find.start(), find.end()));
        }
        return String.join(" | ", found);
    }

    @Test
    void findsEveryExampleWholeAndByItsKind() {
        List<String> wrong = new ArrayList<>();
        for (Corpus.Example example : Corpus.examples()) {
            String expected =
                    example.secret().isEmpty() ? "" : example.kind() + " " + example.secret();
            String found = found(example.text());
            if (!found.equals(expected)) {
                wrong.add(example.text() + "\n   expected " + expected + "\n   found    " + found);
            }
        }
        assertEquals("", String.join("\n", wrong));
    }

    @Test
    void knowsOverAHundredKindsWithThreeExamplesEach() {
        Map<String, Integer> counts = new TreeMap<>();
        SHAPES.kinds().forEach(kind -> counts.put(kind, 0));
        for (Corpus.Example example : Corpus.examples()) {
            if (!example.secret().isEmpty()) {
                counts.merge(example.kind(), 1, Integer::sum);
            }
        }
        assertTrue(counts.size() >= 100, counts.size() + " kinds");
        counts.values().removeIf(count -> count >= 3);
        assertEquals(Map.of(), counts);
    }

    @Test
    void leavesOrdinaryTextAlone() {
        List<String> ordinary = Corpus.ordinary();
        assertTrue(ordinary.size() >= 300, ordinary.size() + " lines");
        List<String> wrong = new ArrayList<>();
        for (String line : ordinary) {
            if (!found(line).isEmpty()) {
                wrong.add(line + "\n   " + found(line));
            }
        }
        assertEquals("", String.join("\n", wrong));
        assertEquals("", found(String.join("\n", ordinary)));
    }

    @Test
    void takesTheChecksumOfGitHubForProof() {
        assertTrue(Check.checksum("zQWBuTSOoRi4A9spHcVY5ncnsDkxkJ" + "0mLq17"));
        assertFalse(Check.checksum("zQWBuTSOoRi4A9spHcVY5ncnsDkxkJ" + "0mLq18"));
        String poor = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";
        assertEquals("", found("ghp_" + poor + "000000"));
        assertEquals("github-pat ghp_" + poor + "1yLcDB", found("ghp_" + poor + "1yLcDB"));
    }

    @Test
    void switchesKindsOff() {
        String text = "key AKIA" + "QYLPMN5HFZW3RTXB ok";
        assertEquals(1, SHAPES.find(text).size());
        assertEquals(List.of(), SHAPES.without(Set.of("aws-access-key-id")).find(text));
        assertEquals(1, SHAPES.without(Set.of("no-such-kind")).find(text).size());
    }

    @Test
    void takesTheWholeOfAnEndlessToken() {
        String body = "aB3dE6gH9kLm7Qz".repeat(10_000);
        assertEquals("anthropic-key sk-ant-" + body, found("x sk-ant-" + body + " y"));
    }

    @Test
    void needsLinearTimeForWhatNearlyMatches() {
        for (String piece :
                List.of("sk-", "eyJ", "eyJa.", "://a:", "-----BEGIN PRIVATE KEY-----", "1/", "M")) {
            String text = piece.repeat(300_000 / piece.length());
            assertEquals(List.of(), SHAPES.find(text), piece);
        }
    }

    @Test
    void findsSecretsInAMillionLinesOfNothing() {
        String token = "xoxb-" + "1234509876-abcDEF987ghiJKL654mnoPQ";
        String text = "nothing to see here, token by token\n".repeat(100_000) + token;
        assertEquals("slack-bot-token " + token, found(text));
    }
}
