package palyra.lib.cedar;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** What to compile. Immutable; the {@code with} methods return a changed copy. */
public final class CompileRequest {
    private final List<CedarFile> policies;
    private final CedarFile schema;
    private final List<TemplateLink> links;
    private final int level;
    private final boolean validates;

    private CompileRequest(
            List<CedarFile> policies,
            CedarFile schema,
            List<TemplateLink> links,
            int level,
            boolean validates) {
        this.policies = List.copyOf(policies);
        this.schema = schema;
        this.links = List.copyOf(links);
        this.level = level;
        this.validates = validates;
    }

    /** Asks for these files, without schema and links. File names must differ. */
    public static CompileRequest of(List<CedarFile> policies) {
        return new CompileRequest(policies, null, List.of(), -1, true);
    }

    /** Asks to validate against a schema, in JSON if its text begins with <code>{</code>. */
    public CompileRequest withSchema(CedarFile schemaFile) {
        return new CompileRequest(policies, schemaFile, links, level, validates);
    }

    /** Adds links of templates. */
    public CompileRequest withLinks(List<TemplateLink> templateLinks) {
        return new CompileRequest(policies, schema, templateLinks, level, validates);
    }

    /**
     * Asks that no policy follows more than so many entity references; needs a schema.
     *
     * @param maxLevel 0 to 1,000
     */
    public CompileRequest withMaxLevel(int maxLevel) {
        if (maxLevel < 0 || maxLevel > 1_000) {
            throw new IllegalArgumentException(
                    "Level " + maxLevel + " was asked for; it must be 0 to 1,000.");
        }
        return new CompileRequest(policies, schema, links, maxLevel, validates);
    }

    /**
     * Asks to leave the policies unvalidated, because they were validated against this schema
     * before: that takes far longer than parsing. The schema is still checked, and decisions of a
     * set that is prepared from it know its actions.
     */
    public CompileRequest withoutValidation() {
        return new CompileRequest(policies, schema, links, level, false);
    }

    /** Returns whether the policies are validated when there is a schema. */
    public boolean validates() {
        return validates;
    }

    /** Returns the files with policies. */
    public List<CedarFile> policies() {
        return policies;
    }

    /** Returns the schema to validate against; empty: parse only. */
    public Optional<CedarFile> schema() {
        return Optional.ofNullable(schema);
    }

    /** Returns the links of templates. */
    public List<TemplateLink> links() {
        return links;
    }

    /** Returns how many entity references a policy may follow; empty: as many as it likes. */
    public OptionalInt maxLevel() {
        return level < 0 ? OptionalInt.empty() : OptionalInt.of(level);
    }
}
