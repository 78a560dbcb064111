package palyra.shared.model;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.access.Permit;
import palyra.api.access.Principal;
import palyra.api.access.PrincipalKind;
import palyra.api.core.access.Access;
import palyra.api.core.access.AccessRequest;
import palyra.api.core.vault.Secret;
import palyra.api.core.vault.SecretRef;
import palyra.api.core.vault.Vault;
import palyra.api.model.ModelRequest;
import palyra.shared.gate.Gate;

/**
 * Fetches keys from the vault: as the principal {@code system:models}, by action {@code vault.get},
 * with the purpose {@code model}. Each time policy decides and the journal is told. Thread-safe.
 */
public final class KeyDesk {
    /** Who asks for keys, and for connections where no caller is known. */
    public static final String PRINCIPAL = "system:models";

    /** What for, as policy sees it. */
    public static final String PURPOSE = "model";

    private static final String ACTION = "vault.get";

    private final Gate<Access> access;
    private final Gate<Vault> vault;

    /** Creates the desk; neither gate is held while the other is. */
    public KeyDesk(Gate<Access> access, Gate<Vault> vault) {
        this.access = access;
        this.vault = vault;
    }

    /**
     * Returns the key as a header takes it. A String cannot be overwritten, so it is kept for as
     * long as the request is sent and no longer.
     *
     * @throws PalyraException DENIED, NOT_FOUND, KEYS_UNAVAILABLE, POLICY_UNAVAILABLE, or
     *     INVALID_ARGUMENT when what is kept can stand in no header
     */
    String key(SecretRef ref, ModelRequest request) {
        Permit permit = access.call(present -> present.authorizeAndRecord(question(ref, request)));
        permit.requireFor(ACTION, System.currentTimeMillis());
        try (Secret secret = vault.call(present -> present.get(permit, ref))) {
            return secret.use(KeyDesk::text);
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

    private static AccessRequest question(SecretRef ref, ModelRequest request) {
        Map<String, String> facts = new HashMap<>();
        facts.put("purpose", PURPOSE);
        facts.put("agent", request.caller().agentId());
        facts.put("run", request.runId());
        facts.values().removeIf(String::isEmpty);
        Principal models = new Principal(PRINCIPAL, PrincipalKind.SYSTEM, Set.of(), Set.of(), "");
        return new AccessRequest(models, ACTION, ref.resource(), ref.owner(), facts);
    }

    /** What was put by {@code echo} ends with a line feed, which belongs to no key. */
    private static String text(byte[] value) {
        int end = value.length;
        while (end > 0 && (value[end - 1] == '\n' || value[end - 1] == '\r')) {
            end--;
        }
        for (int i = 0; i < end; i++) {
            if (value[i] <= ' ' || value[i] > '~') {
                throw new PalyraException(
                        ErrorCode.INVALID_ARGUMENT,
                        "The key in the vault has characters that no header can carry; put it"
                                + " there anew.");
            }
        }
        return new String(value, 0, end, StandardCharsets.US_ASCII);
    }
}
