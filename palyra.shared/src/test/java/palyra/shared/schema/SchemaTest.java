package palyra.shared.schema;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import palyra.api.PalyraException;
import palyra.shared.json.StrictJson;

final class SchemaTest {
    private static Optional<String> problem(String schema, String value) {
        return Schema.of("the input", schema).problem(StrictJson.parse(value, "value"));
    }

    @Test
    void whatDoesNotFitIsNamedByItsPath() {
        String schema =
                "{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"array\",\"items\":"
                        + "{\"type\":\"integer\"}}}}";
        assertFalse(problem(schema, "{\"a\":[1,2]}").isPresent());
        String problem = problem(schema, "{\"a\":[1,\"x\"]}").orElseThrow();
        assertTrue(problem.contains("/a/1") || problem.contains("a[1]"), problem);
        assertTrue(problem.startsWith("the input does not fit its schema: "), problem);
    }

    @Test
    void whatIsWrongWithAnInputNamesTheFieldAndWhatToSend() {
        String schema =
                "{\"type\":\"object\",\"required\":[\"id\"],\"additionalProperties\":false,"
                        + "\"properties\":{\"id\":{\"type\":\"string\",\"maxLength\":3},"
                        + "\"n\":{\"type\":\"integer\",\"minimum\":0,\"maximum\":9},"
                        + "\"how\":{\"enum\":[\"a\",\"b\"]}}}";
        Map<String, String> wrong =
                Map.of(
                        "{}",
                        "t.x needs the field 'id'; send a text of at most 3 characters",
                        "{\"id\":\"a\",\"n\":10}",
                        "t.x got 'n' 10; send a whole number from 0 to 9",
                        "{\"id\":\"a\",\"n\":\"1\"}",
                        "t.x got 'n' \"1\"; send a whole number from 0 to 9",
                        "{\"id\":\"abcd\"}",
                        "t.x got 'id' \"abcd\"; send a text of at most 3 characters",
                        "{\"id\":\"a\",\"how\":\"c\"}",
                        "t.x got 'how' \"c\"; send one of \"a\", \"b\"",
                        "{\"id\":\"a\",\"more\":1}",
                        "t.x does not know the field 'more'; its fields are id, n, how",
                        "[]",
                        "the input of t.x is not an object; send {…}");
        wrong.forEach(
                (input, words) ->
                        assertEquals(
                                Optional.of(words),
                                Schema.of("the input", schema)
                                        .problemOfInput("t.x", StrictJson.parse(input, "value")),
                                input));
    }

    @Test
    void olderDraftsAreRead() {
        String schema =
                "{\"$schema\":\"http://json-schema.org/draft-07/schema#\",\"definitions\":"
                        + "{\"n\":{\"type\":\"number\"}},\"$ref\":\"#/definitions/n\"}";
        assertFalse(problem(schema, "1").isPresent());
        assertTrue(problem(schema, "\"x\"").isPresent());
    }

    @Test
    void referencesToOtherPlacesAreRefused() {
        for (String place :
                new String[] {
                    "http://127.0.0.1:1/x.json",
                    "https://example.com/x.json",
                    "file:///etc/passwd",
                    "classpath:/x.json"
                }) {
            assertThrows(
                    PalyraException.class,
                    () ->
                            Schema.of(
                                    "the input",
                                    "{\"properties\":{\"a\":{\"$ref\":\"" + place + "\"}}}"),
                    place);
        }
    }

    @Test
    void aPatternThatWouldTryForHoursEnds() {
        String schema = "{\"type\":\"string\",\"pattern\":\"^(a|a|a?)+$\"}";
        assertFalse(problem(schema, "\"aaaa\"").isPresent());
        String evil = "\"" + "a".repeat(200) + "!\"";
        String problem = problem(schema, evil).orElseThrow();
        assertTrue(problem.contains("too many steps") || problem.contains("does not fit"), problem);
        String nested = "{\"type\":\"string\",\"pattern\":\"^((a+)+b?)*(x+x+)+y$\"}";
        assertTrue(problem(nested, "\"" + "x".repeat(5_000) + "\"").isPresent());
    }

    @Test
    void aSchemaThatRefersToItselfDoesNotOverflow() {
        String schema = "{\"allOf\":[{\"$ref\":\"#\"}]}";
        Optional<String> problem;
        try {
            problem = problem(schema, "{}");
        } catch (PalyraException e) {
            problem = Optional.of(e.getMessage());
        }
        assertTrue(problem.isPresent());
    }

    @Test
    void whatIsNoSchemaIsRefused() {
        assertThrows(PalyraException.class, () -> Schema.of("the input", "{"));
        PalyraException pattern =
                assertThrows(
                        PalyraException.class, () -> Schema.of("the input", "{\"pattern\":\"(\"}"));
        assertTrue(pattern.getMessage().contains("the input"), pattern.getMessage());
    }

    @Test
    void numbersKeepTheirExactValue() {
        assertEquals(
                Optional.empty(),
                problem("{\"const\":12345678901234567890}", "12345678901234567890"));
        assertTrue(problem("{\"const\":12345678901234567890}", "12345678901234567891").isPresent());
    }
}
