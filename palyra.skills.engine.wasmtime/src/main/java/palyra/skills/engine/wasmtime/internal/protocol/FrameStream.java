package palyra.skills.engine.wasmtime.internal.protocol;

import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Frames over two streams: length of what follows (4 bytes), kind (1), call (8), body; integers are
 * big-endian. Sending is for any thread, receiving for one.
 */
public final class FrameStream {
    /** Version of everything here and in {@link Messages}. */
    public static final int VERSION = 3;

    /** Milliseconds between two signs of life of the worker. */
    public static final long BEAT_MILLIS = 1_000;

    /** Largest body; a module with its metering has room in it. */
    public static final int MOST_BYTES = 32 << 20;

    private static final int HEAD = 9;
    private static final int BUFFER = 65_536;
    private static final Kind[] KINDS = Kind.values();

    private final DataInputStream in;
    private final DataOutputStream out;
    private final boolean fromWorker;
    private final ReentrantLock lock = new ReentrantLock(); // guards out

    /**
     * Makes one end.
     *
     * @param fromWorker whether the other side is the worker; frames of the other direction are
     *     refused
     */
    public FrameStream(InputStream in, OutputStream out, boolean fromWorker) {
        this.in = new DataInputStream(in);
        this.out = new DataOutputStream(new BufferedOutputStream(out, BUFFER));
        this.fromWorker = fromWorker;
    }

    /** Sends a frame; returns when the system has it. */
    public void send(Frame frame) throws IOException {
        if (frame.body().length > MOST_BYTES) {
            throw new ProtocolException(
                    "a frame of " + frame.body().length + " bytes is too large");
        }
        lock.lock();
        try {
            out.writeInt(HEAD + frame.body().length);
            out.writeByte(frame.kind().ordinal());
            out.writeLong(frame.call());
            out.write(frame.body());
            out.flush();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Receives the next frame; null at the end of the stream between two frames.
     *
     * @throws ProtocolException when what comes is no frame that the other side may send
     */
    public Frame receive() throws IOException {
        int first = in.read();
        if (first < 0) {
            return null;
        }
        int length = first << 24 | in.readUnsignedByte() << 16 | in.readUnsignedShort();
        if (length < HEAD || length - HEAD > MOST_BYTES) {
            throw new ProtocolException("a frame of " + length + " bytes");
        }
        int kind = in.readUnsignedByte();
        if (kind >= KINDS.length || KINDS[kind].fromWorker() != fromWorker) {
            throw new ProtocolException("a frame of kind " + kind + " from the wrong side");
        }
        long call = in.readLong();
        byte[] body = in.readNBytes(length - HEAD);
        if (body.length != length - HEAD) {
            throw new EOFException("the stream ended within a frame");
        }
        return new Frame(KINDS[kind], call, body);
    }
}
