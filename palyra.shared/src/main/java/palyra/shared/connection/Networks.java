package palyra.shared.connection;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.Arrays;
import java.util.HexFormat;

/** The network that counts as one client address. Pure. */
public final class Networks {
    private static final int IPV6_NETWORK_BYTES = 8;

    private Networks() {}

    /**
     * Returns a network's text; a client with one IPv6 address has a whole network of them.
     *
     * @param from null for a transport without addresses
     */
    public static String of(InetAddress from) {
        if (from == null) {
            return "nowhere";
        }
        byte[] address = from.getAddress();
        return address.length > IPV6_NETWORK_BYTES
                ? HexFormat.ofDelimiter(":").formatHex(Arrays.copyOf(address, IPV6_NETWORK_BYTES))
                : from.getHostAddress();
    }

    /** Returns the text of the network that a socket address is of. */
    public static String of(SocketAddress from) {
        return of(from instanceof InetSocketAddress socket ? socket.getAddress() : null);
    }
}
