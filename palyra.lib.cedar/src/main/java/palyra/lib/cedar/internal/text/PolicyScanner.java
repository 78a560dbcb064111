package palyra.lib.cedar.internal.text;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import palyra.lib.cedar.Diagnostic;
import palyra.lib.cedar.Diagnostic.Severity;

/** Splits a file into policies and refuses what would harm native code. */
public final class PolicyScanner {
    private static final Set<String> OPERATORS =
            Set.of(
                    "&&", "||", "!", "-", "+", "*", "/", "%", "==", "!=", "<", "<=", ">", ">=", "=",
                    ".", "[", "(", "{", "in", "like", "has", "is", "if", "when", "unless");

    private final SourceText source;
    private final List<Diagnostic> problems;
    private final List<PolicyPiece> pieces = new ArrayList<>();
    private final Set<String> slots = new HashSet<>();
    private Token first;
    private Token last;
    private int depth;
    private int tokens;
    private int operators;
    private int conditionals;
    private boolean refused;
    private Expansion expansion = new Expansion();

    private PolicyScanner(SourceText source, List<Diagnostic> problems) {
        this.source = source;
        this.problems = problems;
    }

    /** Returns the pieces; at each limit that is passed one problem is added. */
    public static List<PolicyPiece> scan(SourceText source, List<Diagnostic> problems) {
        PolicyScanner scanner = new PolicyScanner(source, problems);
        for (Token token : Lexer.tokens(source.text())) {
            if (token.kind() != Token.Kind.COMMENT) {
                scanner.take(token);
            }
        }
        scanner.finish();
        return scanner.pieces;
    }

    private void take(Token token) {
        first = first == null ? token : first;
        last = token;
        count(token);
        expansion.take(token);
        check(token);
        if (token.is(";")) {
            // A semicolon ends a policy even inside brackets: Cedar knows it nowhere else.
            finish();
        }
    }

    private void count(Token token) {
        tokens++;
        if (token.is("(") || token.is("[") || token.is("{")) {
            depth++;
        } else if (token.is(")") || token.is("]") || token.is("}")) {
            depth = Math.max(0, depth - 1);
        } else if (token.is("if")) {
            conditionals++;
        } else if (token.kind() == Token.Kind.SIGN && token.text().startsWith("?")) {
            slots.add(token.text());
        }
        if (token.kind() != Token.Kind.STRING && OPERATORS.contains(token.text())) {
            operators++;
        }
    }

    private void check(Token token) {
        if (refused) {
            return;
        }
        if (depth > Limits.DEPTH) {
            refuse(token, "brackets are nested more than " + Limits.DEPTH + " deep");
        } else if (operators > Limits.OPERATORS) {
            refuse(token, "the policy has more than " + Limits.OPERATORS + " operators");
        } else if (conditionals > Limits.CONDITIONALS) {
            refuse(token, "the policy has more than " + Limits.CONDITIONALS + " ifs");
        } else if (tokens > Limits.TOKENS) {
            refuse(token, "the policy has more than " + Limits.TOKENS + " tokens");
        } else if (expansion.nodes() > Limits.NODES) {
            refuse(
                    token,
                    "the policy becomes too large when `has` with a path and `is … in` are"
                            + " written out; do not nest them");
        }
    }

    private void refuse(Token token, String message) {
        refused = true;
        problems.add(
                Reports.at(
                        Severity.ERROR,
                        source,
                        token.start(),
                        token.end(),
                        message,
                        "",
                        source.file() + "#" + (pieces.size() + 1)));
    }

    private void finish() {
        if (first != null) {
            pieces.add(
                    new PolicyPiece(
                            source,
                            pieces.size() + 1,
                            first.start(),
                            last.end(),
                            slots,
                            expansion.nodes()));
        }
        first = null;
        depth = 0;
        tokens = 0;
        operators = 0;
        conditionals = 0;
        refused = false;
        slots.clear();
        expansion = new Expansion();
    }
}
