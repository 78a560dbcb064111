package palyra.skills.internal.host;

import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * A host of a manifest: {@code name}, {@code name:port} or {@code *.name}. Without a port it means
 * 80 and 443. {@code *.example.com} fits {@code a.example.com} and never {@code example.com}.
 *
 * @param suffix {@code .example.com} for a wildcard, else empty
 * @param host the name of one without a wildcard, lower case
 * @param ports ports that it means
 */
record HostPattern(String suffix, String host, Set<Integer> ports) {
    private static final Set<Integer> WEB = Set.of(80, 443);

    static HostPattern of(String text) {
        String lower = text.toLowerCase(Locale.ROOT);
        int colon = lower.endsWith("]") ? -1 : lower.lastIndexOf(':');
        boolean hasPort = colon > 0 && lower.substring(colon + 1).matches("[0-9]{1,5}");
        String name = hasPort ? lower.substring(0, colon) : lower;
        Set<Integer> ports = hasPort ? Set.of(Integer.parseInt(lower.substring(colon + 1))) : WEB;
        return name.startsWith("*.")
                ? new HostPattern(name.substring(1), "", ports)
                : new HostPattern("", name, ports);
    }

    boolean fits(String candidate, int port) {
        if (!ports.contains(port)) {
            return false;
        }
        if (suffix.isEmpty()) {
            return candidate.equals(host);
        }
        return suffix.indexOf('.', 1) > 0
                && candidate.length() > suffix.length()
                && candidate.endsWith(suffix);
    }

    static boolean anyFits(List<String> patterns, String host, int port) {
        return patterns.stream().map(HostPattern::of).anyMatch(each -> each.fits(host, port));
    }
}
