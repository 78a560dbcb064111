package palyra.console.internal.session;

import jakarta.servlet.http.HttpServletRequest;
import java.util.Enumeration;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;
import palyra.api.Require;
import palyra.api.core.access.SignInClient;

/**
 * Which origin a request is for, and where it comes from. The host that a request names counts only
 * when it is localhost, an address in digits, or one of the public URLs: a page whose own name
 * leads here (DNS rebinding) is refused. Thread-safe.
 */
public final class Origins {
    private static final String NUMBERS = "[0-9.]+(:[0-9]+)?|\\[[0-9a-f:.]+](:[0-9]+)?";
    private static final String LOCAL = "localhost(:[0-9]+)?";

    private final Supplier<ConsoleSettings> settings;

    /** Creates it over the settings of the moment. */
    public Origins(Supplier<ConsoleSettings> settings) {
        this.settings = settings;
    }

    /** Returns the origin of the console's pages for this request; empty for a host not known. */
    public Optional<String> of(HttpServletRequest request) {
        String host = Require.orEmpty(request.getHeader("Host")).toLowerCase(Locale.ROOT);
        String proxied = "https://" + host;
        if (settings.get().publicOrigins().contains(proxied)) {
            return Optional.of(proxied);
        }
        boolean own = host.matches(NUMBERS) || host.matches(LOCAL);
        return own
                ? Optional.of((request.isSecure() ? "https://" : "http://") + host)
                : Optional.empty();
    }

    /** Returns where a person signs in from. */
    public SignInClient client(HttpServletRequest request) {
        return new SignInClient(
                address(request),
                Browsers.name(Require.orEmpty(request.getHeader("User-Agent"))),
                of(request).orElse(""),
                Cookies.find(request, Cookies.DEVICE).orElse(""));
    }

    /**
     * Only a proxy that is trusted may say for whom it asks, and only in its own entry: the last of
     * the last line, for a proxy may add a line of its own below the one that it was sent.
     */
    private String address(HttpServletRequest request) {
        String remote = request.getRemoteAddr();
        if (!settings.get().trustedProxies().contains(remote)) {
            return remote;
        }
        String forwarded = "";
        Enumeration<String> lines = request.getHeaders("X-Forwarded-For");
        while (lines != null && lines.hasMoreElements()) {
            forwarded = lines.nextElement();
        }
        String last = forwarded.substring(forwarded.lastIndexOf(',') + 1).strip();
        return last.matches("[0-9A-Fa-f.:]{2,45}") ? last : remote;
    }
}
