package palyra.sandbox.internal.egress;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;
import palyra.api.ErrorCode;
import palyra.api.core.egress.EgressClient;
import palyra.api.core.egress.EgressRequest;
import palyra.api.core.egress.EgressResponse;

/** Sends requests and follows redirects, each of which is decided on again. Thread-safe. */
final class Sender implements EgressClient {
    private final HttpExchange exchange;
    private final OutboundConnections outboundConnections;
    private final Supplier<Tls> tls;

    Sender(OutboundConnections outboundConnections, DeadlineWatchdog watchdog, Supplier<Tls> tls) {
        this.exchange = new HttpExchange(outboundConnections, watchdog);
        this.outboundConnections = outboundConnections;
        this.tls = tls;
    }

    @Override
    public EgressResponse send(EgressRequest request) {
        try {
            return follow(request, url(request));
        } catch (RefusedException e) {
            throw e.forCaller(request.who());
        }
    }

    private WebUrl url(EgressRequest request) {
        try {
            return WebUrl.parse(request.url());
        } catch (RefusedException e) {
            outboundConnections.counts().refused(e.reason());
            throw e;
        }
    }

    private EgressResponse follow(EgressRequest request, WebUrl first) {
        RequestFields fields = RequestFields.of(request.headers(), request.secretHeaders());
        long endNanos = Deadline.after(request.limits().totalMillis());
        WebUrl url = first;
        String method = request.method();
        byte[] body = request.body();
        boolean home = true;
        for (int followed = 0; ; followed++) {
            requirePort(request, url, method);
            HttpExchange.Response response =
                    exchange.send(
                            new HttpExchange.Order(
                                    request.who(),
                                    method,
                                    url,
                                    fields.to(home, body.length > 0),
                                    body,
                                    request.limits(),
                                    endNanos),
                            tls.get());
            Optional<Redirect> next = redirect(request, url, method, response);
            if (next.isEmpty()) {
                return response(request, url, response, endNanos);
            }
            response.close();
            allow(request, url, next.get(), followed, body.length > 0);
            home = home && next.get().url().origin().equals(first.origin());
            url = next.get().url();
            method = next.get().method();
            body = next.get().keepsBody() ? body : new byte[0];
        }
    }

    private void requirePort(EgressRequest request, WebUrl url, String method) {
        if (!request.limits().ports().isEmpty() && !request.limits().ports().contains(url.port())) {
            throw outboundConnections.refused(
                    connectionRequest(request, url, method),
                    RefusedException.denied(
                            Reason.PORT,
                            "Port "
                                    + url.port()
                                    + " of "
                                    + url.host()
                                    + " is not allowed; allowed ports: "
                                    + request.limits().ports()
                                    + "."));
        }
    }

    private static ConnectionRequest connectionRequest(
            EgressRequest request, WebUrl url, String method) {
        return new ConnectionRequest(
                request.who(), url.host(), url.port(), method, request.limits().maxBytes());
    }

    private Optional<Redirect> redirect(
            EgressRequest request, WebUrl url, String method, HttpExchange.Response response) {
        if (request.limits().maxRedirects() == 0) {
            return Optional.empty();
        }
        try {
            return Redirect.of(url, method, response.status(), response.head());
        } catch (MalformedException e) {
            response.close();
            throw new RefusedException(
                    Reason.REDIRECT,
                    ErrorCode.TOOL_UNAVAILABLE,
                    url.host() + " redirects to several places at once.",
                    e);
        } catch (RefusedException e) {
            response.close();
            outboundConnections.counts().refused(e.reason());
            throw e;
        }
    }

    private void allow(
            EgressRequest request, WebUrl from, Redirect next, int followed, boolean hasBody) {
        ConnectionRequest connectionRequest = connectionRequest(request, next.url(), next.method());
        if (followed >= request.limits().maxRedirects()) {
            throw outboundConnections.refused(
                    connectionRequest,
                    new RefusedException(
                            Reason.LIMIT,
                            ErrorCode.RESOURCE_EXHAUSTED,
                            "There were more than "
                                    + request.limits().maxRedirects()
                                    + " redirects, the last to "
                                    + next.url().host()
                                    + "."));
        }
        next.refusal(from, hasBody)
                .ifPresent(
                        why -> {
                            throw outboundConnections.refused(
                                    connectionRequest,
                                    RefusedException.denied(
                                            Reason.REDIRECT,
                                            "The redirect from "
                                                    + from.host()
                                                    + " to "
                                                    + next.url().host()
                                                    + " "
                                                    + why
                                                    + "; it is not followed."));
                        });
    }

    private EgressResponse response(
            EgressRequest request, WebUrl url, HttpExchange.Response response, long endNanos) {
        boolean gzip = isGzip(response) && !(response.framing() instanceof Framing.None);
        if (!gzip
                && response.framing() instanceof Framing.Length length
                && length.bytes() > request.limits().maxBytes()) {
            response.timer().close();
            response.connection().cut("the response is larger than requested");
            outboundConnections.counts().refused(Reason.LIMIT);
            throw new RefusedException(
                    Reason.LIMIT,
                    ErrorCode.RESOURCE_EXHAUSTED,
                    "The response of "
                            + url.host()
                            + " has "
                            + length.bytes()
                            + " bytes; at most "
                            + request.limits().maxBytes()
                            + " were requested.");
        }
        return new EgressResponse(
                response.status(),
                headers(response.head(), gzip),
                url.text(),
                IpLiterals.text(response.connection().address()),
                new ResponseBody(response, request.limits(), endNanos, gzip));
    }

    private static boolean isGzip(HttpExchange.Response response) {
        List<String> codings = response.head().all("content-encoding");
        return codings.size() == 1
                && List.of("gzip", "x-gzip").contains(codings.get(0).toLowerCase(Locale.ROOT));
    }

    private static Map<String, List<String>> headers(Head head, boolean decoded) {
        Map<String, List<String>> headers = new TreeMap<>();
        for (Head.Field field : head.fields()) {
            headers.computeIfAbsent(
                            field.name().toLowerCase(Locale.ROOT), name -> new ArrayList<>())
                    .add(field.value());
        }
        if (decoded) {
            headers.remove("content-encoding");
            headers.remove("content-length");
        }
        headers.replaceAll((name, values) -> List.copyOf(values));
        return headers;
    }
}
