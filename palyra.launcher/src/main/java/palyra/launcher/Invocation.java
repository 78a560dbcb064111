package palyra.launcher;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.net.SocketException;
import java.nio.channels.AsynchronousCloseException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import palyra.shared.socket.Frame;
import palyra.shared.socket.FrameChannel;
import palyra.shared.socket.ProtocolException;

/** One command sent to the gateway, from its request to its exit code. */
final class Invocation implements AutoCloseable {
    static final Duration SIGNAL_PATIENCE = Duration.ofSeconds(1);
    static final Duration EXIT_PATIENCE = Duration.ofSeconds(10);

    /** An older gateway, which sends no first frame, gets input after this time. */
    private static final Duration ACCEPT_PATIENCE = Duration.ofSeconds(2);

    private final FrameChannel channel;
    private final OutputStream out;
    private final OutputStream err;
    private final Duration exitPatience;
    private final AtomicBoolean signalled = new AtomicBoolean();
    private final CountDownLatch begun =
            new CountDownLatch(1); // the request was accepted or the invocation is over
    private volatile boolean accepted; // a frame arrived: the gateway accepted the request
    private volatile boolean inputSent; // some input was sent and cannot be sent again
    private volatile boolean over;
    private volatile boolean abandoned;

    private Invocation(
            FrameChannel channel, OutputStream out, OutputStream err, Duration exitPatience) {
        this.channel = channel;
        this.out = out;
        this.err = err;
        this.exitPatience = exitPatience;
    }

    /** What the command gets to know about its caller. */
    record Request(
            List<String> argv,
            Terminal terminal,
            Terminal.Size size,
            String cwd,
            Map<String, String> env) {
        Request {
            argv = List.copyOf(argv);
            env = Map.copyOf(env);
        }

        Frame frame() {
            Map<String, Object> members = new LinkedHashMap<>();
            members.put("argv", argv);
            members.put("tty", terminal.interactive());
            members.put("out", terminal.output());
            members.put("err", terminal.error());
            members.put("columns", size.columns());
            members.put("rows", size.rows());
            members.put("cwd", cwd);
            members.put("env", env);
            return Frame.text(Frame.REQUEST, Json.write(members));
        }
    }

    /** Sends a request over a connection, which is closed with the invocation. */
    static Invocation open(
            FrameChannel channel,
            Request request,
            OutputStream out,
            OutputStream err,
            Duration exitPatience)
            throws IOException {
        try {
            channel.write(request.frame());
            return new Invocation(channel, out, err, exitPatience);
        } catch (IOException e) {
            channel.close();
            throw new RequestNotAcceptedException(e); // the gateway did not get the whole request
        }
    }

    /**
     * Waits until the gateway accepted the request, so that no input is read for a refused one.
     * Returns false when the invocation is over.
     */
    boolean awaitAccepted() throws IOException {
        try {
            begun.await(ACCEPT_PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
            return !over;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("waiting for the gateway was interrupted");
        }
    }

    /**
     * Sends input to the command; an empty array is its end. Blocks while the command does not
     * read.
     */
    void input(byte[] bytes) throws IOException {
        inputSent = true;
        channel.write(new Frame(Frame.STDIN, bytes));
    }

    void resize(Terminal.Size size) throws IOException {
        Map<String, Object> members = new LinkedHashMap<>();
        members.put("columns", size.columns());
        members.put("rows", size.rows());
        channel.tryWrite(Frame.text(Frame.RESIZE, Json.write(members)), SIGNAL_PATIENCE);
    }

    /**
     * Asks the command to stop and gives it a bounded time; the second signal, or the end of that
     * time, abandons it.
     */
    void signal(String name) {
        if (!signalled.compareAndSet(false, true)) {
            abandon();
            return;
        }
        Thread guard = new Thread(this::abandonLater, "palyra-exit-guard");
        guard.setDaemon(true);
        guard.start();
        try {
            if (!channel.tryWrite(Frame.text(Frame.SIGNAL, name), SIGNAL_PATIENCE)) {
                abandon();
            }
        } catch (IOException e) {
            abandon();
        }
    }

    private void abandonLater() {
        try {
            Thread.sleep(exitPatience);
            abandon();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void abandon() {
        abandoned = true;
        close();
    }

    /** Copies output until the command ends. */
    int await() throws IOException {
        try {
            for (Optional<Frame> next = channel.read(); next.isPresent(); next = channel.read()) {
                Frame frame = next.get();
                accepted = true;
                begun.countDown();
                switch (frame.type()) {
                    case Frame.STDOUT -> copy(frame, out);
                    case Frame.STDERR -> copy(frame, err);
                    case Frame.EXIT -> {
                        return frame.exitCode();
                    }
                    default ->
                            throw new ProtocolException(
                                    "the gateway sent a frame of the unknown type " + frame.type());
                }
            }
        } catch (AsynchronousCloseException e) {
            if (!abandoned) {
                throw e;
            }
        } catch (SocketException e) {
            // A reset: the gateway closed before it had read all that was sent to it.
            throw ended(connectionClosed());
        }
        if (abandoned) {
            throw new InterruptedIOException("the command did not end in time and was abandoned");
        }
        throw ended(connectionClosed());
    }

    private static ProtocolException connectionClosed() {
        return new ProtocolException("the gateway closed the connection before the command ended");
    }

    /** The gateway sends a frame before it runs anything: without one, nothing ran. */
    private IOException ended(IOException problem) {
        return accepted || inputSent ? problem : new RequestNotAcceptedException(problem);
    }

    private static void copy(Frame frame, OutputStream to) throws IOException {
        to.write(frame.payload());
        to.flush();
    }

    @Override
    public void close() {
        over = true;
        begun.countDown();
        channel.close();
    }
}
