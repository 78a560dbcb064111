package palyra.itests.process;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Speaks the protocol of the command socket as docs/formats.md describes it. Thread-safe. */
public final class CommandClient {
    public static final ObjectMapper JSON = new ObjectMapper();

    private static final int REQUEST = 1;
    private static final int STDIN = 2;
    private static final int STDOUT = 16;
    private static final int STDERR = 17;
    private static final int EXIT = 18;

    private final Path socket;

    public CommandClient(Path socket) {
        this.socket = socket;
    }

    /** How a command ended and what it said. */
    public record Result(int exit, String out, String err) {
        /** Returns the first line of standard output as JSON. */
        public JsonNode json() throws IOException {
            return JSON.readTree(out);
        }

        /** Returns every line of standard output as JSON. */
        public List<JsonNode> lines() throws IOException {
            List<JsonNode> lines = new ArrayList<>();
            for (String line : out.lines().toList()) {
                lines.add(JSON.readTree(line));
            }
            return lines;
        }

        /** Returns itself, or fails the test when the command did not exit with 0. */
        public Result ok() {
            return exits(0);
        }

        /** Returns itself, or fails the test when the command exited with another code. */
        public Result exits(int expected) {
            if (exit != expected) {
                throw new AssertionError("exit " + exit + ", expected " + expected + ": " + this);
            }
            return this;
        }
    }

    /** Runs a command without input. */
    public Result run(String... argv) throws IOException {
        return run("", line -> {}, argv);
    }

    /** Runs a command with input. */
    public Result runWith(String input, String... argv) throws IOException {
        return run(input, line -> {}, argv);
    }

    /**
     * Runs a command.
     *
     * @param output is told each piece of standard output as it comes
     * @throws IOException when the gateway is not there or goes away in mid command
     */
    public Result run(String input, Consumer<String> output, String... argv) throws IOException {
        try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            channel.connect(UnixDomainSocketAddress.of(socket));
            write(channel, REQUEST, JSON.writeValueAsBytes(Map.of("argv", argv)));
            feed(channel, input);
            return await(channel, output);
        }
    }

    /** A command that is done already reads no more input, and what it said can still be read. */
    private static void feed(SocketChannel channel, String input) {
        try {
            if (!input.isEmpty()) {
                write(channel, STDIN, input.getBytes(StandardCharsets.UTF_8));
            }
            write(channel, STDIN, new byte[0]);
        } catch (IOException e) {
            return; // reading tells whether it was done or the gateway is gone
        }
    }

    private static Result await(SocketChannel channel, Consumer<String> output) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        while (true) {
            ByteBuffer header = ByteBuffer.wrap(read(channel, 5));
            int type = header.get();
            byte[] payload = read(channel, header.getInt());
            switch (type) {
                case STDOUT -> {
                    out.write(payload);
                    output.accept(new String(payload, StandardCharsets.UTF_8));
                }
                case STDERR -> err.write(payload);
                case EXIT -> {
                    return new Result(
                            ByteBuffer.wrap(payload).getInt(),
                            out.toString(StandardCharsets.UTF_8),
                            err.toString(StandardCharsets.UTF_8));
                }
                default -> throw new AssertionError("a frame of type " + type);
            }
        }
    }

    private static void write(SocketChannel channel, int type, byte[] payload) throws IOException {
        ByteBuffer frame = ByteBuffer.allocate(5 + payload.length);
        frame.put((byte) type).putInt(payload.length).put(payload).flip();
        while (frame.hasRemaining()) {
            channel.write(frame);
        }
    }

    private static byte[] read(SocketChannel channel, int length) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(length);
        while (bytes.hasRemaining()) {
            if (channel.read(bytes) < 0) {
                throw new EOFException("the gateway closed the connection");
            }
        }
        return bytes.array();
    }
}
