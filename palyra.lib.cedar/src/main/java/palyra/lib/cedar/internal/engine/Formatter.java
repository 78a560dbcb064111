package palyra.lib.cedar.internal.engine;

import java.util.ArrayList;
import java.util.List;
import palyra.lib.cedar.Compilation;
import palyra.lib.cedar.Converted;
import palyra.lib.cedar.Diagnostic;
import palyra.lib.cedar.internal.text.Lexer;
import palyra.lib.cedar.internal.text.Reports;
import palyra.lib.cedar.internal.text.Token;

/** Formats a file of policies. */
final class Formatter {
    private Formatter() {}

    /** Formats a file that parses; runs on the {@link NativeThread}. */
    static Converted format(Sources sources, String text, int lineWidth, int indentWidth) {
        Compilation parsed = PolicyCompiler.compile(sources, new KnownPolicies());
        if (!parsed.ok()) {
            return new Converted("", parsed.diagnostics());
        }
        if (sources.pieces().isEmpty()) {
            return new Converted(text, List.of());
        }
        try {
            return checked(text, NativeCalls.format(text, lineWidth, indentWidth), sources);
        } catch (NativeCalls.Refusal e) {
            String file = sources.request().policies().getFirst().name();
            return new Converted("", List.of(Reports.error(file, e.getMessage())));
        }
    }

    private static Converted checked(String text, String formatted, Sources sources) {
        if (comments(text).equals(comments(formatted))) {
            return new Converted(formatted, List.of());
        }
        Diagnostic lost =
                Reports.error(
                        sources.request().policies().getFirst().name(),
                        "the formatter would lose or reorder a comment, so the text stays as it is;"
                                + " put comments on lines of their own");
        return new Converted("", List.of(lost));
    }

    private static List<String> comments(String text) {
        List<String> comments = new ArrayList<>();
        Lexer.read(
                text,
                token -> {
                    if (token.kind() == Token.Kind.COMMENT) {
                        comments.add(text.substring(token.start(), token.end()).strip());
                    }
                    return true;
                });
        return comments;
    }
}
