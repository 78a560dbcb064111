package palyra.shared.json;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;

class StrictJsonTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "{",
                "{}x",
                "{} {}",
                "[1,]",
                "{\"a\":1,\"a\":2}",
                "{\"a\":{\"b\":1,\"b\":1}}",
                "nul",
                "'a'",
                "{a:1}",
                "01",
                "NaN",
                "\"\\ud800\"",
                "{\"\\udc00\":1}",
                "[\"\\ud800\\u0041\"]",
                "\"\u0001\"",
                "// c\n1"
            })
    void refusesWhatTwoReadersCouldReadDifferently(String text) {
        PalyraException e =
                assertThrows(PalyraException.class, () -> StrictJson.parse(text, "the input"));
        assertEquals(ErrorCode.INVALID_ARGUMENT, e.code());
        assertTrue(e.getMessage().startsWith("the input "), e.getMessage());
    }

    @Test
    void saysWhereATextThatIsCutOffBeganAndNothingOfTheParser() {
        PalyraException e =
                assertThrows(
                        PalyraException.class, () -> StrictJson.parse("{\"a\": 1", "the input"));
        assertTrue(e.getMessage().contains("line: 1, column: 1"), e.getMessage());
        assertFalse(e.getMessage().contains("Source"), e.getMessage());
        assertFalse(e.getMessage().contains("REDACTED"), e.getMessage());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "null",
                "true",
                "0",
                "-1.5e3",
                "\"\\ud83d\\ude00\"",
                "[]",
                "{\"a\":{\"a\":1}}",
                " {\"a\":[1]} "
            })
    void takesWhatIsUnambiguous(String text) {
        StrictJson.parse(text, "the input");
    }

    @Test
    void refusesNestingBeyondTheLimitAndTakesTheLimit() {
        String deep = "[".repeat(StrictJson.MAX_DEPTH) + "]".repeat(StrictJson.MAX_DEPTH);
        StrictJson.parse(deep, "the input");
        assertThrows(PalyraException.class, () -> StrictJson.parse("[" + deep + "]", "the input"));
    }

    @Test
    void refusesAnExponentThatNoNumberHas() {
        for (String bad : new String[] {"2142e779828331001", "{\"a\":[1e-99999999999]}"}) {
            PalyraException refused =
                    assertThrows(PalyraException.class, () -> StrictJson.parse(bad, "the input"));
            assertEquals(ErrorCode.INVALID_ARGUMENT, refused.code());
        }
    }

    @Test
    void refusesBytesThatAreNoUtf8() {
        byte[] overlong = {'"', (byte) 0xC0, (byte) 0x80, '"'};
        byte[] surrogate = {'"', (byte) 0xED, (byte) 0xA0, (byte) 0x80, '"'};
        byte[] latin = "\"é\"".getBytes(StandardCharsets.ISO_8859_1);
        for (byte[] bad : new byte[][] {overlong, surrogate, latin}) {
            assertThrows(PalyraException.class, () -> StrictJson.parse(bad, "the input"));
        }
        assertEquals(
                "é",
                StrictJson.parse("\"é\"".getBytes(StandardCharsets.UTF_8), "the input")
                        .textValue());
    }
}
