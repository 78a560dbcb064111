package palyra.sandbox.internal.egress;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import palyra.api.ErrorCode;

class HostTest {
    @ParameterizedTest
    @CsvSource({
        "example.com, example.com",
        "EXAMPLE.com., example.com",
        "ALLOWED.test., allowed.test",
        "bücher.example, xn--bcher-kva.example",
        "BÜCHER.example, xn--bcher-kva.example",
        "xn--bcher-kva.example, xn--bcher-kva.example",
        "XN--BCHER-KVA.example, xn--bcher-kva.example",
        "日本語ひらカタ.example, xn--y9j3b8e8c0415acvb2w6i.example",
        "почта.example, xn--80a1acny.example",
        "8.8.8.8, 8.8.8.8",
        "8.8.8.8., 8.8.8.8",
        "[2606:4700:0:0:0:0:0:1111], 2606:4700::1111",
        "[2606:4700::1111], 2606:4700::1111",
        "[::1], ::1",
        "[::], ::",
        "[1::], 1::",
        "[1:0:0:2:0:0:0:3], 1:0:0:2::3",
        "[::ffff:127.0.0.1], 127.0.0.1",
        "[::ffff:7f00:1], 127.0.0.1",
        "3com.example, 3com.example",
        "a-b.c-d, a-b.c-d",
        "localhost, localhost",
    })
    void everySpellingOfAHostBecomesOne(String given, String canonical) {
        assertEquals(canonical, Host.parse(given).text());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "2130706433",
                "0x7f000001",
                "0x7f.1",
                "0x7f.0.0.1",
                "0177.0.0.1",
                "127.1",
                "127.0.1",
                "127.0.0.01",
                "127.0.0.1.1",
                "127.0.0.256",
                "00000177.0.0.1",
                "0",
                "example.0x",
                "example.123",
                "１２７.0.0.1",
                "127.0.0.１",
                "①②⑦.0.0.1",
            })
    void anAddressInAnOddNotationIsRefused(String given) {
        assertThrows(RefusedException.class, () -> Host.parse(given));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                ".",
                "..",
                "a..b",
                ".a",
                "a..",
                "a b",
                "a_b.example",
                "-a.example",
                "a-.example",
                "ab--cd.example",
                "a%2eb",
                "a\u0000b",
                "a/b",
                "a@b",
                "a:b",
                "[::1",
                "::1",
                "[::1]x",
                "[fe80::1%eth0]",
                "[::ffff:127.1]",
                "[::ffff:0x7f.0.0.1]",
                "[1.2.3.4]",
                "[:::]",
                "[12345::]",
                "[example.com]",
                "*.example.com",
                "a,b",
                "a\\b",
            })
    void whatIsNoHostIsRefused(String given) {
        RefusedException refused =
                assertThrows(RefusedException.class, () -> Host.parse(given), given);
        assertTrue(
                refused.code() == ErrorCode.INVALID_ARGUMENT || refused.code() == ErrorCode.DENIED);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "gооgle.example", // Cyrillic о within Latin
                "xn--ggle-55da.example", // the same, encoded
                "аpple.example",
                "faß.example", // would silently become fass.example
                "ｅxample.test", // full width
                "exa\u200dmple.test",
                "exa\u00admple.test",
                "a。b", // ideographic full stop
                "xn--a.example",
                "xn--.example",
                "xn--zz-99999999999.example",
            })
    void aNameThatImitatesAnotherIsRefused(String given) {
        assertThrows(RefusedException.class, () -> Host.parse(given), given);
    }

    @Test
    void aLabelOf64AndANameOf254CharactersAreRefused() {
        assertEquals("a".repeat(63) + ".test", Host.parse("a".repeat(63) + ".test").text());
        assertThrows(RefusedException.class, () -> Host.parse("a".repeat(64) + ".test"));
        String long253 = ("a".repeat(49) + ".").repeat(5) + "abc";
        assertEquals(253, long253.length());
        assertEquals(long253, Host.parse(long253).text());
        assertThrows(RefusedException.class, () -> Host.parse(long253 + "d"));
    }
}
