package palyra.policy.internal.cedar;

/**
 * What a policy set may not exceed, so that neither compiling nor evaluating it can run away.
 *
 * @param policies static policies, templates and links together
 * @param expressionNodes expressions of one policy, counted with all their parts
 * @param expressionDepth how deeply expressions may nest; a chain of {@code &&} or {@code ||} is
 *     one level
 */
public record Limits(int policies, int expressionNodes, int expressionDepth) {
    /** Deep enough for any policy a person reads, shallow enough for any thread's stack. */
    private static final int MAX_DEPTH = 200;

    public static final Limits DEFAULT = new Limits(10_000, 20_000, MAX_DEPTH);

    public Limits {
        if (policies < 1 || expressionNodes < 1 || expressionDepth < 1) {
            throw new IllegalArgumentException("A limit of a policy set is at least one.");
        }
        if (expressionDepth > MAX_DEPTH) {
            throw new IllegalArgumentException(
                    "Expressions may nest at most " + MAX_DEPTH + " levels deep.");
        }
    }
}
