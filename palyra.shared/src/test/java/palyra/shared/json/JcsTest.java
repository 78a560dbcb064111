package palyra.shared.json;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import palyra.api.PalyraException;

class JcsTest {
    /** Appendix B of RFC 8785: IEEE 754 bits and the text that stands for them. */
    @ParameterizedTest
    @CsvSource({
        "0000000000000000, 0",
        "8000000000000000, 0",
        "0000000000000001, 5e-324",
        "8000000000000001, -5e-324",
        "7fefffffffffffff, 1.7976931348623157e+308",
        "ffefffffffffffff, -1.7976931348623157e+308",
        "4340000000000000, 9007199254740992",
        "c340000000000000, -9007199254740992",
        "4430000000000000, 295147905179352830000",
        "44b52d02c7e14af5, 9.999999999999997e+22",
        "44b52d02c7e14af6, 1e+23",
        "44b52d02c7e14af7, 1.0000000000000001e+23",
        "444b1ae4d6e2ef4e, 999999999999999700000",
        "444b1ae4d6e2ef4f, 999999999999999900000",
        "444b1ae4d6e2ef50, 1e+21",
        "3eb0c6f7a0b5ed8c, 9.999999999999997e-7",
        "3eb0c6f7a0b5ed8d, 0.000001",
        "41b3de4355555553, 333333333.3333332",
        "41b3de4355555554, 333333333.33333325",
        "41b3de4355555555, 333333333.3333333",
        "41b3de4355555556, 333333333.3333334",
        "41b3de4355555557, 333333333.33333343",
        "becbf647612f3696, -0.0000033333333333333333",
        "43143ff3c1cb0959, 1424953923781206.2"
    })
    void numbersAreWrittenAsEcmaScriptWritesThem(String bits, String text) {
        assertEquals(
                text, Jcs.ecmaScript(Double.longBitsToDouble(Long.parseUnsignedLong(bits, 16))));
    }

    @Test
    void membersAreSortedByUtf16AndStringsEscapedAsTheRfcSays() {
        String input =
                "{\"numbers\":[333333333.33333329,1E30,4.50,2e-3,0.000000000000000000000000001],"
                        + "\"string\":\"\\u20ac$\\u000F\\u000aA'\\u0042\\u0022\\u005c\\\\\\\"\\/\",\"literals\":[null,true,false]}";
        assertEquals(
                "{\"literals\":[null,true,false],\"numbers\":[333333333.3333333,1e+30,4.5,0.002,1e-27],"
                        + "\"string\":\"€$\\u000f\\nA'B\\\"\\\\\\\\\\\"/\"}",
                Jcs.text(StrictJson.parse(input, "the sample")));
        String names =
                "{\"\\u20ac\":1,\"\\r\":2,\"\\ufb33\":3,\"1\":4,\"\\ud83d\\ude00\":5,\"\\u0080\":6,\"\\u00f6\":7}";
        assertEquals(
                "{\"\\r\":2,\"1\":4,\"\u0080\":6,\"ö\":7,\"€\":1,\"😀\":5,\"\ufb33\":3}",
                Jcs.text(StrictJson.parse(names, "the sample")));
    }

    @Test
    void wholeNumbersBeyondWhatADoubleHoldsAreStrings() {
        assertEquals("9007199254740992", Jcs.text(StrictJson.parse("9007199254740992", "n")));
        assertEquals("\"9007199254740993\"", Jcs.text(StrictJson.parse("9007199254740993", "n")));
        assertEquals(
                "\"-9223372036854775808\"",
                Jcs.text(StrictJson.parse("-9223372036854775808", "n")));
    }

    @Test
    void aNumberThatIsNotFiniteHasNoForm() {
        assertThrows(PalyraException.class, () -> Jcs.ecmaScript(Double.NaN));
        assertThrows(PalyraException.class, () -> Jcs.ecmaScript(Double.POSITIVE_INFINITY));
    }
}
