package palyra.lib.cedar.internal.text;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import palyra.lib.cedar.Diagnostic;
import palyra.lib.cedar.Diagnostic.Severity;
import palyra.lib.cedar.PolicySetLimits;

/** Splits a file into policies and refuses what would harm native code. */
public final class PolicyScanner {
    private static final Set<String> OPERATORS =
            Set.of(
                    "&&", "||", "!", "-", "+", "*", "/", "%", "==", "!=", "<", "<=", ">", ">=", "=",
                    ".", "[", "(", "{", "in", "like", "has", "is", "if", "when", "unless");

    private final SourceText source;
    private final PolicySetLimits limits;
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
    private Nesting nesting = new Nesting();

    private PolicyScanner(SourceText source, PolicySetLimits limits, List<Diagnostic> problems) {
        this.source = source;
        this.limits = limits;
        this.problems = problems;
    }

    /**
     * Returns the pieces; at each limit that is passed one problem is added. Ends after one piece
     * more than a set may have: the whole set is refused then.
     */
    public static List<PolicyPiece> scan(
            SourceText source, PolicySetLimits limits, List<Diagnostic> problems) {
        PolicyScanner scanner = new PolicyScanner(source, limits, problems);
        Lexer.read(
                source.text(),
                token -> {
                    if (token.text().isEmpty()) {
                        scanner.expansion.takeControls(source.text(), token.start(), token.end());
                    }
                    if (token.kind() != Token.Kind.COMMENT) {
                        scanner.take(token);
                    }
                    return scanner.pieces.size() <= limits.policies();
                });
        scanner.finish();
        return scanner.pieces;
    }

    private void take(Token token) {
        first = first == null ? token : first;
        last = token;
        count(token);
        expansion.take(token);
        nesting.take(token);
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
        if (depth > limits.brackets()) {
            refuse(token, "brackets are nested more than " + limits.brackets() + " deep");
        } else if (operators > limits.operators()) {
            refuse(token, "the policy has more than " + limits.operators() + " operators");
        } else if (conditionals > limits.conditionals()) {
            refuse(token, "the policy has more than " + limits.conditionals() + " ifs");
        } else if (tokens > limits.policyNodes()) {
            refuse(token, "the policy has more than " + limits.policyNodes() + " tokens");
        } else if (expansion.nodes() > limits.policyNodes()) {
            refuse(
                    token,
                    "the policy becomes larger than "
                            + limits.policyNodes()
                            + " tokens when `has` with a path, `is … in` and patterns of `like`"
                            + " are written out; do not nest them");
        } else if (nesting.depth() > limits.expressionDepth()) {
            refuse(
                    token,
                    "expressions are nested more than "
                            + limits.expressionDepth()
                            + " deep, each operator of a chain such as a.b.c or 1 + 2 + 3 counted;"
                            + " split the condition with &&");
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
        nesting = new Nesting();
    }
}
