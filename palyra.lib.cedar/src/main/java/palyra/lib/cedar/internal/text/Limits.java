package palyra.lib.cedar.internal.text;

/**
 * Bounds on what native code is shown.
 *
 * <p>The constants are far below what was seen to break the engine on its 256 MB stack (nesting, in
 * the thousands) or to make it eat all memory (repeated expansion, with exponents around 30), and
 * far above what people write.
 *
 * @param fileBytes bytes of one file
 * @param totalBytes bytes of all files of a request
 */
public record Limits(int fileBytes, int totalBytes) {
    /** Files with policies. */
    public static final int FILES = 2_000;

    /** Policies, templates and links each. */
    public static final int POLICIES = 20_000;

    /** Brackets within brackets, in policies and schemas. */
    public static final int DEPTH = 50;

    /** Operators of a policy, among them dots, indexes, calls and conditions. */
    public static final int OPERATORS = 1_000;

    /** {@code if}s of a policy: each {@code else if} nests. */
    public static final int CONDITIONALS = 100;

    /** Tokens of a policy. */
    public static final int TOKENS = 50_000;

    /** Nodes of a policy, after what Cedar writes out: {@code has a.b.c}, {@code is T in e}. */
    public static final long NODES = 100_000;

    /** Nodes of all policies of a request. */
    public static final long ALL_NODES = 4_000_000;

    /** Entity types and actions of a schema. */
    public static final int DECLARATIONS = 2_000;

    /** Types of a schema, after each common type is written out where it is used. */
    public static final long TYPES = 20_000;

    /** Combinations of action, principal type and resource type of a schema. */
    public static final long COMBINATIONS = 50_000;

    /** Entities of a request or file. */
    public static final int ENTITIES = 10_000;

    /** Pairs of entity and ancestor. */
    public static final long ANCESTORS = 2_000_000;
}
