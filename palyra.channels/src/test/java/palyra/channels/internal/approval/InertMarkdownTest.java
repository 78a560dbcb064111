package palyra.channels.internal.approval;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

final class InertMarkdownTest {
    @Test
    void noTextEndsTheBlockThatShowsIt() {
        assertEquals("```\na `b` ``c``\n```", InertMarkdown.block("a `b` ``c``\n"));
        assertEquals("```\n``\\u{60}\n```", InertMarkdown.block("```"));
        assertEquals("```\n``\\u{60}\\u{60}\\u{60}x\n```", InertMarkdown.block("`````x"));
        assertEquals("```\n~~~\n```", InertMarkdown.block("~~~"));
        assertEquals("```\n`\\u{200B}``\n```", InertMarkdown.block("`\u200B``"));
        assertEquals("", InertMarkdown.block(" \n"));
    }

    @Test
    void aLineIsOneLineOfPlainWords() {
        assertEquals("Run git?", InertMarkdown.line("Run git?"));
        assertEquals("\\*\\*a\\*\\* \\# b \\\\\\`", InertMarkdown.line("**a**\n# b \\`"));
        assertEquals("\\<\\@1\\> \\@here", InertMarkdown.line("<@1> @here"));
        assertEquals("service:x", InertMarkdown.line("service:x"));
    }
}
