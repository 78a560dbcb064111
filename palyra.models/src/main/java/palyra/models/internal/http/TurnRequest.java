package palyra.models.internal.http;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import palyra.api.core.egress.EgressContext;
import palyra.api.core.egress.EgressRequest;
import palyra.api.core.egress.EgressRequest.EgressLimits;
import palyra.api.model.ModelRequest;

/**
 * Builds the egress request of a turn, on behalf of the caller, without redirects. Its time limits
 * are longer than those of the turn's own clock. Pure functions.
 */
final class TurnRequest {
    private static final long MAX_BODY_BYTES = 128L * 1_024 * 1_024;

    /** How much longer the egress time limits are than those of the turn's clock. */
    private static final int BEHIND_MILLIS = 10_000;

    private TurnRequest() {}

    /** Returns the request; without a key it has no secret header. */
    static EgressRequest of(HttpTurn.Setup setup, ModelRequest request, String key, byte[] body) {
        Endpoint endpoint = setup.endpoint();
        Map<String, String> headers = new HashMap<>(endpoint.headers());
        headers.putAll(setup.dialect().headers());
        headers.put("Content-Type", "application/json");
        headers.put("Accept", "text/event-stream, application/json");
        headers.put("Accept-Encoding", "identity");
        Endpoint.Times times = endpoint.times();
        int silence =
                times.connect()
                        + Math.max(times.firstToken(), times.betweenTokens())
                        + BEHIND_MILLIS;
        return new EgressRequest(
                circumstances(request),
                "POST",
                endpoint.baseUrl() + setup.dialect().path(),
                headers,
                key.isEmpty() ? Map.of() : setup.dialect().keyHeaders(key),
                body,
                new EgressLimits(
                        times.connect(), silence, 0, silence, MAX_BODY_BYTES, 0, Set.of()));
    }

    private static EgressContext circumstances(ModelRequest request) {
        String caller = request.caller().principal();
        return new EgressContext(
                caller.isBlank() ? ModelKeys.PRINCIPAL : caller,
                request.caller().groups(),
                request.caller().agentId(),
                request.runId(),
                "",
                ModelKeys.PURPOSE);
    }
}
