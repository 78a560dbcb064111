package palyra.connectors.webhook.internal;

import java.util.List;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.channel.ConnectorContext;
import palyra.api.core.vault.SecretRef;

/** The keys of one account, asked of the vault each time and kept nowhere. Thread-safe. */
final class SigningKeys {
    private final List<SecretRef> secrets;
    private final ConnectorContext context;

    SigningKeys(List<SecretRef> secrets, ConnectorContext context) {
        this.secrets = secrets;
        this.context = context;
    }

    /**
     * Returns all keys, in the order of the configuration.
     *
     * @throws SecretException when one of them is not there or is not one
     * @throws PalyraException when they cannot be read now
     */
    List<byte[]> all() {
        return secrets.stream().map(this::key).toList();
    }

    private byte[] key(SecretRef ref) {
        String secret;
        try {
            secret = context.secret(ref.toString()).strip();
        } catch (PalyraException e) {
            if (e.code() == ErrorCode.NOT_FOUND || e.code() == ErrorCode.DENIED) {
                throw new SecretException(
                        "The secret in " + ref + " cannot be used: " + e.getMessage());
            }
            throw e;
        }
        return Signatures.key(secret)
                .orElseThrow(
                        () ->
                                new SecretException(
                                        ref
                                                + " is no signing secret: whsec_ and base64 of 24 to"
                                                + " 64 bytes. Store one with palyra vault put "
                                                + ref.scope()
                                                + "/"
                                                + ref.key()
                                                + "."));
    }
}
