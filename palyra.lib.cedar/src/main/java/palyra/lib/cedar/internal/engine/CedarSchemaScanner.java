package palyra.lib.cedar.internal.engine;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import palyra.lib.cedar.Diagnostic;
import palyra.lib.cedar.PolicySetLimits;
import palyra.lib.cedar.internal.text.Lexer;
import palyra.lib.cedar.internal.text.Reports;
import palyra.lib.cedar.internal.text.SourceText;
import palyra.lib.cedar.internal.text.Token;

/** Refuses a schema in the Cedar schema language that would harm native code. */
final class CedarSchemaScanner {
    private static final int TOKENS = 65_000;

    private final List<Token> tokens = new ArrayList<>();
    private final Map<String, List<String>> bodies = new HashMap<>();
    private final List<String[]> uses = new ArrayList<>();
    private long declarations;
    private long combinations;

    private CedarSchemaScanner(SourceText source) {
        Lexer.read(
                source.text(),
                token -> {
                    if (token.kind() != Token.Kind.COMMENT) {
                        tokens.add(token);
                    }
                    return tokens.size() <= TOKENS;
                });
    }

    static void scan(SourceText source, List<Diagnostic> problems) {
        CedarSchemaScanner scanner = new CedarSchemaScanner(source);
        Token deep = scanner.tooDeep();
        if (deep != null) {
            problems.add(
                    Reports.error(
                            source,
                            deep.start(),
                            deep.end(),
                            "brackets are nested more than "
                                    + PolicySetLimits.STANDARD.brackets()
                                    + " deep"));
            return;
        }
        String problem = scanner.problem();
        if (!problem.isEmpty()) {
            problems.add(Reports.error(source.file(), problem));
        }
    }

    private Token tooDeep() {
        int depth = 0;
        for (Token token : tokens) {
            if (sign(token, "({[<")) {
                depth++;
            } else if (sign(token, ")}]>")) {
                depth = Math.max(0, depth - 1);
            }
            if (depth > PolicySetLimits.STANDARD.brackets()) {
                return token;
            }
        }
        return null;
    }

    private static boolean sign(Token token, String signs) {
        return token.kind() == Token.Kind.SIGN
                && token.text().length() == 1
                && signs.contains(token.text());
    }

    private String problem() {
        if (tokens.size() > TOKENS) {
            return "the schema has more than " + TOKENS + " tokens";
        }
        String namespace = "";
        int at = 0;
        while (at < tokens.size()) {
            String word = tokens.get(at).text();
            if (word.equals("namespace")) {
                namespace = path(at + 1);
                at += 2;
            } else if (word.equals("}")) {
                namespace = "";
                at++;
            } else if (List.of("type", "entity", "action").contains(word)) {
                at = declaration(namespace, at);
            } else {
                at++;
            }
        }
        return SchemaBounds.problem(bodies, uses, declarations, combinations);
    }

    /** Takes one declaration up to its semicolon and returns where the next begins. */
    private int declaration(String namespace, int start) {
        int end = start + 1;
        while (end < tokens.size() && !sign(tokens.get(end), ";")) {
            end++;
        }
        String kind = tokens.get(start).text();
        if (kind.equals("type")) {
            String name = start + 1 < end ? tokens.get(start + 1).text() : "";
            String full = namespace.isEmpty() ? name : namespace + "::" + name;
            bodies.computeIfAbsent(full, any -> new ArrayList<>()).addAll(names(start + 2, end));
        } else {
            long names = declared(start, end);
            declarations += names;
            names(start + 1, end).forEach(used -> uses.add(new String[] {namespace, used}));
            if (kind.equals("action")) {
                combinations +=
                        names * count("principal", start, end) * count("resource", start, end);
            }
        }
        return end + 1;
    }

    /** Counts the names before the first word or sign that ends a list of names. */
    private long declared(int start, int end) {
        long names = 1;
        for (int i = start + 1; i < end; i++) {
            Token token = tokens.get(i);
            if (List.of("in", "appliesTo", "{", "=", "tags", "enum").contains(token.text())) {
                break;
            }
            names += sign(token, ",") ? 1 : 0;
        }
        return names;
    }

    /** Counts the types after {@code word :}, at least one. */
    private long count(String word, int start, int end) {
        long most = 1;
        for (int i = start; i + 2 < end; i++) {
            if (tokens.get(i).text().equals(word) && sign(tokens.get(i + 1), ":")) {
                long types = 1;
                for (int j = i + 2; j < end && !sign(tokens.get(j), "]}"); j++) {
                    types += sign(tokens.get(j), ",") ? 1 : 0;
                }
                most = Math.max(most, types);
            }
        }
        return most;
    }

    private List<String> names(int from, int to) {
        List<String> found = new ArrayList<>();
        for (int i = from; i < to; i++) {
            boolean first = !tokens.get(i - 1).text().equals("::");
            if (tokens.get(i).kind() == Token.Kind.WORD && first) {
                found.add(path(i));
            }
        }
        return found;
    }

    private String path(int from) {
        StringBuilder path = new StringBuilder();
        for (int i = from; i < tokens.size(); i += 2) {
            path.append(tokens.get(i).text());
            if (i + 1 >= tokens.size() || !tokens.get(i + 1).text().equals("::")) {
                break;
            }
            path.append("::");
        }
        return path.toString();
    }
}
