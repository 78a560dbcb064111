package palyra.shared.json;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.tool.ToolDescriptor;

class JsonFieldsTest {
    private static final ToolDescriptor TOOL =
            new ToolDescriptor(
                    "fs.read",
                    "Reads.",
                    "{\"type\":\"object\",\"properties\":{\"path\":{},\"limit\":{},\"all\":{},"
                            + "\"names\":{},\"more\":{}}}",
                    Set.of(),
                    true,
                    true,
                    1_000,
                    1_024);

    private static JsonFields read(String json) {
        return JsonFields.ofToolInput(TOOL, json, "path|file_path|filename");
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
                read(
                        "{\"path\":\"ab\",\"limit\":\"7a\",\"all\":\"yes\",\"names\":[1],\"more\":[]}");
        refused(
                "fs.read got 'path' \"ab\"; send a text of at most 1 characters, not 2",
                () -> fields.text("path", 1));
        refused(
                "fs.read got 'limit' \"7a\"; send a whole number from 1 to 7",
                () -> fields.number("limit", 3, 1, 7));
        refused("fs.read got 'all' \"yes\"; send true or false", () -> fields.flag("all", true));
        refused(
                "fs.read got 'names' 1; send a list of texts of at most 1 characters",
                () -> fields.texts("names", 1, 1));
        refused("fs.read got 'more' []; send an object", () -> fields.object("more"));
        refused(
                "fs.read needs the field 'limit'; send a whole number from 1 to 7",
                () -> read("{}").number("limit", 1, 7));
        assertThrows(PalyraException.class, () -> read("{\"limit\":8}").number("limit", 1, 7));
        assertThrows(PalyraException.class, () -> read("{\"limit\":1.0}").number("limit", 1, 7));
        assertThrows(PalyraException.class, () -> read("{\"limit\":\"8\"}").number("limit", 1, 7));
        assertThrows(PalyraException.class, () -> read("{\"path\":7}").text("path", 7));
    }

    /** Else a model would never learn of the field. */
    @Test
    void aToolReadsNoFieldThatItDoesNotDeclare() {
        JsonFields fields = read("{}");
        IllegalStateException mistake =
                assertThrows(IllegalStateException.class, () -> fields.flag("deep", false));
        assertEquals(
                "fs.read reads 'deep', which its schema does not declare", mistake.getMessage());
        assertThrows(IllegalStateException.class, () -> fields.optionalText("deep", 1));
    }

    @Test
    void ignoresUnknownFieldsOfToolsAndTellsThem() {
        assertEquals("", read("{\"limit\":1}").note());
        JsonFields one = read("{\"paht\":1}");
        assertEquals(List.of(), one.names());
        assertEquals(
                "ignored unknown field 'paht' (did you mean 'path'?); known fields: path, limit,"
                        + " all, names, more",
                one.note());
        JsonFields other = // a field that tools share, and this one does not declare
                JsonFields.ofToolInput(TOOL, "{\"wait\":1}", "pause|wait");
        assertTrue(other.note().startsWith("ignored unknown field 'wait'"), other.note());
        assertTrue(
                read("{\"zzz\":1,\"qqqq\":2}")
                        .note()
                        .startsWith("ignored unknown fields 'zzz', 'qqqq'; known fields: path"));
        refused(
                "fs.read needs the field 'path'; send a text of at most 9 characters ("
                        + one.note()
                        + ")",
                () -> one.text("path", 9));
        refused("the input of fs.read is not an object; send {\"path\": …}", () -> read("[]"));
    }

    @Test
    void takesWhatModelsWriteWhereItIsNotInDoubt() {
        JsonFields fields =
                read("{\"file_path\":\"a\",\"limit\":\"-7\",\"all\":\"true\",\"more\":null}");
        assertEquals("a", fields.text("path", 9));
        assertEquals(-7, fields.number("limit", -9, 9));
        assertTrue(fields.flag("all", false));
        assertFalse(fields.has("more"));
        assertEquals("", fields.note());
        assertEquals("7", read("{\"filename\":\"7\"}").text("path", 9), "a name of digits");
        assertEquals("a", read("{\"filename\":\"a\",\"path\":\"a\"}").text("path", 9));
        refused(
                "fs.read got 'path' twice, once as 'filename'; send 'path' alone",
                () -> read("{\"path\":\"a\",\"filename\":\"b\"}"));
    }

    @Test
    void readersOfTheirOwnStayStrict() {
        JsonFields fields =
                new JsonFields(
                        StrictJson.parse("{\"n\":\"7\",\"all\":null,\"flag\":\"true\"}", "it"),
                        new JsonFields.Refusals() {
                            @Override
                            public RuntimeException wrong(String field, JsonNode found, String w) {
                                return new IllegalStateException(field);
                            }

                            @Override
                            public RuntimeException unknown(String field, Collection<String> all) {
                                return new IllegalStateException(field);
                            }
                        });
        assertThrows(IllegalStateException.class, () -> fields.number("n", 1, 7));
        assertThrows(IllegalStateException.class, () -> fields.flag("flag", true));
        assertThrows(IllegalStateException.class, () -> fields.requireOnly(List.of("n")));
        assertTrue(fields.has("all"));
        assertTrue(fields.withoutNulls().flag("all", true));
    }
}
