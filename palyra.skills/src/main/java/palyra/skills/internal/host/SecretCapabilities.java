package palyra.skills.internal.host;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import palyra.api.PalyraException;
import palyra.api.core.vault.Secret;
import palyra.api.core.vault.SecretRef;
import palyra.shared.vault.SecretLender;
import palyra.skills.internal.model.SkillGrants.SecretGrant;

/**
 * Secrets of a skill: handles for headers of requests, and values where the manifest asked for
 * them. Each use is asked about, recorded, and only then lent by the vault; nothing is kept. A
 * skill reaches no other skill's secrets, even if its manifest names them.
 */
final class SecretCapabilities {
    private static final String OWN = "skill";

    private final HostCall call;
    private final SecretLender lender;
    private final Set<Integer> opened = new HashSet<>(); // on the thread of the call
    private final Set<SecretGrant> read = new HashSet<>(); // likewise: their values are known

    SecretCapabilities(HostCall call, SecretLender lender) {
        this.call = call;
        this.lender = lender;
    }

    ObjectNode open(RequestFields fields) {
        fields.requireOnly(Set.of("scope", "key"));
        String scope = scope(fields.optionalText("scope", 300).orElse(OWN));
        String key = fields.text("key", 128);
        List<SecretGrant> grants = call.scope().grants().secrets();
        for (int i = 0; i < grants.size(); i++) {
            if (scope(grants.get(i).scope()).equals(scope) && grants.get(i).key().equals(key)) {
                reference(grants.get(i));
                opened.add(LegacyFunctions.SECRET + i);
                return JsonNodeFactory.instance
                        .objectNode()
                        .put("handle", LegacyFunctions.SECRET + i);
            }
        }
        throw HostError.denied(
                "The manifest does not name the secret " + key + " of the scope " + scope + ".",
                "capabilities.secrets: " + scope + "/" + key);
    }

    private String scope(String given) {
        boolean own = given.equals(OWN) || given.equals(OWN + ":");
        return own ? OWN + ":" + call.scope().skill().skill() : given;
    }

    ObjectNode value(RequestFields fields) {
        fields.requireOnly(Set.of("handle"));
        int handle = (int) fields.number("handle", -1, 0, Integer.MAX_VALUE);
        SecretGrant grant = granted(handle);
        if (!grant.value()) {
            throw HostError.denied(
                    "The manifest names the secret "
                            + grant.key()
                            + " for requests only, not its value.",
                    "capabilities.secrets: " + grant.key() + " with value = true");
        }
        ObjectNode answer = JsonNodeFactory.instance.objectNode();
        read.add(grant);
        try (Secret secret = lend(grant)) {
            secret.use(
                    bytes -> {
                        RequestFields.put(answer, "value", bytes);
                        return true;
                    });
        }
        return answer;
    }

    /** Returns a secret as the value of a header. The copy lives as long as the request. */
    String field(int handle, String header, WebTarget target) {
        SecretGrant grant = granted(handle);
        requireBound(grant, target);
        try (Secret secret = lend(grant)) {
            String value = secret.use(bytes -> new String(bytes, StandardCharsets.UTF_8));
            if (!value.matches("[\\x21-\\x7e]([\\t\\x20-\\x7e]*[\\x21-\\x7e])?")) {
                throw HostError.of(
                        HostError.INVALID,
                        "The secret "
                                + grant.key()
                                + " has characters that do not fit in the header "
                                + header
                                + ": it is not one line of printable ASCII.");
            }
            return value;
        }
    }

    /** A call that has read values connects to no host that one of them is not bound to. */
    void requireAllowedTarget(WebTarget target) {
        read.forEach(grant -> requireBound(grant, target));
    }

    private static void requireBound(SecretGrant grant, WebTarget target) {
        if (!HostPattern.anyFits(grant.hosts(), target.host(), target.port())) {
            throw HostError.denied(
                    "The manifest binds the secret "
                            + grant.key()
                            + " to "
                            + (grant.hosts().isEmpty()
                                    ? "no host"
                                    : String.join(", ", grant.hosts()))
                            + ", and the request goes to "
                            + target.host()
                            + ":"
                            + target.port()
                            + ".",
                    "capabilities.secrets: "
                            + grant.key()
                            + " with hosts = ["
                            + target.host()
                            + "]");
        }
    }

    private SecretGrant granted(int handle) {
        if (!opened.contains(handle)) {
            throw HostError.of(
                    HostError.INVALID,
                    "The handle " + handle + " is of no open secret; call secret_open first.");
        }
        return call.scope().grants().secrets().get(handle - LegacyFunctions.SECRET);
    }

    private Secret lend(SecretGrant grant) {
        SecretRef ref = reference(grant);
        try {
            return lender.lend(call.scope().use(ref));
        } catch (PalyraException e) {
            throw HostError.of(e, "policy vault.get " + ref.resource());
        }
    }

    private SecretRef reference(SecretGrant grant) {
        SecretRef ref = new SecretRef(scope(grant.scope()), grant.key());
        call.scope().use(ref); // what belongs to another skill is not even opened
        return ref;
    }
}
