package palyra.sandbox.internal.egress;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class WebUrlTest {
    @ParameterizedTest
    @CsvSource({
        "https://example.com, https://example.com/",
        "HTTPS://EXAMPLE.COM./A?b=C#d, https://example.com/A?b=C",
        "http://example.com:80/, http://example.com/",
        "http://example.com:8080/x, http://example.com:8080/x",
        "https://example.com?q, https://example.com/?q",
        "https://[2606:4700::1111]:8443/, https://[2606:4700::1111]:8443/",
        "https://de.example/Österreich, https://de.example/%C3%96sterreich",
        "https://example.com//a/../b, https://example.com//a/../b",
        "https://example.com/@x, https://example.com/@x",
    })
    void urlsAreReadAndWrittenInOneForm(String given, String text) {
        assertEquals(text, WebUrl.parse(given).text());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "example.com",
                "//example.com/",
                "ftp://example.com/",
                "file:///etc/passwd",
                "http:/example.com",
                "http:example.com",
                "http:///x",
                "http://allowed.test@evil.test/",
                "http://user:pass@allowed.test/",
                "http://@allowed.test/",
                "http://allowed.test:/",
                "http://allowed.test:0/",
                "http://allowed.test:080/",
                "http://allowed.test:65536/",
                "http://allowed.test:+80/",
                "http://allowed.test:80:80/",
                "http://allowed.test\\@evil.test/",
                "http://allowed.test\\.evil.test/",
                "http://allowed.test /",
                " http://allowed.test/",
                "http://allowed.test/a b",
                "http://allowed.test/\r\nX: y",
                "http://allowed.test/\u0000",
                "http://allowed.test/\t",
                "http://allowed.test%2eevil.test/",
                "http://2130706433/",
                "http://0x7f.1/",
                "http://127.1/",
                "http://[::1/",
                "http://[::1]evil.test/",
                "http://allowed.test/\ud800",
                "javascript:alert(1)",
                "gopher://allowed.test/",
            })
    void whatIsNoProperUrlIsRefused(String given) {
        assertThrows(RefusedException.class, () -> WebUrl.parse(given), given);
    }

    @Test
    void aLongUrlIsRefused() {
        String longest = "http://allowed.test/" + "a".repeat(8_192 - 20);
        assertEquals(longest, WebUrl.parse(longest).text());
        assertThrows(RefusedException.class, () -> WebUrl.parse(longest + "a"));
    }

    @ParameterizedTest
    @CsvSource({
        "/b, https://a.test:8443/b",
        "b?c, https://a.test:8443/x/b?c",
        "../b, https://a.test:8443/b",
        "?z, https://a.test:8443/x/?z",
        "//b.test/, https://b.test/",
        "http://b.test, http://b.test/",
        "/Ö#frag, https://a.test:8443/%C3%96",
    })
    void aLocationIsResolved(String location, String text) {
        assertEquals(text, WebUrl.parse("https://a.test:8443/x/y?q").resolve(location).text());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "//evil@b.test/",
                "\\\\evil.test/",
                "/\\evil.test",
                "javascript:x",
                "ftp://b.test/",
                "http://2130706433/",
                "a b",
            })
    void aLocationThatIsNoProperUrlIsRefused(String location) {
        assertThrows(
                RefusedException.class, () -> WebUrl.parse("https://a.test/").resolve(location));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/?key=s3cret", "/bot1:s3cret/getMe", "/a/s3cret#s3cret"})
    void messagesAndTextFormsHidePathAndQuery(String target) {
        assertFalse(WebUrl.parse("https://a.test" + target).toString().contains("s3cret"));
        for (String url : List.of("https://a.test:0", "https://a.test:8\u0000", "ftp://a.test")) {
            RefusedException refused =
                    assertThrows(RefusedException.class, () -> WebUrl.parse(url + target));
            assertFalse(refused.getMessage().contains("s3cret"), refused.getMessage());
            assertTrue(refused.getMessage().contains("a.test"), refused.getMessage());
        }
        assertFalse(Stage.get("https://a.test" + target).toString().contains("s3cret"));
    }
}
