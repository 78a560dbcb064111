package palyra.policy.internal.cedar.value;

import java.util.Objects;

/**
 * The name of an entity: its type, with all namespaces, and its id. The hash is computed once, so
 * that unequal names mostly differ by hash, without comparing characters.
 */
public final class EntityUid implements Value {
    private final String type;
    private final String id;
    private final int hash;

    private EntityUid(String type, String id) {
        this.type = type;
        this.id = id;
        this.hash = 31 * type.hashCode() + id.hashCode();
    }

    /**
     * @param type as it is written in policies, for example {@code Photos::Album}
     * @param id any text
     */
    public static EntityUid of(String type, String id) {
        Objects.requireNonNull(id, "id");
        if (!isTypeName(type)) {
            throw new IllegalArgumentException(
                    "The entity type " + CedarText.quote(type) + " is not a Cedar name.");
        }
        return new EntityUid(type, id);
    }

    /** True if the text is one or more identifiers joined by double colons. */
    public static boolean isTypeName(String text) {
        int start = 0;
        while (true) {
            int end = text.indexOf("::", start);
            String part = text.substring(start, end < 0 ? text.length() : end);
            if (!isNamePart(part)) {
                return false;
            }
            if (end < 0) {
                return true;
            }
            start = end + 2;
        }
    }

    private static boolean isNamePart(String part) {
        return CedarText.isIdentifier(part) && !part.equals("__cedar");
    }

    public String type() {
        return type;
    }

    public String id() {
        return id;
    }

    @Override
    public String typeName() {
        return "(entity of type `" + type + "`)";
    }

    @Override
    public boolean equals(Object other) {
        return this == other
                || (other instanceof EntityUid uid
                        && hash == uid.hash
                        && id.equals(uid.id)
                        && type.equals(uid.type));
    }

    @Override
    public int hashCode() {
        return hash;
    }

    @Override
    public String toString() {
        return type + "::" + CedarText.quote(id);
    }
}
