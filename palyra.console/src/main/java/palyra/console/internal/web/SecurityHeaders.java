package palyra.console.internal.web;

import jakarta.servlet.http.HttpServletResponse;
import java.security.SecureRandom;
import java.util.Base64;

/** Headers that every response of the console carries. */
final class SecurityHeaders {
    private static final int NONCE_BYTES = 18;
    private static final SecureRandom RANDOM = new SecureRandom();

    private SecurityHeaders() {}

    static String nonce() {
        byte[] bytes = new byte[NONCE_BYTES];
        RANDOM.nextBytes(bytes);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    static void set(HttpServletResponse response, String nonce, boolean secure) {
        response.setHeader(
                "Content-Security-Policy",
                "default-src 'none'; script-src 'nonce-"
                        + nonce
                        + "'; style-src 'self'; img-src 'self' data:; connect-src 'self';"
                        + " form-action 'self'; frame-ancestors 'none'; base-uri 'none';"
                        + " require-trusted-types-for 'script'; trusted-types htmx");
        response.setHeader("X-Content-Type-Options", "nosniff");
        response.setHeader("X-Frame-Options", "DENY");
        // with no-referrer browsers would send forms with the origin null
        response.setHeader("Referrer-Policy", "same-origin");
        response.setHeader("Cross-Origin-Opener-Policy", "same-origin");
        response.setHeader("Cross-Origin-Resource-Policy", "same-origin");
        response.setHeader(
                "Permissions-Policy",
                "camera=(), geolocation=(), microphone=(), payment=(), usb=(),"
                        + " publickey-credentials-get=(self), publickey-credentials-create=(self)");
        if (secure) {
            response.setHeader("Strict-Transport-Security", "max-age=31536000");
        }
    }
}
