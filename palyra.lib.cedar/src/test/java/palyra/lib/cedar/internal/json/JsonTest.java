package palyra.lib.cedar.internal.json;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.Test;

final class JsonTest {
    private static int refusedAt(String text) {
        return assertThrows(JsonException.class, () -> JsonReader.strict(text).read(), text)
                .offset();
    }

    @Test
    void readsAndWritesBack() throws JsonException {
        for (String text :
                List.of(
                        "{}",
                        "[]",
                        "[1,-2,0,9223372036854775807,-9223372036854775808]",
                        "{\"b\":{\"a\":[true,false,[[]]]},\"a\":\"\"}",
                        "\"é😀\\u0000\\u001f\\\"\\\\/\"")) {
            assertEquals(text, JsonWriter.write(JsonReader.strict(text).read()));
        }
        assertEquals("😀\n/", JsonReader.strict(" \"\\uD83D\\uDE00\\n\\/\" ").read());
        assertEquals("\"\\ud83d\\ude00\\u00e9\"", JsonWriter.writeAscii("😀é"));
        assertEquals("{\"a\":null}", JsonWriter.write(JsonReader.lenient("{\"a\":null}").read()));
    }

    @Test
    void refusesWhatIsNotAcceptedAndSaysWhere() {
        assertEquals(6, refusedAt("{\"a\":1.5}".replace("1.5", " 1.5")));
        for (String text :
                List.of(
                        "",
                        " ",
                        "nul",
                        "tru",
                        "{",
                        "[",
                        "[1",
                        "[1,]",
                        "{\"a\"}",
                        "{\"a\":}",
                        "{a:1}",
                        "{\"a\":1,}",
                        "\"",
                        "\"\\",
                        "\"\\x\"",
                        "\"\\u12\"",
                        "\"\\u12g4\"",
                        "\"\n\"",
                        "01",
                        "-",
                        "+1",
                        "1.0",
                        "1e1",
                        "9223372036854775808",
                        "null",
                        "NaN",
                        "1 2",
                        "\"\\ud800\"",
                        "\"\\udc00\"",
                        "\"\\ud800\\ud800\"",
                        "\"\ud800\"",
                        "{\"a\":1,\"\\u0061\":2}",
                        "\uFEFF{}",
                        "[١]")) {
            refusedAt(text);
        }
    }

    @Test
    void limitsDepth() throws JsonException {
        String deepest = "[".repeat(64) + "]".repeat(64);
        assertEquals(deepest, JsonWriter.write(JsonReader.strict(deepest).read()));
        assertEquals(64, refusedAt("[" + deepest + "]"));
        assertEquals(64, refusedAt("[".repeat(1_000_000)));
    }

    @Test
    void remembersWhereTheElementsBegin() throws JsonException {
        JsonReader reader = JsonReader.strict("[ {\"a\":[1,2]} ,\n[3]]");
        reader.read();
        assertEquals(List.of(2, 16), reader.elementOffsets());
    }
}
