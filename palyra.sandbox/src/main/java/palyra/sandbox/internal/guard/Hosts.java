package palyra.sandbox.internal.guard;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import palyra.sandbox.internal.guard.GuardRule.Column;

/**
 * Hosts and ports that a command names. Collected as they are written, in lower case: whether such
 * a host may be reached, and what an address like {@code 2130706433} means, is for the egress
 * layer.
 */
final class Hosts {
    private static final int MAX_HOST = 255;
    private static final Pattern URL =
            Pattern.compile(
                    "(?i)(?<scheme>[a-z][a-z0-9+.-]*)://(?:(?<user>[^/?#\\\\\\s]*)@)?"
                            + "(?<host>\\[[0-9a-f:.%a-z]*\\]|[^/?#:@\\\\\\s,\\[\\]{}]+)"
                            + "(?::(?<port>[0-9]{1,5}))?(?<rest>(?s).*)");
    private static final Pattern REMOTE = // user@host:path of ssh, scp, rsync and git
            Pattern.compile(
                    "(?i)[a-z0-9_][a-z0-9_.+-]*@(?<host>[a-z0-9][a-z0-9._-]*|\\[[0-9a-f:.]+\\])"
                            + ":(?s:.*)");
    private static final Pattern HOST_PORT =
            Pattern.compile(
                    "(?i)(?:[a-z0-9_.+-]+@)?(?<host>localhost|\\[[0-9a-f:.]+\\]"
                            + "|[a-z0-9_](?:[a-z0-9_-]*[a-z0-9])?(?:\\.[a-z0-9_-]+)+\\.?)"
                            + ":(?<port>[0-9]{1,5})(?:/.*)?");
    private static final Pattern ASKED =
            Pattern.compile(
                    "(?i)(?<host>[^\\s/\\\\:@\\[\\]?#]{1,253}|\\[[0-9a-f:.]{2,45}\\]"
                            + "|[0-9a-f]*:[0-9a-f:.]{1,45})(?::(?<port>[0-9]{1,5}))?");

    private final Set<String> hosts = new TreeSet<>();
    private final Set<Integer> ports = new TreeSet<>();

    Set<String> hosts() {
        return hosts;
    }

    Set<Integer> ports() {
        return ports;
    }

    /** Takes {@code HOST} or {@code HOST:PORT} as a caller asks for it. */
    void addRequested(String text) throws Refusal {
        Matcher matcher = ASKED.matcher(text);
        if (!matcher.matches() || !add(matcher.group("host"), matcher.group("port"), 0)) {
            throw new Refusal(
                    "sandbox.host_invalid",
                    "'"
                            + Refusal.shown(text)
                            + "' is not a host; send HOST or HOST:PORT, such as"
                            + " example.com:443.");
        }
    }

    /**
     * Takes a URL of a network scheme. Returns whether the text is one: then nothing in it is a
     * path of this host. {@code file:} and unknown schemes are not network schemes.
     */
    boolean url(String text) {
        Matcher matcher = URL.matcher(text);
        if (!matcher.matches()) {
            return false;
        }
        String scheme = matcher.group("scheme").toLowerCase(Locale.ROOT);
        String transport = scheme.substring(scheme.lastIndexOf('+') + 1); // git+ssh
        String carrier = scheme.contains("+") ? scheme.substring(0, scheme.indexOf('+')) : scheme;
        Optional<String> port =
                GuardRule.word(Set.of(transport), Column.SCHEME_PORT)
                        .or(() -> GuardRule.word(Set.of(carrier), Column.SCHEME_PORT));
        return port.isPresent()
                && !transport.equals("file")
                && add(matcher.group("host"), matcher.group("port"), Integer.parseInt(port.get()));
    }

    /** Takes {@code user@host:path}; returns whether the text is that. */
    boolean remote(String text) {
        Matcher matcher = REMOTE.matcher(text);
        return matcher.matches() && add(matcher.group("host"), null, 22);
    }

    /** Takes {@code host:path} for programs that know it; returns whether the text is that. */
    boolean remoteOf(String text) {
        int colon = text.indexOf(':');
        boolean host = colon > 1 && text.substring(0, colon).matches("[A-Za-z0-9][A-Za-z0-9._-]+");
        return host && add(text.substring(0, colon), null, 22);
    }

    /** Takes {@code host:port}, where the host has a dot, is an address or {@code localhost}. */
    void hostAndPort(String text) {
        Matcher matcher = HOST_PORT.matcher(text);
        if (text.length() <= MAX_HOST + 80 && matcher.matches()) {
            add(matcher.group("host"), matcher.group("port"), 0);
        }
    }

    /** Takes an operand of a program whose operands are hosts or URLs without a scheme. */
    void operand(String text, int port) {
        int end = 0;
        while (end < text.length() && "/?#".indexOf(text.charAt(end)) < 0) {
            end++;
        }
        String authority = text.substring(text.lastIndexOf('@', Math.max(end - 1, 0)) + 1, end);
        Matcher matcher = ASKED.matcher(authority);
        if (matcher.matches()) {
            add(matcher.group("host"), matcher.group("port"), port);
        }
    }

    /** Takes a port without a host. */
    void port(int number) {
        if (number > 0 && number <= 65_535) {
            ports.add(number);
        }
    }

    private boolean add(String host, String port, int usual) {
        if (host.length() > MAX_HOST) {
            return false; // no name of the DNS is longer, RFC 1035
        }
        int number = port == null ? usual : Integer.parseInt(port);
        String plain = plain(host);
        if (plain.isEmpty() || number > 65_535) {
            return false;
        }
        hosts.add(plain);
        if (number > 0) {
            ports.add(number);
        }
        return true;
    }

    /** Without brackets, final dot and percent-encoding, in lower case. */
    private static String plain(String host) {
        String plain = host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
        if (plain.matches("(?s).*%[0-9A-Fa-f]{2}.*")
                && plain.matches("[^%]*(?:%[0-9A-Fa-f]{2}[^%]*)*")) {
            plain = URLDecoder.decode(plain.replace("+", "%2B"), StandardCharsets.UTF_8);
        }
        plain = plain.endsWith(".") ? plain.substring(0, plain.length() - 1) : plain;
        return plain.toLowerCase(Locale.ROOT);
    }
}
