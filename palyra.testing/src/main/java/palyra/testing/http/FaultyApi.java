package palyra.testing.http;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;

/**
 * Base of fakes of a service with an HTTP API. A fake says what its calls do; a test says which of
 * them go wrong, and how. Thread-safe, as far as the fake's {@link #act} is.
 */
public abstract class FaultyApi implements AutoCloseable {
    /**
     * A call that came.
     *
     * @param name as {@link #name} says
     * @param request what was sent
     */
    public record Call(String name, FaultServer.Heard request) {}

    /**
     * The answer of a call.
     *
     * @param status HTTP status
     * @param json body
     * @param headers further headers, each {@code Name: value}
     */
    public record Reply(int status, String json, List<String> headers) {
        /** An answer without further headers. */
        public Reply(int status, String json) {
            this(status, json, List.of());
        }

        /** Sends it. */
        public void send(FaultExchange exchange) throws IOException {
            exchange.answer(status, "application/json", json, headers.toArray(String[]::new));
        }
    }

    /** Does what a call asks, as if nothing went wrong. */
    public interface Act {
        /** Does it and returns the answer that is due. */
        Reply run() throws IOException, InterruptedException;
    }

    /** What a server says and hears over a WebSocket. */
    public interface Talk {
        /** Talks; the connection is closed when it returns. */
        void run(FaultWebSocket socket) throws IOException, InterruptedException;
    }

    /** How one call goes wrong. */
    public interface Fault {
        /** Answers; whether the call is done as well is the fault's own. */
        void play(FaultExchange exchange, Act act) throws IOException, InterruptedException;

        /** Nothing is done, and the connection is reset. */
        static Fault droppedBefore() {
            return (exchange, act) -> exchange.reset();
        }

        /** It is done, but the connection is reset before the answer. */
        static Fault droppedAfter() {
            return (exchange, act) -> {
                act.run();
                exchange.reset();
            };
        }

        /** Nothing is done and nothing is said until the client leaves. */
        static Fault silent() {
            return (exchange, act) -> exchange.stall();
        }

        /** It is done, but nothing is said until the client leaves. */
        static Fault silentAfter() {
            return (exchange, act) -> {
                act.run();
                exchange.stall();
            };
        }

        /** It is done, and answered when the test says so. */
        static Fault late(CountDownLatch until) {
            return (exchange, act) -> {
                Reply reply = act.run();
                until.await();
                reply.send(exchange);
            };
        }

        /** Nothing is done; the answer is as given, with headers {@code Name: value}. */
        static Fault answering(int status, String body, String... headers) {
            return (exchange, act) -> exchange.answer(status, "application/json", body, headers);
        }

        /** A WebSocket is opened, and then goes as given, such as {@code FaultWebSocket::drop}. */
        static Fault webSocket(Talk talk) {
            return (exchange, act) -> talk.run(exchange.webSocket());
        }

        /** It is done, but the answer is not what the client can read. */
        static Fault garbled() {
            return (exchange, act) -> {
                act.run();
                exchange.answer(200, "text/html", "<html>{\"ok\":");
            };
        }

        /** It is done, but the connection ends in the middle of the answer. */
        static Fault truncated() {
            return (exchange, act) -> {
                String json = act.run().json();
                exchange.raw(
                        ("HTTP/1.1 200 As Told\r\nContent-Type: application/json\r\n"
                                        + "Content-Length: 100000\r\nConnection: close\r\n\r\n"
                                        + json.substring(0, json.length() / 2))
                                .getBytes(java.nio.charset.StandardCharsets.UTF_8));
                exchange.truncate();
            };
        }
    }

    private final FaultServer server;
    private final Object lock = new Object();
    private final Map<String, Deque<Fault>> faults = new HashMap<>(); // guarded by lock
    private final Map<String, Fault> lasting = new HashMap<>(); // guarded by lock
    private final List<Call> calls = new ArrayList<>(); // guarded by lock

    /** Opens the server on a free port. */
    protected FaultyApi() {
        this(0);
    }

    /** Opens the server on a port; 0 for a free one. */
    protected FaultyApi(int port) {
        server = FaultServer.open(port);
        server.otherwise(this::answer);
    }

    /** Returns which call a request is. */
    protected abstract String name(FaultServer.Heard request);

    /** Does what a call asks and returns the answer. */
    protected abstract Reply act(Call call) throws IOException, InterruptedException;

    /**
     * Returns what is said over the WebSocket that a call opens, as if nothing went wrong. Unless
     * it is overridden no call opens one: each is answered by {@link #act}.
     *
     * @return what is said; empty for a call that opens no WebSocket
     */
    protected Optional<Talk> talk(Call call) {
        return Optional.empty();
    }

    /**
     * Returns how a call goes wrong that no test said anything of. Unless it is overridden, none
     * does.
     */
    protected Optional<Fault> chance(Call call) {
        return Optional.empty();
    }

    private void answer(FaultExchange exchange) throws IOException, InterruptedException {
        Call call = new Call(name(exchange.request()), exchange.request());
        Fault fault;
        synchronized (lock) {
            calls.add(call);
            Fault next = faults.computeIfAbsent(call.name(), name -> new ArrayDeque<>()).poll();
            fault = next == null ? lasting.get(call.name()) : next;
        }
        Act act = () -> act(call);
        if (fault == null) {
            fault = chance(call).orElse(null);
        }
        if (fault != null) {
            fault.play(exchange, act);
            return;
        }
        Optional<Talk> talk = talk(call);
        if (talk.isPresent()) {
            talk.get().run(exchange.webSocket());
            return;
        }
        act.run().send(exchange);
    }

    /** Has the next calls of a name go wrong, each by one of these. */
    public final void fail(String name, Fault... next) {
        synchronized (lock) {
            faults.computeIfAbsent(name, one -> new ArrayDeque<>()).addAll(List.of(next));
        }
    }

    /** Has all further calls of a name go wrong, until {@link #recover}. */
    public final void failAll(String name, Fault fault) {
        synchronized (lock) {
            lasting.put(name, fault);
        }
    }

    /** Lets calls of a name be answered as usual again. */
    public final void recover(String name) {
        synchronized (lock) {
            faults.remove(name);
            lasting.remove(name);
        }
    }

    /** Returns the calls of a name that came, oldest first. */
    public final List<Call> calls(String name) {
        synchronized (lock) {
            return calls.stream().filter(call -> call.name().equals(name)).toList();
        }
    }

    /** Returns its address, without a slash at the end. */
    public final String url() {
        return server.url();
    }

    /** Returns its port. */
    public final int port() {
        return server.port();
    }

    /** Refuses connections from now on. */
    public final void goDown() {
        server.goDown();
    }

    /** Refuses connections from now on, and cuts those that are open. */
    public final void cut() {
        server.goDown().cut();
    }

    /** Takes connections again, at the same port. */
    public final void comeBack() {
        server.comeBack();
    }

    @Override
    public void close() {
        server.close();
    }
}
