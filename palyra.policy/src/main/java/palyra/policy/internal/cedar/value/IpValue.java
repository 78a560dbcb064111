package palyra.policy.internal.cedar.value;

/**
 * An address or a range of addresses. A range keeps the address it was written with, so {@code
 * 10.0.0.1/8} and {@code 10.0.0.0/8} are different values that cover the same addresses.
 *
 * @param v4 whether the address has 32 bits; it is then in the lowest bits of {@code low}
 * @param high the upper 64 bits of an IPv6 address
 * @param low the lower 64 bits
 * @param prefix how many leading bits are fixed: 0 to 32, or 0 to 128
 */
public record IpValue(boolean v4, long high, long low, int prefix) implements ExtensionValue {
    static final String NAME = "ipaddr";

    /**
     * @throws EvaluationException if the text is neither an address nor a range
     */
    public static IpValue parse(String text) {
        return IpText.parse(text);
    }

    /** 127.0.0.0/8 and everything in it; ::1. */
    public boolean isLoopback() {
        return v4 ? low >>> 24 == 127 && prefix >= 8 : high == 0 && low == 1 && prefix == 128;
    }

    /** 224.0.0.0/4 and ff00::/8 and everything in them. */
    public boolean isMulticast() {
        return v4 ? low >>> 28 == 0xE && prefix >= 4 : high >>> 56 == 0xFF && prefix >= 8;
    }

    /** True if the other range contains every address of this one; false for the other family. */
    public boolean isInRange(IpValue other) {
        if (v4 != other.v4 || prefix < other.prefix) {
            return false;
        }
        if (v4) {
            return same(low << 32, other.low << 32, other.prefix);
        }
        return same(high, other.high, Math.min(other.prefix, 64))
                && same(low, other.low, Math.max(other.prefix - 64, 0));
    }

    /** True if the first {@code bits} bits are equal. */
    private static boolean same(long left, long right, int bits) {
        return bits == 0 || (left ^ right) >>> (64 - bits) == 0;
    }

    @Override
    public String typeName() {
        return NAME;
    }

    @Override
    public String toString() {
        return "ip(\"" + IpText.write(this) + "\")";
    }
}
