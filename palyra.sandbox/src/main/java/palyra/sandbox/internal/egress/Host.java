package palyra.sandbox.internal.egress;

import java.net.InetAddress;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A host in the one form in which it is compared, asked about, looked up and recorded: a name in
 * lower-case ASCII without a final dot, or an address in canonical text. Pure; two spellings of one
 * host are equal.
 */
final class Host {
    private static final int LONGEST_NAME = 253;
    private static final Pattern LABEL = Pattern.compile("[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?");

    private final String text;
    private final InetAddress address; // null for a name

    private Host(String text, InetAddress address) {
        this.text = text;
        this.address = address;
    }

    /**
     * Reads a host as written in a URL: a name, an IPv4 address, or an IPv6 address in brackets.
     *
     * @throws RefusedException when it is no host, or could be understood in two ways
     */
    static Host parse(String given) {
        if (given.startsWith("[") && given.endsWith("]")) {
            return IpLiterals.v6(given.substring(1, given.length() - 1))
                    .map(Host::of)
                    .orElseThrow(() -> unusable(given, "is not an IPv6 address"));
        }
        String name = given.endsWith(".") ? given.substring(0, given.length() - 1) : given;
        if (IpLiterals.looksLikeV4(name)) {
            return IpLiterals.v4(name).map(Host::of).orElseThrow(() -> oddAddress(given));
        }
        return new Host(name(name, given), null);
    }

    /** Returns the host that an address is. */
    static Host of(InetAddress address) {
        return new Host(IpLiterals.text(address), address);
    }

    private static String name(String name, String given) {
        String ascii =
                Arrays.stream(name.split("\\.", -1))
                        .map(label -> label(label, given))
                        .collect(Collectors.joining("."));
        if (ascii.length() > LONGEST_NAME) {
            throw unusable(given, "is longer than 253 characters");
        }
        if (IpLiterals.looksLikeV4(ascii)) {
            throw oddAddress(given);
        }
        return ascii;
    }

    private static String label(String label, String given) {
        String ascii = IdnLabel.ascii(label.toLowerCase(Locale.ROOT));
        boolean reserved = ascii.startsWith("--", 2) && !ascii.startsWith("xn--");
        if (!LABEL.matcher(ascii).matches() || reserved) {
            throw unusable(given, "is not a host name");
        }
        return ascii;
    }

    private static RefusedException unusable(String given, String why) {
        return RefusedException.unusable(
                Reason.HOST,
                "'"
                        + DisplayText.text(given)
                        + "' "
                        + why
                        + "; give a name such as api.example.com.");
    }

    private static RefusedException oddAddress(String given) {
        return RefusedException.denied(
                Reason.HOST,
                "'"
                        + DisplayText.text(given)
                        + "' is an ambiguous address; write four decimal numbers.");
    }

    /** Returns the address that the host is written as; empty for a name. */
    Optional<InetAddress> address() {
        return Optional.ofNullable(address);
    }

    /** Returns the canonical text, without brackets. */
    String text() {
        return text;
    }

    /** Returns the text as written in URLs and {@code Host} fields. */
    String inUrl() {
        return text.indexOf(':') >= 0 ? "[" + text + "]" : text;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Host host && host.text.equals(text);
    }

    @Override
    public int hashCode() {
        return text.hashCode();
    }

    @Override
    public String toString() {
        return text;
    }
}
