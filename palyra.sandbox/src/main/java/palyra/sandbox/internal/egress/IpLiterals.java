package palyra.sandbox.internal.egress;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Addresses written as text, in the one form that every reader understands alike: four decimal
 * numbers without leading zeros (RFC 3986, {@code IPv4address}), or the forms of RFC 4291 section
 * 2.2 without a zone. All the rest that {@code inet_aton} takes (decimal, octal, hexadecimal, fewer
 * than four parts) is recognised and refused by {@link Host}.
 */
final class IpLiterals {
    private static final String BYTE = "(25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])";
    private static final Pattern V4 = Pattern.compile("(" + BYTE + "\\.){3}" + BYTE);
    private static final Pattern V6 = Pattern.compile("[0-9a-fA-F:.]{2,45}");
    private static final Pattern NUMBER = Pattern.compile("[0-9]+|0[xX][0-9a-fA-F]*");

    private IpLiterals() {}

    /**
     * Returns whether readers could take a dotted text for an IPv4 address: its last part is a
     * number (WHATWG URL, "ends in a number").
     */
    static boolean looksLikeV4(String host) {
        return NUMBER.matcher(host.substring(host.lastIndexOf('.') + 1)).matches();
    }

    static Optional<InetAddress> v4(String text) {
        return V4.matcher(text).matches() ? parse(text) : Optional.empty();
    }

    /** Reads the inside of brackets. An IPv4-mapped address becomes the IPv4 address that it is. */
    static Optional<InetAddress> v6(String text) {
        int colon = text.lastIndexOf(':');
        boolean usable = V6.matcher(text).matches() && colon >= 0;
        if (!usable || (text.indexOf('.') >= 0 && v4(text.substring(colon + 1)).isEmpty())) {
            return Optional.empty();
        }
        return parse(text);
    }

    /** The JDK looks no name up for a text that is an address, or that has a colon. */
    private static Optional<InetAddress> parse(String text) {
        try {
            return Optional.of(InetAddress.getByAddress(InetAddress.getByName(text).getAddress()));
        } catch (UnknownHostException e) {
            return Optional.empty();
        }
    }

    /** Returns the canonical text of an address: dotted, or as RFC 5952 writes it. */
    static String text(InetAddress address) {
        if (address instanceof Inet4Address) {
            return address.getHostAddress();
        }
        byte[] bytes = address.getAddress();
        int[] groups = new int[8];
        for (int i = 0; i < 8; i++) {
            groups[i] = (bytes[2 * i] & 0xff) << 8 | bytes[2 * i + 1] & 0xff;
        }
        return compressed(groups);
    }

    private static String compressed(int[] groups) {
        int start = -1;
        int length = 1;
        for (int i = 0; i < 8; i++) {
            int zeros = 0;
            while (i + zeros < 8 && groups[i + zeros] == 0) {
                zeros++;
            }
            if (zeros > length) {
                start = i;
                length = zeros;
            }
        }
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 8; i++) {
            if (i == start) {
                text.append("::");
                i += length - 1;
            } else {
                boolean first = text.isEmpty() || text.charAt(text.length() - 1) == ':';
                text.append(first ? "" : ":").append(Integer.toHexString(groups[i]));
            }
        }
        return text.toString();
    }
}
