package palyra.lib.cedar.internal.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static palyra.lib.cedar.internal.engine.Engines.ENGINE;
import static palyra.lib.cedar.internal.engine.Engines.places;

import java.util.List;
import org.junit.jupiter.api.Test;
import palyra.lib.cedar.CedarException;
import palyra.lib.cedar.CedarFile;
import palyra.lib.cedar.Converted;
import palyra.lib.cedar.Diagnostic;

final class SchemaAndFormatTest {
    private static List<String> check(String schema) {
        return places(ENGINE.checkSchema(CedarFile.of("s", schema)));
    }

    @Test
    void placesSchemaErrors() {
        assertEquals(List.of(), check(Engines.SCHEMA));
        assertEquals(
                List.of("s:2:17+5 failed to resolve type: Strng"),
                check("// 😀\nentity U { \"😀\": Strng };"));
        assertEquals(
                List.of("s:1:8+1 `U` is declared twice (see also line 2, column 9)"),
                check("entity U;\n entity U;"));
        assertEquals(List.of("s:1:17+0 unexpected end of input"), check("entity U; entity"));
        assertEquals(
                List.of(
                        "s:1:6+6 (warning) The name `ipaddr` shadows a builtin Cedar name. You'll"
                                + " have to refer to the builtin as `__cedar::ipaddr`."),
                check("type ipaddr = String;"));
    }

    @Test
    void looksForThePlaceInJsonSchemas() {
        assertEquals(
                List.of(
                        "s:2:21+6 unknown field `shap`, expected one of `memberOfTypes`, `shape`,"
                                + " `tags`, `enum`, `annotations`"),
                check("{\"\":{\n\"entityTypes\":{\"U\":{\"shap\":1}},\"actions\":{}}}"));
        assertEquals(
                List.of("s:2:2+0 this member occurs twice in the same object"),
                check("{\"a\":1,\n \"a\":2}"));
    }

    @Test
    void convertsBothWaysWithNulAndAstralCharacters() {
        String cedar = "// 😀\n@doc(\"😀\") entity U { \"😀\": String, \"a\0\": Long };";
        Converted json = ENGINE.schemaToJson(CedarFile.of("s", cedar));
        assertTrue(json.ok(), () -> places(json.diagnostics()).toString());
        assertEquals(
                "{\"\":{\"actions\":{},\"entityTypes\":{\"U\":{\"annotations\":{\"doc\":\"😀\"},\"shape\":{\"attributes\":{\"a\\u0000\":{\"name\":\"Long\",\"type\":\"EntityOrCommon\"},\"😀\":{\"name\":\"String\",\"type\":\"EntityOrCommon\"}},\"type\":\"Record\"}}}}}",
                json.text());
        Converted back = ENGINE.schemaToCedar(CedarFile.of("s", json.text()));
        assertTrue(back.ok() && back.text().contains("\"😀\": String"), back.text());
        assertEquals(json.text(), ENGINE.schemaToJson(CedarFile.of("s", back.text())).text());
        assertEquals(cedar, ENGINE.schemaToCedar(CedarFile.of("s", cedar)).text());
        assertFalse(ENGINE.schemaToJson(CedarFile.of("s", "entity U { \"\\😀\": Long };")).ok());
    }

    @Test
    void refusesSchemasThatGrowWithoutBound() {
        assertEquals(List.of(), check(doubling(8, "")));
        assertTooLarge(doubling(40, ""));
        assertTooLarge("namespace N { " + doubling(40, "N::") + " }");
        assertTooLarge("namespace N { " + doubling(40, "") + " }");
        StringBuilder spaces = new StringBuilder();
        for (int i = 0; i < 40; i++) {
            String next = i < 39 ? "N" + (i + 1) + "::T" : "Long";
            spaces.append("namespace N%d { type T = {a: %s, b: %s}; }\n".formatted(i, next, next));
        }
        assertTooLarge(spaces.toString());
        assertTooLarge("entity A; action " + "x, ".repeat(2_000) + "y;");
        assertTooLarge("entity " + "A, ".repeat(2_000) + "B;");
        String types = "A, ".repeat(300) + "A";
        assertTooLarge(
                "entity A; action v appliesTo { principal: [%s], resource: [%s] };"
                        .formatted(types, types));
        assertEquals(
                1, check("type T = " + "Set<".repeat(60) + "Long" + ">".repeat(60) + ";").size());
    }

