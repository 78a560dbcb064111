package palyra.skills.internal.host.fakes;

import java.io.ByteArrayInputStream;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import palyra.api.core.egress.EgressClient;
import palyra.api.core.egress.EgressRequest;
import palyra.api.core.egress.EgressResponse;

/** A way out that answers by itself. */
public final class FakeEgress implements EgressClient {
    /** What was sent, oldest first. */
    public final List<EgressRequest> sent = new CopyOnWriteArrayList<>();

    private volatile Function<EgressRequest, EgressResponse> answer =
            request -> response(200, Map.of("Content-Type", List.of("text/plain")), "hello");

    /** Answers in another way from now on. */
    public void answer(Function<EgressRequest, EgressResponse> other) {
        answer = other;
    }

    /** Returns a response. */
    public static EgressResponse response(
            int status, Map<String, List<String>> headers, String body) {
        return response(status, headers, body.getBytes(java.nio.charset.StandardCharsets.UTF_8));
    }

    /** Returns a response. */
    public static EgressResponse response(
            int status, Map<String, List<String>> headers, byte[] body) {
        return new EgressResponse(
                status, headers, "https://x/", "192.0.2.1", new ByteArrayInputStream(body));
    }

    @Override
    public EgressResponse send(EgressRequest request) {
        sent.add(request);
        return answer.apply(request);
    }
}
