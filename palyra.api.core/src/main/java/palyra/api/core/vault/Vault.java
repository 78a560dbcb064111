package palyra.api.core.vault;

import java.util.List;
import org.osgi.annotation.versioning.ProviderType;
import palyra.api.access.Permit;
import palyra.api.core.access.Authorized;

/**
 * Keeps secrets: each encrypted under a key of its own, those wrapped by a master key that is not
 * stored beside them. Thread-safe; calls may block for a synced write.
 *
 * <p>The caller needs a permit for the action named at the method, for the resource {@link
 * SecretRef#resource} with the owner {@link SecretRef#owner}; a permit of another action, another
 * secret, or older than a minute is DENIED. Every method throws {@link palyra.api.PalyraException}
 * with KEYS_UNAVAILABLE while there is no usable master key, CORRUPT when a stored value does not
 * agree with itself, READ_ONLY or DISK_FULL when it cannot be written: what was there before is
 * there still.
 */
@ProviderType
public interface Vault {
    /** Largest value in bytes. */
    int MAX_VALUE_BYTES = 65_536;

    /** Most secrets of one listing. */
    int MAX_LIST = 1_000;

    /**
     * Keeps a value, in place of the present one if there is one. Durable when it returns. The
     * permit's record becomes durable before the value; {@code value} is overwritten in any case.
     *
     * @param permit for {@code vault.put}
     * @param value 1 to {@link #MAX_VALUE_BYTES} bytes
     * @param expectedVersion version that it takes the place of; 0 when there may be none yet; -1
     *     for any version. CONFLICT when another version is stored.
     */
    SecretInfo put(Authorized permit, SecretRef ref, byte[] value, long expectedVersion);

    /**
     * Lends a value. NOT_FOUND when no secret has that name.
     *
     * @param permit for {@code vault.get}, or {@code vault.reveal} when a person is to see it; such
     *     a permit has been recorded already ({@code Access.authorizeAndRecord})
     */
    Secret get(Permit permit, SecretRef ref);

    /** Forgets a secret; false when there was none. Permit for {@code vault.delete}. */
    boolean delete(Authorized permit, SecretRef ref);

    /**
     * Returns what there is in a scope, by key, at most {@link #MAX_LIST}.
     *
     * @param permit for {@code vault.list}, resource {@code vault:SCOPE/}
     * @param scope scope as in {@link SecretRef}; empty for every one, which needs a permit for
     *     {@code vault:}
     * @param afterKey key, or {@code SCOPE/KEY} when the scope is empty, after which to begin;
     *     empty for the first
     */
    List<SecretInfo> list(Permit permit, String scope, String afterKey);

    /**
     * Makes a new master key and wraps every secret's key by it, while secrets are used. After a
     * crash it goes on where it stood; no secret is unreadable at any point.
     *
     * @param permit for {@code vault.rotate}, resource {@code vault:}
     */
    VaultStatus rotate(Authorized permit);

    /** Returns how the vault is doing; works in every state and tells no secret. */
    VaultStatus status();
}
