package palyra.policy.internal.cedar.expr;

import java.util.List;

/**
 * {@code like}: literal texts with stars between them; a star matches any text, also the empty one.
 */
public final class Like extends BoolExpr {
    private final Expr operand;
    private final String[] texts;

    /**
     * @param texts texts before, between and behind the stars: one more than there are stars, so
     *     one text alone is a pattern without a star
     */
    public Like(Expr operand, List<String> texts) {
        this.operand = operand;
        this.texts = texts.toArray(new String[0]);
    }

    @Override
    public boolean test(Env env) {
        return matches(asString(operand.eval(env)));
    }

    /** The first text must begin it, the last must end it, the others must follow each other. */
    private boolean matches(String text) {
        String first = texts[0];
        if (texts.length == 1) {
            return text.equals(first);
        }
        String last = texts[texts.length - 1];
        int end = text.length() - last.length();
        if (end < first.length() || !text.startsWith(first) || !text.endsWith(last)) {
            return false;
        }
        int from = first.length();
        for (int i = 1; i < texts.length - 1; i++) {
            int found = text.indexOf(texts[i], from);
            if (found < 0 || found + texts[i].length() > end) {
                return false;
            }
            from = found + texts[i].length();
        }
        return true;
    }
}
