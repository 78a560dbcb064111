package palyra.sandbox.internal.files;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class FileNameTest {
    @Test
    void everyNameHasOneTextThatLeadsBack() throws Exception {
        Random random = new Random(3);
        Map<String, String> seen = new HashMap<>();
        for (int round = 0; round < 20_000; round++) {
            byte[] name = new byte[1 + random.nextInt(6)];
            random.nextBytes(name);
            for (int i = 0; i < name.length; i++) {
                name[i] = name[i] == 0 || name[i] == '/' ? (byte) '.' : name[i];
            }
            String key = new String(name, StandardCharsets.ISO_8859_1);
            if (key.matches("\\.{1,2}")) {
                continue;
            }
            String text = FileName.text(name);
            assertArrayEquals(name, FileName.bytes(text));
            assertEquals(text, FileName.of(FileName.path(text)), "as the system has it");
            String shown = FileName.shown(text);
            assertEquals(text, FileName.read(shown), shown);
            String other = seen.put(shown, key);
            assertTrue(other == null || other.equals(key), "one name for " + shown);
            assertTrue(StandardCharsets.UTF_8.newEncoder().canEncode(shown));
            assertTrue(shown.chars().noneMatch(Character::isISOControl), shown);
        }
    }

    @Test
    void namesAreShownPlainly() {
        Map<String, String> shown =
                Map.of(
                        "a b", "a b",
                        "é🙂", "é🙂",
                        "a\nb", "a\\nb",
                        "a\\n", "a\\\\n",
                        "\u001b[31m", "\\x1B[31m",
                        "\u202egpj", "\\u202Egpj",
                        "\udcff", "\\xFF");
        shown.forEach((name, text) -> assertEquals(text, FileName.shown(name)));
    }

    @Test
    void whatEscapesNothingIsItself() {
        for (String text : new String[] {"a\\qb", "\\", "\\x", "\\xZZ", "\\u12", "a\\"}) {
            assertEquals(text, FileName.read(text));
        }
        assertEquals("é", FileName.read("\\xC3\\xA9"), "one text for one name");
        assertEquals("é", FileName.read("\\u00e9"));
        assertEquals(".", FileName.read("\\x2e"));
    }

    @Test
    void onlySingleNamesGoToTheSystem() {
        for (String text : new String[] {"a/b", "/a", "é/b", "", "é/"}) {
            assertThrows(IOException.class, () -> FileName.path(text), text);
        }
    }
}
