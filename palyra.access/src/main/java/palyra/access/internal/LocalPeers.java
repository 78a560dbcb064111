package palyra.access.internal;

import java.util.Map;
import java.util.Set;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.access.Principal;
import palyra.api.access.PrincipalKind;
import palyra.api.core.access.Credential;

/** Maps the operating system's peer credentials of a local connection to a principal. */
final class LocalPeers {
    private LocalPeers() {}

    /**
     * The gateway's own user is an operator; another one is what configuration says.
     *
     * @param mapped groups by user name or number
     */
    static Principal principal(
            Credential.LocalPeer peer, ProcessIdentity own, Map<String, Set<String>> mapped) {
        if (own.is(peer)) {
            return new Principal(
                    name(peer),
                    PrincipalKind.USER,
                    Set.of(BuiltInRules.OPERATOR),
                    Set.of(),
                    own.credentialId());
        }
        Set<String> groups = mapped.get(peer.user());
        if (groups == null && peer.uid() >= 0) {
            groups = mapped.get(Long.toString(peer.uid()));
        }
        if (groups == null) {
            throw new PalyraException(
                    ErrorCode.UNAUTHENTICATED,
                    "The local user "
                            + peer.user()
                            + " is not the one that the gateway runs as, and localPeers of"
                            + " palyra.access does not name it; use an API token, or add it there.");
        }
        return new Principal(name(peer), PrincipalKind.USER, groups, Set.of(), foreignId(peer));
    }

    private static String foreignId(Credential.LocalPeer peer) {
        return "mapped-peer:" + (peer.uid() >= 0 ? Long.toString(peer.uid()) : peer.user());
    }

    private static String name(Credential.LocalPeer peer) {
        String name = "user:" + peer.user();
        if (name.length() <= 128 && name.matches("[A-Za-z0-9._:@-]+")) {
            return name;
        }
        if (peer.uid() >= 0) {
            return "user:uid-" + peer.uid();
        }
        throw new PalyraException(
                ErrorCode.UNAUTHENTICATED,
                "The local user's name holds characters that a principal cannot have, and the"
                        + " system gives no number for it; use an API token.");
    }
}
