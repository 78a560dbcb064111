package palyra.shared.net;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/** Classifies host names and addresses without a name server. */
public final class Addresses {
    private static final Pattern IPV4 = Pattern.compile("\\d{1,3}(\\.\\d{1,3}){3}");
    private static final Pattern IPV6 = Pattern.compile("[0-9a-f:.]*:[0-9a-f:.]*(%[a-z0-9._-]+)?");
    private static final Pattern PORT = Pattern.compile(":\\d{1,5}$");
    private static final String LOCALHOST = "localhost";

    private Addresses() {}

    /** Returns whether a host name or numeric address is a loopback one. */
    public static boolean isLoopback(String host) {
        String plain = plain(host);
        return plain.equals(LOCALHOST)
                || plain.endsWith("." + LOCALHOST)
                || literal(plain).map(InetAddress::isLoopbackAddress).orElse(false);
    }

    /** Returns whether two texts are the same numeric address. */
    public static boolean sameAddress(String one, String other) {
        Optional<InetAddress> first = literal(plain(one));
        return first.isPresent() && first.equals(literal(plain(other)));
    }

    /** Returns the host of a {@code Host} header: without port, brackets and final dot. */
    public static String hostOf(String header) {
        String host = header.strip().toLowerCase(Locale.ROOT);
        return plain(
                host.startsWith("[") || host.indexOf(':') == host.lastIndexOf(':')
                        ? PORT.matcher(host).replaceFirst("")
                        : host);
    }

    private static String plain(String host) {
        String lower = host == null ? "" : host.strip().toLowerCase(Locale.ROOT);
        boolean bracketed = lower.startsWith("[") && lower.endsWith("]");
        String bare = bracketed ? lower.substring(1, lower.length() - 1) : lower;
        return bare.endsWith(".") ? bare.substring(0, bare.length() - 1) : bare;
    }

    /** Parses numeric addresses only, so no name is ever looked up. */
    private static Optional<InetAddress> literal(String plain) {
        if (!IPV4.matcher(plain).matches() && !IPV6.matcher(plain).matches()) {
            return Optional.empty();
        }
        try {
            return Optional.of(InetAddress.getByName(plain));
        } catch (UnknownHostException e) {
            return Optional.empty();
        }
    }
}
