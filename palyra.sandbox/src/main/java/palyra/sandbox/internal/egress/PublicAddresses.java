package palyra.sandbox.internal.egress;

import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Allows global unicast addresses alone: the IANA special-purpose registries (RFC 6890 and its
 * updates) with multicast and reserved addresses, IPv6 within 2000::/3 without its transition
 * ranges (6to4, Teredo; NAT64's 64:ff9b::/96 is outside), and the platform address of a large
 * cloud. An address of this machine's own interfaces is private however public it looks.
 */
final class PublicAddresses implements AddressRule {
    private static final List<Block> CLOSED =
            Stream.of(
                            "0.0.0.0/8 this network",
                            "10.0.0.0/8 a private network",
                            "100.64.0.0/10 a carrier's network",
                            "127.0.0.0/8 this machine",
                            "168.63.129.16/32 the platform of a cloud",
                            "169.254.0.0/16 a link-local or metadata address",
                            "172.16.0.0/12 a private network",
                            "192.0.0.0/24 reserved for protocols",
                            "192.0.2.0/24 for documentation",
                            "192.88.99.0/24 a 6to4 relay",
                            "192.168.0.0/16 a private network",
                            "198.18.0.0/15 for benchmarks",
                            "198.51.100.0/24 for documentation",
                            "203.0.113.0/24 for documentation",
                            "224.0.0.0/3 multicast or reserved",
                            "2001::/23 reserved for protocols such as Teredo",
                            "2001:db8::/32 for documentation",
                            "2002::/16 6to4",
                            "3fff::/20 for documentation")
                    .map(Block::parse)
                    .toList();
    private static final Block GLOBAL_V6 = Block.parse("2000::/3 global unicast");

    /**
     * Addresses with a common beginning.
     *
     * @param bits how many bits are common
     * @param what what they are, in a few words
     */
    @SuppressWarnings("ArrayRecordComponent") // compared nowhere
    private record Block(byte[] prefix, int bits, String what) {
        static Block parse(String line) {
            int slash = line.indexOf('/');
            int space = line.indexOf(' ');
            try {
                return new Block(
                        InetAddress.getByName(line.substring(0, slash)).getAddress(),
                        Integer.parseInt(line.substring(slash + 1, space)),
                        line.substring(space + 1));
            } catch (UnknownHostException e) {
                throw new IllegalStateException(line, e);
            }
        }

        boolean holds(byte[] address) {
            if (address.length != prefix.length) {
                return false;
            }
            for (int bit = 0; bit < bits; bit++) {
                int mask = 0x80 >> bit % 8;
                if ((address[bit / 8] & mask) != (prefix[bit / 8] & mask)) {
                    return false;
                }
            }
            return true;
        }
    }

    @Override
    public Optional<String> refusal(InetAddress address) {
        byte[] bytes = unmapped(address.getAddress());
        for (Block block : CLOSED) {
            if (block.holds(bytes)) {
                return Optional.of(block.what());
            }
        }
        if (bytes.length == 16 && !GLOBAL_V6.holds(bytes)) {
            return Optional.of("not global unicast");
        }
        return ofThisMachine(address)
                ? Optional.of("an address of this machine")
                : Optional.empty();
    }

    /** {@link InetAddress} turns mapped addresses into what they are; this holds without it too. */
    private static byte[] unmapped(byte[] bytes) {
        if (bytes.length != 16) {
            return bytes;
        }
        for (int i = 0; i < 12; i++) {
            if (bytes[i] != (i < 10 ? 0 : (byte) 0xff)) {
                return bytes;
            }
        }
        return new byte[] {bytes[12], bytes[13], bytes[14], bytes[15]};
    }

    /**
     * Returns whether an address is one of this machine, also when its interfaces cannot be read.
     */
    static boolean ofThisMachine(InetAddress address) {
        if (address.isLoopbackAddress() || address.isAnyLocalAddress()) {
            return true;
        }
        try {
            return NetworkInterface.getByInetAddress(address) != null;
        } catch (SocketException e) {
            return true;
        }
    }
}
