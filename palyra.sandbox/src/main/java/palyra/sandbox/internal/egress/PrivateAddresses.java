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
    private static final Set<String> METADATA =
            Set.of("100.100.100.200", "fd00:ec2::254", "192.0.0.192", "168.63.129.16");

    /** Addresses of this kind lead to any IPv4 address; see RFC 6052. */
    private static final String TRANSLATED = "64:ff9b:";

    private PrivateAddresses() {}

    /** Whether an address is never connected to, whatever is configured. */
    static boolean never(InetAddress address) {
        String text = IpLiterals.text(address);
        return address.isLinkLocalAddress()
                || address.isAnyLocalAddress()
                || address.isMulticastAddress()
                || METADATA.contains(text)
                || text.startsWith(TRANSLATED);
    }

    static boolean holds(InetAddress address) {
        return !never(address)
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
