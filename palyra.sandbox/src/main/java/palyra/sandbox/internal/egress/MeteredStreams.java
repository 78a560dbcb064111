package palyra.sandbox.internal.egress;

import java.io.FilterInputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/** Streams that count what goes through them. */
final class MeteredStreams {
    private MeteredStreams() {}

    /** Counts bytes; throws when there may be no more. */
    interface Meter {
        void count(int bytes) throws IOException;
    }

    /** Counts bytes read. */
    static InputStream in(InputStream from, Meter meter) {
        return new FilterInputStream(from) {
            @Override
            public int read() throws IOException {
                byte[] one = new byte[1];
                return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
            }

            @Override
            public int read(byte[] into, int offset, int length) throws IOException {
                int got = super.read(into, offset, length);
                if (got > 0) {
                    meter.count(got);
                }
                return got;
            }
        };
    }

    /** Counts bytes before they are written. */
    static OutputStream out(OutputStream to, Meter meter) {
        return new FilterOutputStream(to) {
            @Override
            public void write(int one) throws IOException {
                write(new byte[] {(byte) one}, 0, 1);
            }

            @Override
            public void write(byte[] bytes, int offset, int length) throws IOException {
                meter.count(length);
                out.write(bytes, offset, length);
            }
        };
    }
}
