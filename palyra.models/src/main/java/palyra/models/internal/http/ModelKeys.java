package palyra.models.internal.http;

import java.nio.charset.StandardCharsets;
import java.util.Set;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.access.Access;
import palyra.api.core.vault.Secret;
import palyra.api.core.vault.SecretRef;
import palyra.api.core.vault.Vault;
import palyra.api.model.ModelRequest;
import palyra.shared.gate.Gate;
import palyra.shared.vault.SecretLender;
import palyra.shared.vault.SecretUse;

/**
 * Fetches keys from the vault: as the principal {@code system:models}, by action {@code vault.get},
 * with the purpose {@code model}. Each access is decided by policy and recorded in the journal.
 * Thread-safe.
 */
public final class ModelKeys {
    /** Principal of the access to keys, and of connections without a known caller. */
    public static final String PRINCIPAL = "system:models";

    /** Purpose in policy requests. */
    public static final String PURPOSE = "model";

    private final SecretLender secrets;

    /** Creates it; the two gates are never held together. */
    public ModelKeys(Gate<Access> access, Gate<Vault> vault) {
        secrets = new SecretLender(access, vault);
    }

    /**
     * Returns the key as a header value. A String cannot be overwritten, so the caller must not
     * keep it after the request was sent.
     *
     * @throws PalyraException DENIED, NOT_FOUND, KEYS_UNAVAILABLE, POLICY_UNAVAILABLE, or
     *     INVALID_ARGUMENT when the key cannot be a header value
     */
    String key(SecretRef ref, ModelRequest request) {
        SecretUse use =
                new SecretUse(
                        PRINCIPAL,
                        Set.of(),
                        request.caller().agentId(),
                        request.runId(),
                        "",
                        PURPOSE,
                        ref);
        try (Secret secret = secrets.lend(use)) {
            return secret.use(ModelKeys::text);
        } catch (PalyraException e) {
            throw e.code() == ErrorCode.NOT_FOUND ? absent(ref, e) : e;
        }
    }

    private static PalyraException absent(SecretRef ref, PalyraException e) {
        return new PalyraException(
                ErrorCode.NOT_FOUND,
                "The vault has no "
                        + ref
                        + "; put the key there with palyra vault put "
                        + ref.scope()
                        + "/"
                        + ref.key()
                        + ".",
                e);
    }

    /** Removes the line feed that {@code echo} adds to a key. */
    private static String text(byte[] value) {
        int end = value.length;
        while (end > 0 && (value[end - 1] == '\n' || value[end - 1] == '\r')) {
            end--;
        }
        for (int i = 0; i < end; i++) {
            if (value[i] <= ' ' || value[i] > '~') {
                throw new PalyraException(
                        ErrorCode.INVALID_ARGUMENT,
                        "The key in the vault has characters that a header cannot carry; store it again with palyra vault put.");
            }
        }
        return new String(value, 0, end, StandardCharsets.US_ASCII);
    }
}
