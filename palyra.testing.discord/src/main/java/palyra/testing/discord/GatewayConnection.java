package palyra.testing.discord;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.zip.Deflater;
import palyra.testing.http.FaultWebSocket;

/**
 * One connection to the gateway. The thread it came on reads; a thread of its own writes, so that a
 * client that does not read holds up no other.
 */
final class GatewayConnection {
    static final int DISPATCH = 0;
    static final int HEARTBEAT = 1;
    static final int IDENTIFY = 2;
    static final int RESUME = 6;
    static final int RECONNECT = 7;
    static final int INVALID_SESSION = 9;
    static final int HELLO = 10;
    static final int HEARTBEAT_ACK = 11;

    private static final int MAX_PAYLOAD_BYTES = 4_096;
    private static final int MOST_SENDS = 120;
    private static final long SENDS_NANOS = TimeUnit.SECONDS.toNanos(60);

    /** What the writer does next. */
    private interface Work {
        /** Does it; false ends the writer. */
        boolean run() throws IOException;
    }

    final int number;
    final boolean atResumeUrl;
    final boolean compressed;
    private final FakeGateway gateway;
    private final FaultWebSocket socket;
    private final BlockingQueue<Work> work = new LinkedBlockingQueue<>();
    private final Deflater deflater = new Deflater();
    private final Deque<Long> sends = new ArrayDeque<>(); // for the reader
    private final Thread writer;

    // Guarded by the gateway's lock.
    GatewaySession session; // null until there is one
    boolean resumed;
    boolean zombie; // says nothing
    boolean mute; // tells of no events
    boolean open = true;
    int heartbeats;
    long lastHeartbeatNanos = System.nanoTime();
    int clientCode;
    int serverCode;

    GatewayConnection(
            FakeGateway gateway,
            FaultWebSocket socket,
            int number,
            boolean atResumeUrl,
            boolean compressed) {
        this.gateway = gateway;
        this.socket = socket;
        this.number = number;
        this.atResumeUrl = atResumeUrl;
        this.compressed = compressed;
        writer = Thread.ofPlatform().daemon().name("fake-discord-writer").unstarted(this::write);
    }

    /** Talks until the connection ends. */
    void run() throws IOException {
        writer.start();
        try {
            gateway.opened(this);
            read();
        } finally {
            gateway.ended(this);
            work.add(() -> false);
            try {
                writer.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void read() throws IOException {
        ByteArrayOutputStream message = new ByteArrayOutputStream();
        while (true) {
            FaultWebSocket.Frame frame = socket.frame();
            switch (frame.first() & 0x0f) {
                case 8 -> {
                    int code =
                            frame.payload().length < 2
                                    ? 1005
                                    : ByteBuffer.wrap(frame.payload()).getShort() & 0xffff;
                    if (gateway.closedByClient(this, code)) {
                        work.add(() -> sent(0x88, frame.payload()));
                    }
                    if (!gateway.isZombie(this)) {
                        return;
                    }
                }
                case 9 -> {
                    if (!gateway.isZombie(this)) {
                        work.add(() -> sent(0x8a, frame.payload()));
                    }
                }
                case 10 -> {} // a sign of life
                default -> {
                    message.writeBytes(frame.payload());
                    if ((frame.first() & 0x80) != 0) {
                        take(message.toByteArray());
                        message.reset();
                    }
                }
            }
        }
    }

    private boolean sent(int first, byte[] payload) throws IOException {
        socket.send(first, payload);
        return true;
    }

    private void take(byte[] payload) {
        long now = System.nanoTime();
        sends.add(now);
        while (now - sends.peek() > SENDS_NANOS) {
            sends.remove();
        }
        if (sends.size() > MOST_SENDS) {
            gateway.close(this, 4008, "Rate limited.");
            return;
        }
        if (payload.length > MAX_PAYLOAD_BYTES) {
            gateway.close(this, 4002, "Error while decoding payload.");
            return;
        }
        JsonNode node;
        try {
            node = Json.read(payload);
        } catch (JsonProcessingException e) {
            gateway.close(this, 4002, "Error while decoding payload.");
            return;
        } catch (IOException e) {
            throw new IllegalStateException("bytes are always read", e);
        }
        if (!node.isObject() || !node.path("op").isInt()) {
            gateway.close(this, 4002, "Error while decoding payload.");
            return;
        }
        gateway.received(this, node.path("op").asInt(), node.path("d"));
    }

    private void write() {
        try {
            while (work.take().run()) {
                // the next one
            }
        } catch (IOException e) {
            // the client left, which the reader notices
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            deflater.end();
        }
    }

    // What follows is for the lock's holder.

    /** Sends an event of the session. */
    void event(GatewaySession.Sent one) {
        if (mute) {
            return;
        }
        ObjectNode payload = Json.object("op", DISPATCH, "s", one.seq(), "t", one.type());
        payload.set("d", one.data());
        send(payload);
    }

    /** Sends anything but an event. */
    void send(int op, Object data) {
        send(Json.object("op", op, "d", data, "s", null, "t", null));
    }

    private void send(ObjectNode payload) {
        if (zombie || !open) {
            return;
        }
        byte[] text = Json.write(payload).getBytes(StandardCharsets.UTF_8);
        int most = gateway.pieceBytes();
        work.add(() -> compressed ? pieces(deflated(text), most) : sent(0x81, text));
    }

    /** Sends a part of the stream in messages of at most so many bytes. */
    private boolean pieces(byte[] part, int most) throws IOException {
        for (int at = 0; at < part.length; at += most) {
            sent(0x82, Arrays.copyOfRange(part, at, Math.min(part.length, at + most)));
        }
        return true;
    }

    /** Sends what is large once it is inflated. */
    void bomb(int megabytes) {
        byte[] megabyte = new byte[1 << 20];
        work.add(
                () -> {
                    for (int i = 0; i < megabytes; i++) {
                        deflater.setInput(megabyte);
                        sent(0x82, deflated(Deflater.NO_FLUSH));
                    }
                    return sent(0x82, deflated(Deflater.SYNC_FLUSH));
                });
    }

    /** Returns a message of the one stream that all messages of the connection make. */
    private byte[] deflated(byte[] text) {
        deflater.setInput(text);
        return deflated(Deflater.SYNC_FLUSH);
    }

    private byte[] deflated(int flush) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        byte[] buffer = new byte[8_192];
        int length;
        do {
            length = deflater.deflate(buffer, 0, buffer.length, flush);
            out.write(buffer, 0, length);
        } while (length == buffer.length);
        return out.toByteArray();
    }

    /** Closes with a code; what was sent before still arrives. */
    void close(int code, String reason) {
        if (!open) {
            return;
        }
        serverCode = code;
        open = false;
        work.add(
                () -> {
                    socket.close(code, reason);
                    return true;
                });
    }

    /** Ends the connection without a word, after what was sent before. */
    void end(boolean reset) {
        open = false;
        work.add(
                () -> {
                    if (reset) {
                        socket.drop();
                    } else {
                        socket.leave();
                    }
                    return false;
                });
    }

    Connection seen() {
        return new Connection(
                number,
                session == null ? "" : session.id,
                resumed,
                atResumeUrl,
                compressed,
                session == null ? 0 : session.intents,
                heartbeats,
                clientCode,
                serverCode,
                open);
    }
}
