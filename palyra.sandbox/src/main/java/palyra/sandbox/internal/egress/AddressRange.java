package palyra.sandbox.internal.egress;

import java.net.InetAddress;
import java.util.Arrays;
import java.util.Optional;
import palyra.api.Require;

/**
 * A range of addresses in the form of RFC 4632 and RFC 4291, such as {@code 10.0.0.0/8}.
 *
 * @param first first address
 * @param bits how many leading bits addresses of the range share
 */
record AddressRange(InetAddress first, int bits) {
    private static final int BYTE = 8;

    /**
     * Reads a range.
     *
     * @throws palyra.api.PalyraException INVALID_ARGUMENT naming the text and what it must be
     */
    static AddressRange parse(String text) {
        int slash = text.indexOf('/');
        Optional<InetAddress> first =
                slash < 0 ? Optional.empty() : address(text.substring(0, slash));
        String length = text.substring(slash + 1);
        Require.that(
                first.isPresent()
                        && length.matches("[0-9]{1,3}")
                        && Integer.parseInt(length) <= first.get().getAddress().length * BYTE,
                EgressConfiguration.PID
                        + ": allowPrivateRanges has '"
                        + DisplayText.text(text)
                        + "'; use ADDRESS/BITS, such as 10.0.0.0/8");
        AddressRange range = new AddressRange(first.get(), Integer.parseInt(length));
        Require.that(
                Arrays.equals(range.masked(first.get()), first.get().getAddress()),
                EgressConfiguration.PID
                        + ": allowPrivateRanges has '"
                        + DisplayText.text(text)
                        + "', whose address has bits beyond its length; begin the range with its"
                        + " first address");
        return range;
    }

    private static Optional<InetAddress> address(String text) {
        return IpLiterals.v4(text).or(() -> IpLiterals.v6(text));
    }

    boolean contains(InetAddress address) {
        return address.getAddress().length == first.getAddress().length
                && Arrays.equals(masked(address), first.getAddress());
    }

    private byte[] masked(InetAddress address) {
        byte[] bytes = address.getAddress();
        for (int at = 0; at < bytes.length; at++) {
            int kept = Math.max(0, Math.min(BYTE, bits - at * BYTE));
            bytes[at] &= (byte) (0xff << (BYTE - kept));
        }
        return bytes;
    }
}
