package palyra.sandbox.internal.run;

import java.util.List;
import java.util.Locale;
import palyra.api.core.egress.EgressProxies.AllowedHost;

/** Limits and lists as a model reads them. Pure functions. */
public final class LimitText {
    private static final int MOST_CHARACTERS = 200; // of all names of a list
    private static final int MOST_HOSTS = 6;

    private LimitText() {}

    /** Returns a time, such as {@code 120 s}. */
    public static String seconds(long millis) {
        return millis % 1_000 == 0 ? millis / 1_000 + " s" : millis + " ms";
    }

    /** Returns an amount of memory or disk, such as {@code 1.5 GiB}. */
    public static String bytes(long bytes) {
        return bytes >= 1L << 30
                ? String.format(Locale.ROOT, "%.1f GiB", bytes / (double) (1L << 30))
                : (bytes >> 20) + " MiB";
    }

    /** Returns the first of some names, and how many more there are. */
    public static String some(List<String> names, int most) {
        int shown = 0;
        int characters = 0;
        while (shown < Math.min(names.size(), most)
                && characters + names.get(shown).length() <= MOST_CHARACTERS) {
            characters += names.get(shown++).length();
        }
        String told = String.join(", ", names.subList(0, shown));
        int more = names.size() - shown;
        return more == 0 ? told : shown == 0 ? more + " of them" : told + " and " + more + " more";
    }

    /** Returns the hosts that a command reaches without naming them; the port unless it is 443. */
    public static String hosts(List<AllowedHost> hosts) {
        return some(hosts.stream().map(LimitText::shown).toList(), MOST_HOSTS);
    }

    private static String shown(AllowedHost host) {
        return host.port() == 443 ? host.host() : host.host() + ":" + host.port();
    }
}
