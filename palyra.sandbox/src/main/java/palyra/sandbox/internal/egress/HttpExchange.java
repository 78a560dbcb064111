package palyra.sandbox.internal.egress;

import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import palyra.api.core.egress.EgressContext;
import palyra.api.core.egress.EgressRequest.EgressLimits;

/** One request over one connection, up to the head of its response. */
final class HttpExchange {
    private static final Pattern STATUS = Pattern.compile("HTTP/1\\.[01] ([1-5][0-9]{2})( .*)?");
    private static final int MOST_INTERIM = 16;

    /** What is offered by ALPN to a server of HTTP. */
    static final List<String> HTTP = List.of("http/1.1");

    /** Methods that change nothing at the server (RFC 9110, section 9.2.1). */
    private static final Set<String> HARMLESS = Set.of("GET", "HEAD", "OPTIONS", "TRACE");

    private final OutboundConnections outboundConnections;
    private final DeadlineWatchdog watchdog;

    HttpExchange(OutboundConnections outboundConnections, DeadlineWatchdog watchdog) {
        this.outboundConnections = outboundConnections;
        this.watchdog = watchdog;
    }

    /**
     * What to send.
     *
     * @param fields fields beside {@code Host}, length and {@code Connection}
     * @param endNanos when all must be over, of {@link System#nanoTime}; {@link Long#MAX_VALUE} for
     *     never
     */
    @SuppressWarnings("ArrayRecordComponent") // bytes to be sent
    record Order(
            EgressContext caller,
            String method,
            WebUrl url,
            List<Head.Field> fields,
            byte[] body,
            EgressLimits limits,
            long endNanos) {}

    /** The beginning of a response; its connection is open. */
    record Response(
            OutboundConnection connection,
            DeadlineWatchdog.Timer timer,
            int status,
            Head head,
            Framing framing,
            ConnectionInput in) {
        void close() {
            timer.close();
            connection.close();
        }
    }

    /**
     * Sends and returns when the head of the response is there.
     *
     * @throws RefusedException when it may not or cannot be sent, or is not answered in time
     */
    Response send(Order order, Tls tls) {
        WebUrl url = order.url();
        ConnectionRequest request =
                new ConnectionRequest(
                        order.caller(),
                        url.host(),
                        url.port(),
                        order.method(),
                        order.limits().maxBytes());
        OutboundConnection connection =
                outboundConnections.open(
                        request, Deadline.millis(order.limits().connectMillis(), order.endNanos()));
        DeadlineWatchdog.Timer timer = watchdog.timer(connection::cut);
        boolean acted = false;
        try {
            timer.until(connection.deadlineNanos(), "it was not ready in time");
            Socket socket =
                    url.secure()
                            ? tls.wrap(connection.socket(), url.host(), url.port(), HTTP)
                            : connection.socket();
            timer.within(
                    Deadline.millis(order.limits().responseMillis(), order.endNanos()),
                    "it did not answer in time");
            acted = !HARMLESS.contains(order.method());
            write(order, connection.out(socket.getOutputStream()));
            return response(
                    order,
                    connection,
                    timer,
                    new ConnectionInput(connection.in(socket.getInputStream())));
        } catch (IOException e) {
            timer.close();
            throw outboundConnections.failed(connection, acted, e);
        } catch (RuntimeException e) {
            timer.close();
            connection.fail("an error of the gateway");
            throw e;
        }
    }

    private static void write(Order order, OutputStream to) throws IOException {
        List<Head.Field> fields = new ArrayList<>();
        fields.add(new Head.Field("Host", order.url().hostField()));
        fields.addAll(order.fields());
        boolean withLength =
                order.body().length > 0 || List.of("POST", "PUT", "PATCH").contains(order.method());
        if (withLength) {
            fields.addAll(new Framing.Length(order.body().length).field());
        }
        fields.add(new Head.Field("Connection", "close"));
        Head head = new Head(order.method() + " " + order.url().target() + " HTTP/1.1", fields);
        to.write(head.bytes());
        to.write(order.body());
        to.flush();
    }

    private static Response response(
            Order order,
            OutboundConnection connection,
            DeadlineWatchdog.Timer timer,
            ConnectionInput in)
            throws IOException {
        for (int i = 0; i < MOST_INTERIM; i++) {
            Head head = Head.read(in);
            int status = status(head);
            if (status >= 200) {
                Framing framing = Framing.ofResponse(head, order.method(), status);
                return new Response(connection, timer, status, head, framing, in);
            }
        }
        throw new MalformedException("there were too many interim responses");
    }

    /** Returns the status; 101 is refused, because nothing else was asked for. */
    static int status(Head head) throws MalformedException {
        Matcher line = STATUS.matcher(head.start());
        if (!line.matches() || line.group(1).equals("101")) {
            throw new MalformedException("the response is not HTTP/1.1");
        }
        return Integer.parseInt(line.group(1));
    }
}
