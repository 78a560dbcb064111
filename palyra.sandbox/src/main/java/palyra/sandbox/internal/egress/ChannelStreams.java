package palyra.sandbox.internal.egress;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/** Streams over a blocking channel. Closing the channel ends what waits in them. */
final class ChannelStreams {
    private ChannelStreams() {}

    static InputStream in(SocketChannel channel) {
        return new InputStream() {
            @Override
            public int read() throws IOException {
                byte[] one = new byte[1];
                return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
            }

            @Override
            public int read(byte[] into, int offset, int length) throws IOException {
                return channel.read(ByteBuffer.wrap(into, offset, length));
            }
        };
    }

    static OutputStream out(SocketChannel channel) {
        return new OutputStream() {
            @Override
            public void write(int one) throws IOException {
                write(new byte[] {(byte) one}, 0, 1);
            }

            @Override
            public void write(byte[] bytes, int offset, int length) throws IOException {
                ByteBuffer rest = ByteBuffer.wrap(bytes, offset, length);
                while (rest.hasRemaining()) {
                    channel.write(rest);
                }
            }
        };
    }
}
