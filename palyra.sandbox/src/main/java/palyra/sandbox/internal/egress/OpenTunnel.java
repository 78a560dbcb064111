package palyra.sandbox.internal.egress;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.net.Socket;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import javax.net.ssl.SSLSocket;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.egress.EgressConnection;
import palyra.api.core.egress.EgressTunnelRequest;
import palyra.api.core.egress.EgressTunnelRequest.Security;

/**
 * A connection of the gateway's own that is no HTTP request. Until {@link #ready} the time to
 * connect goes on; from then on silence cuts it.
 */
final class OpenTunnel implements EgressConnection {
    private static final long MOST_BYTES_IN_CLEAR = 65_536;

    private final OutboundConnection outbound;
    private final OutboundConnections outboundConnections;
    private final DeadlineWatchdog.Timer timer;
    private final Tls tls;
    private final EgressTunnelRequest request;
    private final AtomicBoolean mayUpgrade;
    private final AtomicLong received = new AtomicLong();
    private final AtomicLong sent = new AtomicLong();
    private final InputStream in;
    private final OutputStream out;
    private volatile Socket socket;
    private volatile boolean opening; // for the caller it is not there yet
    private volatile boolean watched; // for silence

    OpenTunnel(
            OutboundConnection outbound,
            OutboundConnections outboundConnections,
            DeadlineWatchdog watchdog,
            Tls tls,
            EgressTunnelRequest request) {
        this.outbound = outbound;
        this.outboundConnections = outboundConnections;
        this.tls = tls;
        this.request = request;
        mayUpgrade = new AtomicBoolean(request.security() == Security.STARTTLS);
        opening = request.security() != Security.STARTTLS;
        socket = outbound.socket();
        timer = watchdog.timer(outbound::cut);
        timer.until(outbound.deadlineNanos(), "it was not ready in time");
        outbound.afterwards(timer::close);
        in = outbound.in(new Incoming());
        out = outbound.out(new Outgoing());
    }

    /**
     * Goes on with TLS.
     *
     * @throws RefusedException when the server does not prove that it is the host
     */
    void secure() {
        try {
            socket =
                    tls.wrap(
                            outbound.socket(),
                            outbound.request().host(),
                            outbound.request().port(),
                            request.applicationProtocols());
        } catch (IOException e) {
            throw failed(e);
        }
    }

    /** Ends it because of a failure before it was ready, and returns why. */
    RefusedException failed(IOException e) {
        return outboundConnections.failed(outbound, false, e);
    }

    /** From now on its silence is watched. */
    void ready() {
        opening = false;
        watched = true;
        touch();
    }

    /** It must be over in so long. */
    void endWithin(long millis, String why) {
        watched = false;
        timer.within(millis, why);
    }

    /** Ends it because the server or the gateway failed. */
    void fail(String why) {
        outbound.fail(why);
    }

    /** Ends it at once. Does not block. */
    void cut(String why) {
        outbound.cut(why);
    }

    /** Has something done when it is over. */
    void afterwards(Runnable work) {
        outbound.afterwards(work);
    }

    /** Returns host and port. */
    String place() {
        return outbound.request().hostAndPort();
    }

    private void touch() {
        if (watched) {
            timer.within(request.limits().idleMillis(), "the server was silent for too long");
        }
    }

    @Override
    public InputStream in() {
        return in;
    }

    @Override
    public OutputStream out() {
        return out;
    }

    @Override
    public void upgrade() {
        if (!mayUpgrade.compareAndSet(true, false)) {
            throw new PalyraException(
                    ErrorCode.INVALID_ARGUMENT,
                    "The connection to "
                            + place()
                            + " cannot go on with TLS: it does already, or it was not asked for"
                            + " with STARTTLS.");
        }
        try {
            secure();
        } catch (RefusedException e) {
            throw e.forCaller(request.who());
        }
        ready();
    }

    @Override
    public String address() {
        return IpLiterals.text(outbound.address());
    }

    @Override
    public String applicationProtocol() {
        return socket instanceof SSLSocket secured ? secured.getApplicationProtocol() : "";
    }

    @Override
    public Optional<String> closed() {
        return outbound.ending();
    }

    @Override
    public void close() {
        outbound.close();
    }

    private long most(long limit) {
        return mayUpgrade.get() ? Math.min(limit, MOST_BYTES_IN_CLEAR) : limit;
    }

    private void count(AtomicLong total, int bytes, long limit, String what) throws IOException {
        long most = most(limit);
        if (total.addAndGet(bytes) > most) {
            outboundConnections.counts().refused(Reason.LIMIT);
            cut("more than the " + most + " bytes that may be " + what);
            throw over(null);
        }
    }

    private IOException broken(IOException e) {
        if (opening) {
            return e; // failed() says what it means
        }
        if (Thread.currentThread().isInterrupted()) {
            outbound.fail("its caller was interrupted");
            return new InterruptedIOException("The connection to " + place() + " was interrupted.");
        }
        outbound.fail(String.valueOf(e.getMessage()));
        return over(e);
    }

    private IOException over(IOException cause) {
        return new IOException(
                "The connection to " + place() + " is over: " + outbound.ending().orElse("") + ".",
                cause);
    }

    private final class Incoming extends InputStream {
        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] into, int offset, int length) throws IOException {
            if (length == 0) {
                return 0;
            }
            touch();
            int got;
            try {
                got = socket.getInputStream().read(into, offset, length);
            } catch (IOException e) {
                throw broken(e);
            }
            if (outbound.ending().isPresent()) {
                throw over(null);
            }
            if (got > 0) {
                touch();
                count(received, got, request.limits().maxBytesIn(), "received");
            }
            return got;
        }

        @Override
        public void close() {
            OpenTunnel.this.close();
        }
    }

    private final class Outgoing extends OutputStream {
        @Override
        public void write(int one) throws IOException {
            write(new byte[] {(byte) one}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            count(sent, length, request.limits().maxBytesOut(), "sent");
            try {
                OutputStream to = socket.getOutputStream();
                to.write(bytes, offset, length);
                to.flush();
            } catch (IOException e) {
                throw broken(e);
            }
        }

        @Override
        public void close() throws IOException {
            if (outbound.ending().isPresent()) {
                return;
            }
            try {
                socket.shutdownOutput();
            } catch (IOException e) {
                throw broken(e);
            }
        }
    }
}
