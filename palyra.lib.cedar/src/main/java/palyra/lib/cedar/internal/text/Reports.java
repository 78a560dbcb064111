package palyra.lib.cedar.internal.text;

import palyra.lib.cedar.Diagnostic;
import palyra.lib.cedar.Diagnostic.Severity;

/** Makes diagnostics. */
public final class Reports {
    private static final int TEXT_LIMIT = 2_000;

    private Reports() {}

    /** Returns an error about a span of a text. */
    public static Diagnostic error(SourceText source, int start, int end, String message) {
        return at(Severity.ERROR, source, start, end, message, "", "");
    }

    /** Returns an error about a file as a whole. */
    public static Diagnostic error(String file, String message) {
        return new Diagnostic(Severity.ERROR, file, 0, 0, 0, clean(message), "", "", "", "");
    }

    /** Returns an error about a link, which is in no file. */
    public static Diagnostic linkError(String linkId, String message) {
        return new Diagnostic(
                Severity.ERROR, "", 0, 0, 0, clean(message), "", clean(linkId), "", "");
    }

    /** Returns a diagnostic about a span of a text. */
    public static Diagnostic at(
            Severity severity,
            SourceText source,
            int start,
            int end,
            String message,
            String help,
            String policyId) {
        SourceText.Excerpt excerpt = source.excerpt(start, end);
        return new Diagnostic(
                severity,
                source.file(),
                source.line(start),
                source.column(start),
                source.length(start, end),
                clean(message),
                clean(help),
                policyId,
                excerpt.line(),
                excerpt.carets());
    }

    private static String clean(String text) {
        String shown = SourceText.printable(text.replace('\n', ' ').replace('\r', ' '));
        return shown.codePointCount(0, shown.length()) <= TEXT_LIMIT
                ? shown
                : shown.substring(0, shown.offsetByCodePoints(0, TEXT_LIMIT)) + " …";
    }
}
