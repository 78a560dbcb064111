package palyra.api.core.egress;

import java.io.InputStream;
import java.util.List;
import java.util.Map;
import palyra.api.Require;

/**
 * The answer to a request. Close it.
 *
 * @param status HTTP status code
 * @param headers headers, names in lower case
 * @param url where it finally came from
 * @param address IP address that was connected to
 * @param body body, decoded; reading beyond the request's limits throws an {@code IOException} that
 *     says so
 */
public record EgressResponse(
        int status, Map<String, List<String>> headers, String url, String address, InputStream body)
        implements AutoCloseable {
    /** Checks and copies. */
    public EgressResponse {
        headers = Map.copyOf(headers);
        Require.text(url, "URL");
        Require.present(body, "body");
    }

    @Override
    public void close() {
        try {
            body.close();
        } catch (java.io.IOException e) {
            // it is being thrown away
        }
    }
}
