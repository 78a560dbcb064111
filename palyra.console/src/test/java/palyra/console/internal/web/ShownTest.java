package palyra.console.internal.web;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class ShownTest {
    @Test
    void makesCharactersVisibleThatTurnOrHideText() {
        assertEquals(
                "a[U+202E]b[U+2066]c[U+200B]d[U+0007]\n",
                Shown.text("a\u202Eb\u2066c\u200Bd\u0007\n"));
        assertEquals("plain ü 日本 🙂", Shown.text("plain ü 日本 🙂"));
    }
}
