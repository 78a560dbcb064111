package palyra.transport.grpc.internal.server;

import io.grpc.netty.shaded.io.netty.buffer.ByteBufAllocator;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContext;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSessionContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.PalyraException;
import palyra.api.core.ops.Finding;
import palyra.shared.files.FileStamp;

/**
 * The TLS of a server: each new connection uses what was last read from the files. Files that
 * change are read again; while they are not usable, the last good ones stay.
 */
final class Tls extends SslContext {
    private static final Logger LOG = LoggerFactory.getLogger(Tls.class);
    private static final Duration NOTICE = Duration.ofDays(14);

    private final TlsFiles files;
    private volatile Current current;
    private volatile String fault = ""; // why the files as they are now are not used
    private List<FileStamp> read; // only on the thread that polls, as the next
    private List<FileStamp> seen;

    private record Current(
            SslContext context, Instant validUntil, List<X509Certificate> authorities) {}

    /** Reads the files. INVALID_ARGUMENT when they are not usable. */
    Tls(TlsSettings settings) {
        files = new TlsFiles(settings);
        read = files.stamps();
        seen = read;
        use(files.read());
    }

    private void use(TlsMaterial material) {
        current = new Current(material.context(), material.validUntil(), material.authorities());
    }

    /**
     * Looks at the files. They are read again when they changed and then kept still, and as long as
     * they could not be used: what kept them from being read may be over.
     *
     * @return whether others are in use now
     */
    boolean poll() {
        List<FileStamp> now = files.stamps();
        boolean still = now.equals(seen);
        seen = now;
        if (!still || (now.equals(read) && fault.isEmpty())) {
            return false;
        }
        read = now;
        try {
            use(files.read());
            fault = "";
            LOG.info("gRPC uses the changed TLS files for new connections.");
            return true;
        } catch (PalyraException e) {
            if (!fault.equals(e.getMessage())) {
                fault = e.getMessage();
                LOG.warn("{} The files that were read before stay in use.", fault);
            }
            return false;
        }
    }

    /** Returns whether today's authorities vouch for the certificates that a client showed. */
    boolean trusts(List<X509Certificate> chain) {
        return ClientTrust.vouches(current.authorities(), chain);
    }

    /** Returns what an operator should know about the files. */
    Optional<Finding> finding() {
        if (!fault.isEmpty()) {
            return Optional.of(
                    finding(
                            Finding.Severity.ERROR,
                            "The changed TLS files are not used: " + fault,
                            "Correct them; until then the ones before stay in use."));
        }
        Instant end = current.validUntil();
        Instant now = Instant.now();
        if (now.isAfter(end)) {
            return Optional.of(
                    finding(
                            Finding.Severity.ERROR,
                            "The certificate of the gRPC port ended at " + end + ".",
                            "Put a new one in its place; it is taken up by itself."));
        }
        return now.isAfter(end.minus(NOTICE))
                ? Optional.of(
                        finding(
                                Finding.Severity.WARNING,
                                "The certificate of the gRPC port ends at " + end + ".",
                                "Put a new one in its place; it is taken up by itself."))
                : Optional.empty();
    }

    private static Finding finding(Finding.Severity severity, String message, String remedy) {
        return new Finding(severity, "grpc", message, remedy);
    }

    @Override
    public boolean isClient() {
        return false;
    }

    @Override
    public List<String> cipherSuites() {
        return current.context().cipherSuites();
    }

    @Override
    @SuppressWarnings("deprecation") // what the method must return is deprecated as a whole
    public io.grpc.netty.shaded.io.netty.handler.ssl.ApplicationProtocolNegotiator
            applicationProtocolNegotiator() {
        return current.context().applicationProtocolNegotiator();
    }

    @Override
    public SSLEngine newEngine(ByteBufAllocator allocator) {
        return current.context().newEngine(allocator);
    }

    @Override
    public SSLEngine newEngine(ByteBufAllocator allocator, String peer, int port) {
        return current.context().newEngine(allocator, peer, port);
    }

    @Override
    public SSLSessionContext sessionContext() {
        return current.context().sessionContext();
    }
}
