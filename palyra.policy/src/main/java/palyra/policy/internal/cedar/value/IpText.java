package palyra.policy.internal.cedar.value;

import java.util.StringJoiner;

/** The text forms of addresses and ranges. */
final class IpText {
    /** The longest form: eight groups of four digits and a prefix of three. */
    private static final int LIMIT_CHARS = 43;

    private static final int GROUPS = 8;

    private IpText() {}

    static IpValue parse(String text) {
        if (text.length() > LIMIT_CHARS) {
            throw refused(
                    "error parsing IP address from string `"
                            + text
                            + "`: string length is too large");
        }
        int slash = text.indexOf('/');
        String address = slash < 0 ? text : text.substring(0, slash);
        IpValue parsed = address.indexOf(':') < 0 ? v4(address) : v6(address);
        if (parsed == null) {
            throw refused("invalid IP address: " + address);
        }
        return slash < 0 ? parsed : withPrefix(parsed, text.substring(slash + 1));
    }

    private static IpValue withPrefix(IpValue address, String digits) {
        boolean form =
                !digits.isEmpty()
                        && digits.length() <= 3
                        && digits.chars().allMatch(c -> c >= '0' && c <= '9')
                        && (digits.length() == 1 || digits.charAt(0) != '0');
        if (!form || Integer.parseInt(digits) > address.prefix()) {
            throw refused("error parsing prefix `" + digits + "`");
        }
        return new IpValue(address.v4(), address.high(), address.low(), Integer.parseInt(digits));
    }

    /** Null if the text is no address of four decimal numbers without leading zeros. */
    private static IpValue v4(String text) {
        String[] parts = text.split("\\.", -1);
        if (parts.length != 4) {
            return null;
        }
        long bits = 0;
        for (String part : parts) {
            int number = number(part, 3, 10);
            if (number < 0 || number > 255 || (part.length() > 1 && part.charAt(0) == '0')) {
                return null;
            }
            bits = bits << 8 | number;
        }
        return new IpValue(true, 0, bits, 32);
    }

    /** Null if the text is no IPv6 address in hexadecimal groups. Embedded IPv4 is not accepted. */
    private static IpValue v6(String text) {
        int gap = text.indexOf("::");
        if (gap < 0) {
            int[] all = groups(text);
            return all == null || all.length != GROUPS ? null : v6(all, new int[0]);
        }
        int[] head = groups(text.substring(0, gap));
        int[] tail = groups(text.substring(gap + 2));
        boolean fits = head != null && tail != null && head.length + tail.length < GROUPS;
        return fits ? v6(head, tail) : null;
    }

    private static IpValue v6(int[] head, int[] tail) {
        long[] halves = new long[2];
        for (int i = 0; i < GROUPS; i++) {
            int fromEnd = i - (GROUPS - tail.length);
            int group = i < head.length ? head[i] : fromEnd >= 0 ? tail[fromEnd] : 0;
            halves[i / 4] = halves[i / 4] << 16 | group;
        }
        return new IpValue(false, halves[0], halves[1], 128);
    }

    /** Null if a group is not one to four hexadecimal digits. No groups for the empty text. */
    private static int[] groups(String text) {
        if (text.isEmpty()) {
            return new int[0];
        }
        String[] parts = text.split(":", -1);
        int[] groups = new int[parts.length];
        for (int i = 0; i < parts.length; i++) {
            groups[i] = number(parts[i], 4, 16);
            if (groups[i] < 0) {
                return null;
            }
        }
        return groups;
    }

    /** Minus one if the text is not one to {@code limit} ASCII digits of the radix. */
    private static int number(String text, int limit, int radix) {
        if (text.isEmpty() || text.length() > limit) {
            return -1;
        }
        int number = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            int digit = c < 128 ? Character.digit(c, radix) : -1;
            if (digit < 0) {
                return -1;
            }
            number = number * radix + digit;
        }
        return number;
    }

    static String write(IpValue ip) {
        if (ip.v4()) {
            long bits = ip.low();
            return "%d.%d.%d.%d/%d"
                    .formatted(
                            bits >>> 24,
                            bits >>> 16 & 255,
                            bits >>> 8 & 255,
                            bits & 255,
                            ip.prefix());
        }
        StringJoiner groups = new StringJoiner(":");
        for (int i = 0; i < GROUPS; i++) {
            long half = i < 4 ? ip.high() : ip.low();
            groups.add(Long.toHexString((half >>> (48 - 16 * (i % 4))) & 0xFFFF));
        }
        return groups + "/" + ip.prefix();
    }

    private static EvaluationException refused(String reason) {
        return EvaluationException.extension(IpValue.NAME, reason);
    }
}
