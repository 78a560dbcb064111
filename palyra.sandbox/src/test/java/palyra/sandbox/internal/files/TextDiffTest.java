package palyra.sandbox.internal.files;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Random;
import org.junit.jupiter.api.Test;

class TextDiffTest {
    private static ObjectNode diff(String before, String after) {
        ObjectNode output = JsonNodeFactory.instance.objectNode();
        TextDiff.of(before, after).describe(output, "f");
        return output;
    }

    /** What apply_patch makes of the old text is the new one. */
    private static void holds(String before, String after) throws Exception {
        String diff = diff(before, after).path("diff").asText();
        var patches = PatchText.read(diff);
        assertEquals(after, HunkApplier.apply("f", before, patches.get(0).hunks()), diff);
    }

    @Test
    void aPatchByTheDiffMakesTheNewText() throws Exception {
        Random random = new Random(11);
        for (int round = 0; round < 3_000; round++) {
            String before = text(random);
            String after = text(random);
            if (!before.equals(after)) {
                holds(before, after);
            }
        }
    }

    private static String text(Random random) {
        StringBuilder text = new StringBuilder();
        int lines = random.nextInt(30);
        for (int i = 0; i < lines; i++) {
            text.append((char) ('a' + random.nextInt(4))).append("\n");
        }
        return text.append(random.nextInt(4) == 0 ? "end" : "").toString();
    }

    @Test
    void farChangesHaveHunksOfTheirOwn() throws Exception {
        String before = "a\n" + "x\n".repeat(20) + "b\n" + "y\n".repeat(6) + "c\n";
        String after = before.replace("a\n", "A\n").replace("b\n", "B\n").replace("c\n", "C\n");
        String diff = diff(before, after).path("diff").asText();
        assertEquals(2, diff.split("@@ -", -1).length - 1, diff);
        assertTrue(
                diff.contains("@@ -1,4 +1,4 @@\n-a\n+A\n x\n x\n x\n@@ -19,11 +19,11 @@\n"), diff);
        holds(before, after);
    }

    @Test
    void theFewestLinesAreShown() {
        String before = "a\nb\nc\na\nb\nb\na\n";
        String after = "c\nb\na\nb\na\nc\n";
        ObjectNode output = diff(before, after);
        assertEquals(2, output.path("lines_added").asInt());
        assertEquals(3, output.path("lines_removed").asInt());
    }

    @Test
    void textsWithNothingInCommonAreOneChange() {
        StringBuilder before = new StringBuilder();
        StringBuilder after = new StringBuilder();
        for (int i = 0; i < 20_000; i++) {
            before.append("b").append(i).append('\n');
            after.append("a").append(i).append('\n');
        }
        ObjectNode output = diff(before.toString(), after.toString());
        assertEquals(20_000, output.path("lines_added").asInt());
        assertTrue(output.path("diff").asText().contains("[the diff is cut here: "));
        assertTrue(diff("", "\u00e9".repeat(5_000)).path("diff").asText().contains("[...]"));
    }
}
