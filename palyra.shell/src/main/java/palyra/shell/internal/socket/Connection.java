package palyra.shell.internal.socket;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.access.Principal;
import palyra.api.command.ExitCodes;
import palyra.shared.socket.Frame;
import palyra.shared.socket.FrameChannel;
import palyra.shared.socket.ProtocolException;
import palyra.shell.internal.host.CommandHost;
import palyra.shell.internal.host.Execution;
import palyra.shell.internal.host.Request;
import palyra.shell.internal.host.StopCause;

/**
 * One client: its request, its command, its input until the end. The connection ends with the
 * command.
 */
final class Connection implements Execution.Streams {
    private static final Logger LOG = LoggerFactory.getLogger(Connection.class);

    /** How long the last words may take; a client that does not read them gets them later. */
    private static final long PARTING_MILLIS = 2_000;

    private final FrameChannel channel;
    private final CommandHost host;
    private final Supplier<Principal> caller;
    private final Admission admission;
    private final InputPipe input = new InputPipe();
    private final Outbox outbox;
    private final OutputStream out;
    private final OutputStream err;
    private final ReentrantLock lock = new ReentrantLock();
    private boolean asked; // guarded by lock: the request is there and will be answered
    private volatile boolean closing; // written under lock
    private volatile Execution execution;

    /**
     * Creates it.
     *
     * @param admission asked for a place once the request is there
     */
    Connection(
            FrameChannel channel,
            CommandHost host,
            Supplier<Principal> caller,
            Admission admission) {
        this.channel = channel;
        this.host = host;
        this.caller = caller;
        this.admission = admission;
        this.outbox = new Outbox(channel);
        this.out = new FrameOutput(outbox, Frame.STDOUT);
        this.err = new FrameOutput(outbox, Frame.STDERR);
    }

    /** Serves the client on the calling thread until it is gone. */
    void serve() {
        outbox.start(Thread.currentThread().getName() + "-writer");
        try {
            Optional<Frame> first = channel.readFirst();
            if (first.isPresent() && begin(first.get())) {
                listen();
            }
        } catch (ProtocolException e) {
            refuse(e.getMessage(), ExitCodes.USAGE);
        } catch (IOException e) {
            LOG.debug("A command connection broke", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            end();
        }
    }

    private boolean begin(Frame first) throws IOException {
        if (first.type() != Frame.REQUEST) {
            throw new ProtocolException("The first frame must be a request (type 1).");
        }
        Request request = RequestCodec.request(first.payload());
        if (!takesRequest()) {
            return false;
        }
        // Before anything runs: a client that gets no frame at all may ask again.
        channel.write(new Frame(Frame.STDOUT, new byte[0]));
        Optional<String> refusal = admission.enter();
        if (refusal.isPresent()) {
            refuse(refusal.get(), ExitCodes.RESOURCE);
            return false;
        }
        Execution started = host.start(request, caller, this);
        execution = started;
        if (closing) {
            started.stop(StopCause.WITHDRAWN);
        }
        return true;
    }

    /** From here on the client gets an answer, even if its command is withdrawn before it runs. */
    private boolean takesRequest() {
        lock.lock();
        try {
            asked = !closing;
            return asked;
        } finally {
            lock.unlock();
        }
    }

    private void listen() throws IOException, InterruptedException {
        for (Optional<Frame> next = channel.read(); next.isPresent(); next = channel.read()) {
            Frame frame = next.get();
            switch (frame.type()) {
                case Frame.STDIN -> input.put(frame.payload());
                case Frame.SIGNAL -> signal(new String(frame.payload(), StandardCharsets.UTF_8));
                case Frame.RESIZE -> execution.resized(RequestCodec.columns(frame.payload()));
                default ->
                        throw new ProtocolException(
                                "Frames of type " + frame.type() + " are not known here.");
            }
        }
    }

    private void signal(String name) throws ProtocolException {
        if (!name.equals("INT") && !name.equals("TERM")) {
            throw new ProtocolException("Only the signals INT and TERM are passed on.");
        }
        execution.stop(StopCause.PERSON);
    }

    private void end() {
        Execution running = execution;
        if (running != null) {
            running.stop(closing ? StopCause.WITHDRAWN : StopCause.DISCONNECTED);
        }
        input.abandon();
        outbox.finish(Frame.exit(ExitCodes.CANCELLED));
        channel.close();
    }

    /** Sends the error to the client and ends the connection. */
    private void refuse(String sentence, int code) {
        try {
            err.write(("palyra: " + sentence + "\n").getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            LOG.debug("A refused client left first", e);
        }
        outbox.finish(Frame.exit(code));
        outbox.awaitDone(PARTING_MILLIS);
    }

    /** Withdraws the command; the client gets a hint and its exit code, if it reads. */
    void withdraw() {
        boolean waiting = refuseRequest();
        Execution running = execution;
        if (running != null) {
            running.stop(StopCause.WITHDRAWN);
        } else if (waiting) {
            channel.close();
        }
        // Otherwise the command is being started, and the starting thread stops it.
    }

    /** Takes no request any more; returns whether there was none yet. */
    private boolean refuseRequest() {
        lock.lock();
        try {
            closing = true;
            return !asked;
        } finally {
            lock.unlock();
        }
    }

    /** Waits for the command's end; returns whether it is over. */
    boolean await(long millis) {
        Execution running = execution;
        return (running == null || running.await(millis)) && outbox.awaitDone(millis);
    }

    /** Returns whether the calling thread runs this connection's command. */
    boolean isOwn() {
        Execution running = execution;
        return running != null && running.ownThread();
    }

    void close() {
        channel.close();
    }

    @Override
    public InputStream in() {
        return input.stream();
    }

    @Override
    public OutputStream out() {
        return out;
    }

    @Override
    public OutputStream err() {
        return err;
    }

    @Override
    public void exited(int code) {
        admission.leave();
        input.abandon();
        outbox.finish(Frame.exit(code));
        outbox.awaitDone(PARTING_MILLIS);
    }
}
