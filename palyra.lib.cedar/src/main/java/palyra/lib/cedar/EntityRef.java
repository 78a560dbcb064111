package palyra.lib.cedar;

import java.util.Objects;

/**
 * Names an entity.
 *
 * @param type its type with namespaces, such as {@code Palyra::User}
 * @param id its id, not escaped
 */
public record EntityRef(String type, String id) {
    /** Checks that both are there. */
    public EntityRef {
        Objects.requireNonNull(type, "type");
        Objects.requireNonNull(id, "id");
    }
}
