package palyra.skills.internal.audit;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import palyra.api.access.Principal;
import palyra.api.access.PrincipalKind;
import palyra.api.core.access.AccessRequest;
import palyra.skills.internal.manifest.Manifest;
import palyra.skills.internal.model.SkillGrants;

/** Maps the capabilities of a manifest to policy requests. */
final class CapabilityRequests {
    private static final String PURPOSE = "skill";

    private CapabilityRequests() {}

    /** Returns the requests, in the name of the skill itself, which is in no group. */
    static List<AccessRequest> of(Manifest manifest) {
        String skill = manifest.id().skill();
        Principal principal =
                new Principal("skill:" + skill, PrincipalKind.SERVICE, Set.of(), Set.of(), "");
        List<AccessRequest> all = new ArrayList<>();
        all.add(
                new AccessRequest(
                        principal,
                        "skill.execute",
                        "skill:" + skill,
                        "",
                        Map.of("publisher", manifest.publisher())));
        for (String host : manifest.grants().httpHosts()) {
            hosts(principal, host, all);
        }
        for (SkillGrants.SecretGrant secret : manifest.grants().secrets()) {
            String scope = secret.scope().equals("skill:") ? "skill:" + skill : secret.scope();
            all.add(
                    new AccessRequest(
                            principal,
                            "vault.get",
                            "vault:" + scope + "/" + secret.key(),
                            "",
                            Map.of("purpose", PURPOSE)));
        }
        for (String channel : manifest.grants().channels()) {
            all.add(AccessRequest.of(principal, "channel.send", "channel:" + channel));
        }
        for (String channel : manifest.grants().readChannels()) {
            all.add(AccessRequest.of(principal, "channel.message.read", "channel:" + channel));
        }
        return all;
    }

    /** A wildcard is asked about as the name that it covers most plainly. */
    private static void hosts(Principal principal, String entry, List<AccessRequest> all) {
        int colon = entry.indexOf(':');
        String name = colon < 0 ? entry : entry.substring(0, colon);
        String host = name.startsWith("*.") ? name.substring(2) : name;
        List<String> ports = colon < 0 ? List.of("443", "80") : List.of(entry.substring(colon + 1));
        for (String port : ports) {
            all.add(
                    new AccessRequest(
                            principal,
                            "network.connect",
                            "host:" + host,
                            "",
                            Map.of("port", port, "method", "GET", "purpose", PURPOSE)));
        }
    }
}
