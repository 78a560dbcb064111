package palyra.testing.discord;

import java.nio.charset.StandardCharsets;
import java.util.List;
import palyra.testing.http.FaultServer;
import palyra.testing.http.FaultyApi.Fault;
import palyra.testing.http.FaultyApi.Reply;

/** How calls of Discord go wrong, beside what {@link Fault} has for any service. */
public final class Faults {
    private static final String DOWN = "upstream connect error or disconnect/reset before headers";

    private Faults() {}

    /** Nothing is done: too many calls of this kind. */
    public static Fault rateLimited(long millis) {
        return limited(millis, false);
    }

    /** Nothing is done: too many calls of any kind. */
    public static Fault globallyRateLimited(long millis) {
        return limited(millis, true);
    }

    /** Nothing is done: too many calls by all bots to this channel or guild together. */
    public static Fault sharedLimit(long millis) {
        Reply reply = RateLimits.refused(Math.max(1, millis) / 1e3, false, List.of());
        return Fault.answering(
                429,
                reply.json().replace("You are", "The resource is"),
                reply.headers().stream()
                        .map(header -> header.replace("Scope: user", "Scope: shared"))
                        .toArray(String[]::new));
    }

    private static Fault limited(long millis, boolean global) {
        Reply reply = RateLimits.refused(Math.max(1, millis) / 1e3, global, List.of());
        return Fault.answering(
                reply.status(), reply.json(), reply.headers().toArray(String[]::new));
    }

    /** Nothing is done: this address called too often with errors, and the front keeps it out. */
    public static Fault banned() {
        return (exchange, act) ->
                exchange.answer(429, "text/plain", "error code: 1015", "Retry-After: 600");
    }

    /** Nothing is done, and the front says so. */
    public static Fault unavailable() {
        return (exchange, act) -> exchange.answer(503, "text/plain", DOWN);
    }

    /** It is done, but the answer is lost behind the front. */
    public static Fault unavailableAfter() {
        return (exchange, act) -> {
            act.run();
            exchange.answer(502, "text/html", "<html><title>502 Bad Gateway</title></html>");
        };
    }

    /** Nothing is done: a proxy before Discord takes no body of this size. */
    public static Fault tooLarge() {
        return Fault.answering(413, "{\"message\":\"Request entity too large\",\"code\":40005}");
    }

    /** A file that does not end, of which no size is told. */
    public static FaultServer.Scene endless() {
        return exchange -> {
            exchange.raw(
                    "HTTP/1.1 200 As Told\r\nContent-Type: text/plain\r\nConnection: close\r\n\r\n"
                            .getBytes(StandardCharsets.US_ASCII));
            byte[] some = new byte[8_192];
            while (true) {
                exchange.raw(some); // until the client leaves
            }
        };
    }

    /** It is done, and answered some time later. */
    public static Fault slow(long millis) {
        return (exchange, act) -> {
            Reply reply = act.run();
            Thread.sleep(millis);
            reply.send(exchange);
        };
    }
}
