package palyra.console.internal.web;

import palyra.api.ErrorCode;
import palyra.api.PalyraException;

/**
 * Refuses a form that the server would not read, before it is tried: what a caller without a
 * session sends shall not become a line of the log.
 */
final class FormBound {
    /** As much as the server reads of a form. */
    static final long MOST_BYTES = 200_000;

    private FormBound() {}

    static void require(Exchange exchange) {
        if (exchange.request().getHeader("Transfer-Encoding") != null) {
            throw new PalyraException(
                    ErrorCode.INVALID_ARGUMENT,
                    "The request does not say how long it is; send it with a Content-Length.");
        }
        long length = exchange.request().getContentLengthLong();
        if (length > MOST_BYTES) {
            throw new PalyraException(
                    ErrorCode.INVALID_ARGUMENT,
                    "The form has "
                            + length
                            + " bytes; at most "
                            + MOST_BYTES
                            + " are taken. For longer texts use the command of the same name.");
        }
    }
}
