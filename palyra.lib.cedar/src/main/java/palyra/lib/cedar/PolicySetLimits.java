package palyra.lib.cedar;

/**
 * What a policy set may not exceed. One object for all users: the reader of the folders checks file
 * sizes before it reads, the scanner checks the texts before native code sees them, and the
 * compiled evaluator checks what it is handed. Its values are chosen so that the largest set within
 * them is compiled, validated, tried and replayed in a quarter of a heap of 256 MB (ADR 0044).
 *
 * <p>The bounds on nesting and expansion are far below what was seen to break the native engine on
 * its stack of 256 MB or to make it take all memory, and far above what people write. Immutable.
 *
 * @param fileBytes bytes of one file, be it policies, cases, entities or a request
 * @param totalBytes bytes of all files of a set
 * @param files files of a set
 * @param policies policies, templates and links of a set together
 * @param brackets brackets within brackets, in policies and schemas
 * @param expressionDepth how deeply the expressions of a policy may nest; a chain of {@code &&} or
 *     {@code ||} is one level
 * @param operators operators of a policy, among them dots, indexes, calls and conditions
 * @param conditionals {@code if}s of a policy: each {@code else if} nests
 * @param policyNodes tokens of a policy, after what Cedar writes out ({@code has a.b.c}, {@code is
 *     T in e}); never fewer than its expressions
 * @param totalNodes the same for all policies of a set
 * @param schemaBytes bytes of the schema
 * @param declarations entity types and actions of the schema
 * @param types types of the schema, after each common type is written out where it is used
 * @param combinations combinations of action, principal type and resource type of the schema
 * @param entities entities of a request or file
 * @param ancestors pairs of entity and ancestor of a request or file
 * @param cases cases of a set
 */
public record PolicySetLimits(
        int fileBytes,
        int totalBytes,
        int files,
        int policies,
        int brackets,
        int expressionDepth,
        int operators,
        int conditionals,
        int policyNodes,
        int totalNodes,
        int schemaBytes,
        int declarations,
        int types,
        int combinations,
        int entities,
        int ancestors,
        int cases) {
    /** What holds in the product. */
    public static final PolicySetLimits STANDARD =
            new PolicySetLimits(
                    512 << 10, 2 << 20, 1_000, 5_000, 50, 200, 1_000, 100, 20_000, 250_000,
                    256 << 10, 2_000, 20_000, 50_000, 10_000, 2_000_000, 2_000);

    private static final int DEEPEST = 200;

    /** Checks. */
    public PolicySetLimits {
        if (fileBytes < 1 || totalBytes < 1 || files < 1 || policies < 1 || policyNodes < 1) {
            throw new IllegalArgumentException("A limit of a policy set is at least one.");
        }
        if (expressionDepth < 1 || expressionDepth > DEEPEST) {
            throw new IllegalArgumentException(
                    "Expressions nest 1 to "
                            + DEEPEST
                            + " levels deep, not "
                            + expressionDepth
                            + ": deciding threads have small stacks.");
        }
    }

    /** Returns these limits with others for bytes. */
    public PolicySetLimits withBytes(int ofFile, int ofAll) {
        return new PolicySetLimits(
                ofFile,
                ofAll,
                files,
                policies,
                brackets,
                expressionDepth,
                operators,
                conditionals,
                policyNodes,
                totalNodes,
                schemaBytes,
                declarations,
                types,
                combinations,
                entities,
                ancestors,
                cases);
    }

    /** Returns these limits with others for policies and the expressions of each. */
    public PolicySetLimits withPolicies(int most, int nodesOfEach, int depthOfEach) {
        return new PolicySetLimits(
                fileBytes,
                totalBytes,
                files,
                most,
                brackets,
                depthOfEach,
                operators,
                conditionals,
                nodesOfEach,
                totalNodes,
                schemaBytes,
                declarations,
                types,
                combinations,
                entities,
                ancestors,
                cases);
    }
}
