package palyra.sandbox.internal.egress;

import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLException;
import palyra.api.ErrorCode;
import palyra.api.core.egress.EgressCircumstances;
import palyra.api.core.egress.EgressRequest.EgressLimits;

/** One request over one connection, up to the head of its answer. */
final class HttpExchange {
    private static final Pattern STATUS = Pattern.compile("HTTP/1\\.[01] ([1-5][0-9]{2})( .*)?");
    private static final int MOST_INTERIM = 16;

    private final Lines lines;
    private final DeadlineWatchdog watchdog;

    HttpExchange(Lines lines, DeadlineWatchdog watchdog) {
        this.lines = lines;
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
            EgressCircumstances who,
            String method,
            WebUrl url,
            List<Head.Field> fields,
            byte[] body,
            EgressLimits limits,
            long endNanos) {}

    /** The beginning of an answer; its connection is open. */
    record Answer(
            OutboundConnection line,
            DeadlineWatchdog.Timer timer,
            int status,
            Head head,
            Framing framing,
            Source in) {
        void close() {
            timer.close();
            line.close();
        }
    }

    /**
     * Sends and returns when the head of the answer is there.
     *
     * @throws RefusedException when it may not or cannot be sent, or is not answered in time
     */
    Answer send(Order order, Tls tls) {
        WebUrl url = order.url();
        Ask ask =
                new Ask(
                        order.who(),
                        url.host(),
                        url.port(),
                        order.method(),
                        order.limits().maxBytes());
        OutboundConnection line =
                lines.open(ask, Deadline.millis(order.limits().connectMillis(), order.endNanos()));
        DeadlineWatchdog.Timer timer = watchdog.timer(line::cut);
        try {
            timer.until(line.deadlineNanos(), "it was not ready in time");
            Socket socket =
                    url.secure() ? tls.over(line.socket(), url.host(), url.port()) : line.socket();
            timer.within(
                    Deadline.millis(order.limits().responseMillis(), order.endNanos()),
                    "it did not answer in time");
            write(order, line.out(socket.getOutputStream()));
            return answer(order, line, timer, new Source(line.in(socket.getInputStream())));
        } catch (IOException e) {
            timer.close();
            throw failed(line, e);
        } catch (RuntimeException e) {
            timer.close();
            line.fail("an error of the gateway");
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

    private static Answer answer(
            Order order, OutboundConnection line, DeadlineWatchdog.Timer timer, Source in)
            throws IOException {
        for (int i = 0; i < MOST_INTERIM; i++) {
            Head head = Head.read(in);
            int status = status(head);
            if (status >= 200) {
                Framing framing = Framing.ofResponse(head, order.method(), status);
                return new Answer(line, timer, status, head, framing, in);
            }
        }
        throw new MalformedException("there were too many interim answers");
    }

    /** Returns the status; 101 is refused, because nothing else was asked for. */
    static int status(Head head) throws MalformedException {
        Matcher line = STATUS.matcher(head.start());
        if (!line.matches() || line.group(1).equals("101")) {
            throw new MalformedException("the answer is not HTTP/1.1");
        }
        return Integer.parseInt(line.group(1));
    }

    private RefusedException failed(OutboundConnection line, IOException e) {
        String place = "The connection to " + line.ask().place();
        Optional<String> cut = line.broken();
        RefusedException failure;
        if (Thread.currentThread().isInterrupted()) {
            failure = failure(Reason.TIME, ErrorCode.CANCELLED, place + " was interrupted.", e);
        } else if (cut.isPresent()) {
            failure = failure(Reason.TIME, ErrorCode.TIMED_OUT, place + ": " + cut.get() + ".", e);
        } else {
            String kind =
                    e instanceof SSLException
                            ? " could not be secured by TLS: "
                            : e instanceof MalformedException ? " was given up: " : " broke: ";
            failure =
                    failure(
                            Reason.UNREACHABLE,
                            ErrorCode.TOOL_UNAVAILABLE,
                            place + kind + Shown.text(e.getMessage() + "."),
                            e);
        }
        lines.counts().refused(failure.reason());
        line.fail(failure.getMessage());
        return failure;
    }

    private static RefusedException failure(
            Reason reason, ErrorCode code, String message, IOException cause) {
        return new RefusedException(reason, code, message, cause);
    }
}
