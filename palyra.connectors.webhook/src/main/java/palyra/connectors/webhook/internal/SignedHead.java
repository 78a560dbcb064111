package palyra.connectors.webhook.internal;

import jakarta.servlet.http.HttpServletRequest;

/**
 * What the head of a request says about its signature.
 *
 * @param id id of the message
 * @param seconds unix time of the attempt
 * @param signatures one or more, with spaces between
 */
record SignedHead(String id, long seconds, String signatures) {
    static final String ID = "webhook-id";
    static final String TIMESTAMP = "webhook-timestamp";
    static final String SIGNATURE = "webhook-signature";

    /** Reads it; refuses one that no body can make valid. */
    static SignedHead of(HttpServletRequest request, long nowSeconds, int windowSeconds) {
        String id = request.getHeader(ID);
        String timestamp = request.getHeader(TIMESTAMP);
        String signatures = request.getHeader(SIGNATURE);
        boolean usable =
                id != null
                        && id.matches("[!-~&&[^.]]{1,128}")
                        && timestamp != null
                        && timestamp.matches("[1-9][0-9]{0,11}")
                        && signatures != null
                        && signatures.startsWith("v1");
        if (!usable) {
            throw new RefusedException(Answer.unauthenticated("unsigned"));
        }
        long seconds = Long.parseLong(timestamp);
        if (Math.abs(nowSeconds - seconds) > windowSeconds) {
            throw new RefusedException(Answer.unauthenticated("stale"));
        }
        return new SignedHead(id, seconds, signatures);
    }
}
