package palyra.launcher;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Locale;

/** Standard output of this process, whose failures are told apart from those of the socket. */
final class LocalOutput extends FilterOutputStream {
    LocalOutput(OutputStream out) {
        super(out);
    }

    /** What reads or stores the output takes nothing more. */
    static final class Refused extends IOException {
        private static final long serialVersionUID = 1L;

        Refused(IOException cause) {
            super(cause.getMessage(), cause);
        }

        /** Returns whether the reader has gone, as {@code head} goes when it has enough. */
        boolean readerGone() {
            return String.valueOf(getMessage()).toLowerCase(Locale.ROOT).contains("broken pipe");
        }
    }

    @Override
    public void write(int b) throws IOException {
        write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        try {
            out.write(bytes, offset, length);
        } catch (IOException e) {
            throw new Refused(e);
        }
    }

    @Override
    public void flush() throws IOException {
        try {
            out.flush();
        } catch (IOException e) {
            throw new Refused(e);
        }
    }
}
