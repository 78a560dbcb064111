package palyra.shared.json;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;

class JsonFieldsTest {
    private static JsonFields read(String json) {
        return JsonFields.ofToolInput("fs.read", json, "path", "limit", "all", "names", "more");
    }

    private static void refused(String message, Executable body) {
        PalyraException refusal = assertThrows(PalyraException.class, body);
        assertEquals(ErrorCode.INVALID_ARGUMENT, refusal.code());
        assertEquals(message, refusal.getMessage());
    }

    @Test
    void readsFieldsOfTheirTypes() {
        JsonFields fields =
                read("{\"path\":\"a\",\"limit\":7,\"all\":true,\"names\":[\"b\"],\"more\":{}}");
        assertEquals("a", fields.text("path", 1));
        assertEquals(7, fields.number("limit", 1, 7));
        assertTrue(fields.flag("all", false));
        assertEquals(List.of("b"), fields.texts("names", 1, 1));
        assertTrue(fields.object("more").isPresent());
    }

    @Test
    void absentFieldsHaveTheirDefaults() {
        JsonFields fields = read("{}");
        assertEquals(3, fields.number("limit", 3, 1, 7));
        assertTrue(fields.flag("all", true));
        assertEquals(List.of(), fields.texts("names", 1, 1));
        assertFalse(fields.optionalText("path", 1).isPresent());
        assertFalse(fields.object("more").isPresent());
    }

    @Test
    void refusesOtherTypesAndBounds() {
        JsonFields fields =
                read("{\"path\":\"ab\",\"limit\":\"7\",\"all\":null,\"names\":[1],\"more\":[]}");
        refused(
                "fs.read got 'path' \"ab\"; send a text of at most 1 characters, not 2",
                () -> fields.text("path", 1));
        refused(
                "fs.read got 'limit' \"7\"; send a whole number from 1 to 7",
                () -> fields.number("limit", 3, 1, 7));
        refused("fs.read got 'all' null; send true or false", () -> fields.flag("all", true));
        refused(
                "fs.read got 'names' 1; send a list of texts of at most 1 characters",
                () -> fields.texts("names", 1, 1));
        refused("fs.read got 'more' []; send an object", () -> fields.object("more"));
        refused(
                "fs.read needs the field 'limit'; send a whole number from 1 to 7",
                () -> read("{}").number("limit", 1, 7));
        assertThrows(PalyraException.class, () -> read("{\"limit\":8}").number("limit", 1, 7));
        assertThrows(PalyraException.class, () -> read("{\"limit\":1.0}").number("limit", 1, 7));
    }

    @Test
    void refusesUnknownFieldsAndOtherValues() {
        refused(
                "fs.read does not know the field 'paht'; it takes [path, limit, all, names, more]",
                () -> read("{\"paht\":1}"));
        refused("the input of fs.read is not an object; send {\"path\": …}", () -> read("[]"));
    }

    @Test
    void nullsAreAbsentOnlyWhenTheReaderSaysSo() {
        JsonFields fields = read("{\"all\":null}");
        assertTrue(fields.has("all"));
        assertTrue(fields.withoutNulls().flag("all", true));
    }
}