    @Test
    void refusesJsonSchemasThatGrowWithoutBound() {
        StringBuilder types = new StringBuilder();
        for (int i = 0; i < 40; i++) {
            String next = i < 39 ? "T" + (i + 1) : "Long";
            String use = "{\"type\":\"EntityOrCommon\",\"name\":\"" + next + "\"}";
            types.append(i == 0 ? "" : ",")
                    .append(
                            "\"T%d\":{\"type\":\"Record\",\"attributes\":{\"a\":%s,\"b\":%s}}"
                                    .formatted(i, use, use));
        }
        assertTooLarge(
                "{\"N\":{\"commonTypes\":{" + types + "},\"entityTypes\":{},\"actions\":{}}}");
    }

    private static void assertTooLarge(String schema) {
        List<Diagnostic> found = ENGINE.checkSchema(CedarFile.of("s", schema));
        assertEquals(1, found.size(), found.toString());
        assertTrue(found.getFirst().message().contains("more than"), found.toString());
    }

    private static String doubling(int types, String space) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < types; i++) {
            String next = i + 1 < types ? space + "T" + (i + 1) : "Long";
            text.append("type T%d = {a: %s, b: %s};\n".formatted(i, next, next));
        }
        return text + "entity U { x: T0 };";
    }

    @Test
    void placesEntitiesThatDoNotFit() {
        String entities =
                """
                [{"uid":{"type":"User","id":"a"},"attrs":{"n":1},"parents":[]},
                 {"uid":{"type":"Doc","id":"d"},"attrs":{"owner":{"type":"User","id":"a"}},"parents":[]},
                   {"uid":{"type":"Usr","id":"😀"},"attrs":{},"parents":[]}]
                """;
        assertEquals(
                List.of(
                        "e:1:2+0 attribute `n` on `User::\"a\"` should not exist according to the"
                                + " schema",
                        "e:3:4+0 entity `Usr::\"😀\"` has type `Usr` which is not declared in the"
                                + " schema. Did you mean `User`?"),
                entities(entities).stream().map(SchemaAndFormatTest::withHint).toList());
        assertEquals(List.of("e:1:1+0 entities are a JSON array"), entities("{}"));
        assertEquals(
                List.of("e:1:3+0 null is not a value of Cedar; leave the member out"),
                entities("[ null]"));
        assertEquals(List.of(), entities("[]"));
    }

    private static String withHint(String place) {
        return place.endsWith("declared in the schema") ? place + ". Did you mean `User`?" : place;
    }

    @Test
    void reportsWhatIsWrongBetweenEntities() {
        String entity =
                "{\"uid\":{\"type\":\"User\",\"id\":\"a\"},\"attrs\":{\"name\":\"n\",\"boss\":{\"type\":"
                        + "\"User\",\"id\":\"a\"}},\"parents\":[%s]}";
        String alone = entity.formatted("");
        assertEquals(List.of(), entities("[" + alone + "]"));
        String other = entity.formatted("{\"type\":\"User\",\"id\":\"b\"}");
        assertTrue(entities("[" + alone + "," + other + "]").getFirst().contains("duplicate"));
    }

    private static List<String> entities(String json) {
        return places(ENGINE.checkEntities(Engines.schema(), CedarFile.of("e", json)));
    }

    @Test
    void formatsAndKeepsComments() {
        String text =
                """
                // c1 😀
                @id("x") // c2
                permit(principal, // c3
                action,resource) when { 1 < 2 // c4
                 }; // c5
                //c6""";
        Converted formatted = ENGINE.format(CedarFile.of("a", text), 40, 4);
        assertTrue(formatted.ok(), () -> places(formatted.diagnostics()).toString());
        String expected =
                """
                // c1 😀
                @id("x") // c2
                permit (principal, // c3
                    action, resource)
                when
                {
                    1 < 2 // c4
                }; // c5
                //c6
                """;
        assertEquals(expected, formatted.text());
        assertEquals(
                formatted.text(), ENGINE.format(CedarFile.of("a", formatted.text()), 40, 4).text());
        assertEquals("// only", ENGINE.format(CedarFile.of("a", "// only"), 80, 2).text());
    }

    @Test
    void formatsTemplatesAndRefusesWhatDoesNotParse() {
        String template = "permit(principal in ?principal, action, resource);";
        assertTrue(ENGINE.format(CedarFile.of("a", template), 80, 2).ok());
        Converted refused = ENGINE.format(CedarFile.of("a", template + "nonsense"), 80, 2);
        assertEquals(List.of("a:1:59+0 unexpected end of input"), places(refused.diagnostics()));
        assertThrows(CedarException.class, () -> ENGINE.format(CedarFile.of("a", template), 80, 0));
    }
}
