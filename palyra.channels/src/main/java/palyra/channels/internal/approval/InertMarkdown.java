package palyra.channels.internal.approval;

import java.util.regex.Pattern;
import palyra.shared.text.EscapedText;

/**
 * Shows what a model or a stranger wrote in a message that is Markdown, so that it is markup on no
 * platform: neither where CommonMark is read nor where, as on Discord, three backticks alone make a
 * block and the next three end it, wherever they are. Pure.
 */
public final class InertMarkdown {
    private static final String FENCE = "```";
    private static final Pattern MARKUP = Pattern.compile("[\\\\`*_~|<>\\[\\]#]|:(?=//)|@(?=\\S)");
    private static final Pattern RUN = Pattern.compile("``(`+)");

    private InertMarkdown() {}

    /** Returns text in a block of code, each character seen; empty for blank text. */
    public static String block(String text) {
        String shown = EscapedText.block(text).strip();
        return shown.isEmpty() ? "" : FENCE + "\n" + broken(shown) + "\n" + FENCE;
    }

    /** A third backtick in a row is shown as other characters are that are not what they look. */
    private static String broken(String text) {
        return RUN.matcher(text).replaceAll(run -> "``" + escapes(run.group(1).length()));
    }

    private static String escapes(int backticks) {
        return "\\\\u{60}".repeat(backticks);
    }

    /** Returns text as one line, each character of it as itself. */
    public static String line(String text) {
        String shown = EscapedText.line(text.strip().replaceAll("\\R", " "));
        return MARKUP.matcher(shown)
                .replaceAll(
                        mark -> "\\\\" + java.util.regex.Matcher.quoteReplacement(mark.group()));
    }
}
