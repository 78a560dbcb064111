package palyra.shell.internal.evidence;

import java.security.GeneralSecurityException;
import java.util.Base64;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import palyra.api.core.keys.KeyPurpose;
import palyra.api.core.keys.PublishedKey;
import palyra.api.tape.TapeEvent.ToolAttestation;
import palyra.shared.sign.Ed25519Verifier;

/** The keys that may sign attestations, and no others. Thread-safe. */
final class AttestationKeys {
    private final Map<String, Ed25519Verifier> verifiers = new HashMap<>();

    /** Takes those keys whose purpose it is; one that is no Ed25519 key verifies nothing. */
    AttestationKeys(List<PublishedKey> published) {
        for (PublishedKey key : published) {
            if (key.purpose() == KeyPurpose.ATTESTATION) {
                add(key);
            }
        }
    }

    private void add(PublishedKey key) {
        try {
            verifiers.put(
                    key.keyId(),
                    Ed25519Verifier.of(Base64.getUrlDecoder().decode(key.publicKey())));
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            verifiers.remove(key.keyId()); // its signatures are those of an unknown key
        }
    }

    /** Returns the fault of a signature; empty for a valid one. */
    Optional<String> fault(ToolAttestation statement) {
        Ed25519Verifier verifier = verifiers.get(statement.keyId());
        if (verifier == null) {
            return Optional.of("no published key for attestations is " + statement.keyId());
        }
        return verified(verifier, statement)
                ? Optional.empty()
                : Optional.of("its signature is wrong");
    }

    private static boolean verified(Ed25519Verifier verifier, ToolAttestation statement) {
        try {
            byte[] signature = Base64.getUrlDecoder().decode(statement.signature());
            String exact = Base64.getUrlEncoder().withoutPadding().encodeToString(signature);
            return exact.equals(statement.signature())
                    && verifier.verify(
                            HexFormat.of().parseHex(statement.executionSha256()), signature);
        } catch (IllegalArgumentException e) {
            return false;
        }
    }
}
