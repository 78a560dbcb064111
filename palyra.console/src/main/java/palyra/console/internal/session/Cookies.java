package palyra.console.internal.session;

import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.Optional;

/** Cookies of the console: for this host alone, for no script, only over TLS or on the loopback. */
final class Cookies {
    /** The session. */
    static final String SESSION = "__Host-palyra";

    /** What lets a browser that signed in before try without waiting for others. */
    static final String DEVICE = "__Host-palyra-device";

    private static final int LONGEST = 512;

    private Cookies() {}

    static void set(HttpServletResponse response, String name, String value, int maxAgeSeconds) {
        Cookie cookie = new Cookie(name, value);
        cookie.setPath("/");
        cookie.setSecure(true);
        cookie.setHttpOnly(true);
        cookie.setMaxAge(maxAgeSeconds);
        cookie.setAttribute("SameSite", "Strict");
        response.addCookie(cookie);
    }

    static Optional<String> find(HttpServletRequest request, String name) {
        if (request.getCookies() != null) {
            for (Cookie cookie : request.getCookies()) {
                boolean usable =
                        !cookie.getValue().isEmpty() && cookie.getValue().length() <= LONGEST;
                if (cookie.getName().equals(name) && usable) {
                    return Optional.of(cookie.getValue());
                }
            }
        }
        return Optional.empty();
    }
}
