package palyra.testing.telegram;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TelegramMarkupTest {
    @Test
    void whatTheServerTakesIsText() {
        assertEquals(
                "a b < & \" link\ncode quote",
                TelegramMarkup.text(
                        "<b>a <i>b</i></b> &lt; &amp; &quot; <a href=\"https://a.test/?b&amp;c\">link</a>\n"
                                + "<pre><code class=\"language-c\">code</code></pre> <blockquote>quote"
                                + "</blockquote>"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<b>a",
                "a</b>",
                "<b><i>a</b></i>",
                "a < b",
                "a > b",
                "a & b",
                "&nbsp;",
                "<h1>a</h1>",
                "<b class=\"x\">a</b>",
                "<a>a</a>",
                "<a href=\"\">a</a>",
                "<code class=\"language-c\">a</code>",
                "<blockquote><blockquote>a</blockquote></blockquote>",
                "<code><b>a</b></code>",
                "<pre><b>a</b></pre>",
            })
    void whatTheServerRefusesIsRefused(String html) {
        IllegalArgumentException refused =
                assertThrows(IllegalArgumentException.class, () -> TelegramMarkup.text(html));
        assertTrue(refused.getMessage().startsWith("can't parse entities"), html);
    }
}
