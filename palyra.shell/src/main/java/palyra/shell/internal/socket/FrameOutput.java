package palyra.shell.internal.socket;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;
import palyra.shared.socket.Frame;

/** A stream whose bytes travel as frames. Nothing is held back: each write is a frame. */
final class FrameOutput extends OutputStream {
    private static final int PIECE_BYTES = 64 * 1024;

    private final Outbox outbox;
    private final int type;

    FrameOutput(Outbox outbox, int type) {
        this.outbox = outbox;
        this.type = type;
    }

    @Override
    public void write(int b) throws IOException {
        outbox.put(new Frame(type, new byte[] {(byte) b}));
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        for (int at = offset; at < offset + length; at += PIECE_BYTES) {
            int end = Math.min(offset + length, at + PIECE_BYTES);
            outbox.put(new Frame(type, Arrays.copyOfRange(bytes, at, end)));
        }
    }
}
