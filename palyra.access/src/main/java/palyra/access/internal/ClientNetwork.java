package palyra.access.internal;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.regex.Pattern;
import palyra.shared.connection.Networks;

/**
 * The network that counts as one where limits count addresses: an address of IPv4, or the 64-bit
 * network of one of IPv6, of which a holder has 2^64 addresses. No name is looked up. Pure.
 */
final class ClientNetwork {
    private static final String BYTE = "(25[0-5]|2[0-4][0-9]|1?[0-9]{1,2})";
    private static final Pattern IPV4 = Pattern.compile(BYTE + "([.]" + BYTE + "){3}");
    private static final Pattern IPV6 = Pattern.compile("[0-9A-Fa-f:]+:[0-9A-Fa-f:.]*");

    private ClientNetwork() {}

    /** Returns the network of an address; a text that is no address is its own. */
    static String of(String address) {
        String digits = address.replace("[", "").replace("]", "").replaceFirst("%.*", "");
        if (!IPV4.matcher(digits).matches() && !IPV6.matcher(digits).matches()) {
            return address;
        }
        try {
            return Networks.of(InetAddress.getByName(digits));
        } catch (UnknownHostException e) {
            return address;
        }
    }
}
