package palyra.sandbox.internal.egress;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.Set;

/**
 * What a redirect asks for (RFC 9110, section 15.4). Pure.
 *
 * @param url where to
 * @param method method to use there
 * @param keepsBody whether the body goes along
 */
record Redirect(WebUrl url, String method, boolean keepsBody) {
    private static final Set<Integer> STATUSES = Set.of(301, 302, 303, 307, 308);

    /**
     * Returns the redirect of a response; empty when the response is not a redirect.
     *
     * @param method method of the request that it answers
     * @throws RefusedException when its target is not usable
     */
    static Optional<Redirect> of(WebUrl from, String method, int status, Head head)
            throws MalformedException {
        if (!STATUSES.contains(status)) {
            return Optional.empty();
        }
        String location = head.only("location");
        if (location.isEmpty()) {
            return Optional.empty();
        }
        boolean keeps = status == 307 || status == 308 || Set.of("GET", "HEAD").contains(method);
        boolean toGet = !keeps && (status == 303 || method.equals("POST"));
        return Optional.of(
                new Redirect(from.resolve(utf8(location)), toGet ? "GET" : method, !toGet));
    }

    private static String utf8(String latin) {
        return new String(latin.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
    }

    /** Returns whether following it from {@code from} would give up what was protected there. */
    Optional<String> refusal(WebUrl from, boolean hasBody) {
        if (from.secure() && !url.secure()) {
            return Optional.of("leads from https to http");
        }
        if (hasBody && keepsBody && !url.origin().equals(from.origin())) {
            return Optional.of("would carry the body of the request to another origin");
        }
        return Optional.empty();
    }
}
