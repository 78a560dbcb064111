package palyra.shared.sealed;

import java.util.Collection;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import palyra.api.core.vault.SecretReach;
import palyra.shared.secrets.SecretShapes;

/**
 * Takes secrets out of texts: what looks like one, and those that the vault keeps within one
 * reader's reach. Texts go through what {@link #within} returns: no text is searched for values
 * without saying whose. Thread-safe.
 */
public final class Redactor {
    private final VaultValues vault;
    private volatile SecretShapes shapes = SecretShapes.standard();

    /** Creates a redactor that looks for every shape. */
    public Redactor(VaultValues vault) {
        this.vault = vault;
    }

    /** Creates a redactor that looks for every shape and knows no vault. */
    public static Redactor withoutVault() {
        return new Redactor(new VaultValues(0));
    }

    /** Looks for all shapes but some kinds from now on; returns the names that are no kind. */
    public Set<String> switchOff(Collection<String> kinds) {
        shapes = SecretShapes.standard().without(kinds);
        Set<String> unknown = new TreeSet<>(kinds);
        unknown.removeAll(SecretShapes.standard().kinds());
        return unknown;
    }

    SecretShapes shapes() {
        return shapes;
    }

    /** Returns the redactor of one reader. */
    public ReachRedactor within(SecretReach reach) {
        return within(() -> reach);
    }

    /**
     * Returns the redactor of a reader whose reach may grow.
     *
     * @param reach asked at each search
     */
    ReachRedactor within(Supplier<SecretReach> reach) {
        return new ReachRedactor(this::shapes, vault.within(reach));
    }
}
