package palyra.skills.internal.trust;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import palyra.skills.internal.RefusedException;
import palyra.skills.internal.artifact.Artifact;
import palyra.skills.internal.artifact.SkillKey;
import palyra.skills.internal.ledger.LedgerRows;

/**
 * Decides whether an artifact's key is trusted, from rows. Revocations come first, then the
 * allowlist, then pins. A retired key still carries installed versions, and installs no others.
 */
public final class TrustRules {
    /** Rows of publishers that are allowed. */
    public static final String PUBLISHER = "publisher/";

    /** Rows of pins. */
    public static final String PIN = "pin/";

    /** Rows of the last rotation of a publisher; they outlive its pin. */
    public static final String ROTATED = "rotated/";

    /** Rows of revocations, {@code KIND:VALUE}. */
    public static final String REVOKED = "revoked/";

    private TrustRules() {}

    /**
     * Decides.
     *
     * @param installing whether it is about to be installed, rather than in use
     * @param allowTofu whether an unknown publisher may be pinned
     * @throws RefusedException {@code key_revoked}, {@code artifact_revoked}, {@code
     *     version_revoked}, {@code publisher_key_mismatch}, {@code tofu_key_mismatch}, {@code
     *     publisher_untrusted}
     */
    public static TrustDecision decide(
            LedgerRows rows, Artifact artifact, boolean installing, boolean allowTofu) {
        requireNotRevoked(rows, artifact);
        String publisher = artifact.manifest().publisher();
        String key = artifact.signature().publicKeyHex();
        Optional<ObjectNode> allowed = rows.row(PUBLISHER + publisher);
        if (allowed.isPresent()) {
            return fits(allowed.get(), key, installing)
                    ? TrustDecision.ALLOWLISTED
                    : refuse(
                            "publisher_key_mismatch",
                            "The key "
                                    + id(artifact)
                                    + " is not one that is allowed for '"
                                    + publisher
                                    + "'",
                            "If the publisher changed keys, apply the rotation: palyra skills trust"
                                    + " rotate FILE; or allow the key: palyra skills trust allow "
                                    + publisher
                                    + " KEY");
        }
        Optional<ObjectNode> pin = rows.row(PIN + publisher);
        if (pin.isPresent()) {
            return fits(pin.get(), key, installing)
                    ? TrustDecision.TOFU_PINNED
                    : refuse(
                            "tofu_key_mismatch",
                            "The key "
                                    + id(artifact)
                                    + " is another than the one that '"
                                    + publisher
                                    + "' was first seen with",
                            "If the publisher changed keys, apply the rotation: palyra skills trust"
                                    + " rotate FILE; else do not install it");
        }
        if (installing && allowTofu) {
            return TrustDecision.TOFU_NEWLY_PINNED;
        }
        return refuse(
                "publisher_untrusted",
                "The publisher '" + publisher + "' is not trusted with the key " + id(artifact),
                "Allow it: palyra skills trust allow " + publisher + " " + key);
    }

    private static TrustDecision refuse(String reason, String found, String remedy) {
        throw new RefusedException(reason, found + ". " + remedy + ".");
    }

    private static String id(Artifact artifact) {
        return artifact.signature().keyId();
    }

    private static boolean fits(JsonNode row, String key, boolean installing) {
        return contains(row.path("keys"), key)
                || (!installing && contains(row.path("retired"), key));
    }

    static boolean contains(JsonNode list, String text) {
        for (JsonNode each : list) {
            if (each.asText().equals(text)) {
                return true;
            }
        }
        return false;
    }

    private static void requireNotRevoked(LedgerRows rows, Artifact artifact) {
        String skill = artifact.manifest().id().skill();
        Map<String, String> questions =
                Map.of(
                        "key:" + artifact.signature().publicKeyHex(), "key_revoked",
                        "artifact:" + artifact.sha256(), "artifact_revoked",
                        "version:" + artifact.manifest().id(), "version_revoked",
                        "version:" + skill, "version_revoked");
        questions.forEach(
                (what, reason) ->
                        rows.row(REVOKED + what)
                                .ifPresent(
                                        row ->
                                                refuse(
                                                        reason,
                                                        what
                                                                + " was revoked: "
                                                                + row.path("reason").asText(),
                                                        "Ask the publisher for another version")));
    }

    /** Returns the id of a key in hex. */
    public static String keyId(String hex) {
        return SkillKey.id(HexFormat.of().parseHex(hex));
    }
}
