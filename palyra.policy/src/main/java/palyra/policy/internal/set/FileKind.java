package palyra.policy.internal.set;

import java.util.Optional;

/** What a file of a policy folder is, by its name. */
enum FileKind {
    /** Cedar policies. */
    POLICIES,
    /** Examples that must hold. */
    CASES,
    /** The schema. */
    SCHEMA;

    static final String SCHEMA_NAME = "schema.cedarschema";

    /** Returns the kind of a file; empty for others, such as backups and swap files. */
    static Optional<FileKind> of(String name) {
        if (name.startsWith(".") || name.startsWith("#")) {
            return Optional.empty();
        }
        if (name.equals(SCHEMA_NAME)) {
            return Optional.of(SCHEMA);
        }
        if (name.endsWith(".cases.json")) {
            return Optional.of(CASES);
        }
        return name.endsWith(".cedar") ? Optional.of(POLICIES) : Optional.empty();
    }
}
