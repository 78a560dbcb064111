package palyra.sandbox.internal.egress;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.util.Set;

/**
 * Which addresses a listed private server may have: loopback, private networks (RFC 1918, RFC
 * 4193), shared ones (RFC 6598) and this machine's own. Never link-local, unspecified, multicast or
 * reserved ones, and never those at which clouds give out credentials.
 */
final class PrivateAddresses {
    private static final Set<String> METADATA = Set.of("100.100.100.200", "fd00:ec2::254");

    private PrivateAddresses() {}

    static boolean holds(InetAddress address) {
        boolean never =
                address.isLinkLocalAddress()
                        || address.isAnyLocalAddress()
                        || address.isMulticastAddress()
                        || METADATA.contains(IpLiterals.text(address));
        return !never
                && (address.isLoopbackAddress()
                        || unique(address)
                        || PublicAddresses.ofThisMachine(address));
    }

    private static boolean unique(InetAddress address) {
        byte[] bytes = address.getAddress();
        if (!(address instanceof Inet4Address)) {
            return (bytes[0] & 0xfe) == 0xfc;
        }
        boolean shared = bytes[0] == 100 && (bytes[1] & 0xc0) == 64;
        return shared || address.isSiteLocalAddress();
    }
}
