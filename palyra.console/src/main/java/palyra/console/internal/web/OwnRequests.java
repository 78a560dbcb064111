package palyra.console.internal.web;

import jakarta.servlet.http.HttpServletRequest;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.console.internal.session.Viewer;

/** Tells changes that pages of the console send from those of other pages. */
final class OwnRequests {
    /** Header with the session's token, of requests by a script and of what answers them. */
    static final String TOKEN = "X-Palyra-Csrf";

    private OwnRequests() {}

    /** Browsers name the page that sends a request; another one's is refused. */
    static void requireSameOrigin(HttpServletRequest request, String own) {
        String site = request.getHeader("Sec-Fetch-Site");
        String origin = request.getHeader("Origin");
        boolean same =
                (site == null || site.equals("same-origin"))
                        && origin != null
                        && origin.equals(own);
        if (!same) {
            throw new PalyraException(
                    ErrorCode.DENIED,
                    "The request was sent by a page of another origin ("
                            + (origin == null ? "none named" : origin)
                            + "); only the console's own pages may change something.");
        }
    }

    /** Returns whether a request carries the token of the session that came with it. */
    static boolean hasToken(Exchange exchange, Viewer viewer) {
        String header = exchange.request().getHeader(TOKEN);
        String sent = header == null ? exchange.parameter("csrf") : header;
        return MessageDigest.isEqual(
                sent.getBytes(StandardCharsets.UTF_8),
                viewer.csrf().getBytes(StandardCharsets.UTF_8));
    }
}
