package palyra.sandbox.internal.egress;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;

/**
 * TLS of the client: the platform's authorities and perhaps further ones, TLS 1.2 or 1.3, the
 * certificate verified against the name that was asked for (RFC 9110, section 4.3.4). Thread-safe.
 */
final class Tls {
    private final Collection<? extends Certificate> more;
    private final ReentrantLock lock = new ReentrantLock();
    private SSLContext context; // guarded by lock; null until the first connection

    private Tls(Collection<? extends Certificate> more) {
        this.more = List.copyOf(more);
    }

    /**
     * Returns TLS that trusts the platform's authorities. They are read at the first connection.
     */
    static Tls ofThePlatform() {
        return new Tls(List.of());
    }

    /**
     * Returns TLS that trusts the platform's authorities and those of a PEM file.
     *
     * @throws PalyraException INVALID_ARGUMENT when the file has no usable certificate
     */
    static Tls withAuthorities(Path pem) {
        try (InputStream in = Files.newInputStream(pem)) {
            Collection<? extends Certificate> more =
                    CertificateFactory.getInstance("X.509").generateCertificates(in);
            if (!more.isEmpty()) {
                return new Tls(more);
            }
        } catch (IOException | GeneralSecurityException e) {
            throw unusable(pem, e);
        }
        throw unusable(pem, null);
    }

    private static PalyraException unusable(Path pem, Exception cause) {
        return new PalyraException(
                ErrorCode.INVALID_ARGUMENT,
                "The file " + pem + " has no readable CA certificates; give a readable PEM file.",
                cause);
    }

    private SSLContext context() {
        lock.lock();
        try {
            if (context == null) {
                context = trusting(more);
            }
            return context;
        } finally {
            lock.unlock();
        }
    }

    private static SSLContext trusting(Collection<? extends Certificate> more) {
        try {
            KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
            trusted.load(null, null);
            int number = 0;
            for (X509Certificate each : authoritiesOfThePlatform()) {
                trusted.setCertificateEntry("platform-" + number++, each);
            }
            for (Certificate each : more) {
                trusted.setCertificateEntry("further-" + number++, each);
            }
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, factory(trusted).getTrustManagers(), null);
            return context;
        } catch (IOException | GeneralSecurityException e) {
            throw new PalyraException(
                    ErrorCode.INTERNAL, "TLS cannot be set up on this platform.", e);
        }
    }

    private static TrustManagerFactory factory(KeyStore trusted) throws GeneralSecurityException {
        TrustManagerFactory factory =
                TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(trusted);
        return factory;
    }

    private static List<X509Certificate> authoritiesOfThePlatform()
            throws GeneralSecurityException {
        for (TrustManager manager : factory(null).getTrustManagers()) {
            if (manager instanceof X509TrustManager x509) {
                return List.of(x509.getAcceptedIssuers());
            }
        }
        return List.of();
    }

    /**
     * Speaks TLS over a connection.
     *
     * @param protocols application protocols to offer; empty for no offer
     * @throws IOException when the other end does not prove that it is {@code host}
     */
    SSLSocket wrap(Socket plain, Host host, int port, List<String> protocols) throws IOException {
        SSLSocket socket =
                (SSLSocket)
                        context().getSocketFactory().createSocket(plain, host.text(), port, true);
        SSLParameters parameters = socket.getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        parameters.setProtocols(new String[] {"TLSv1.3", "TLSv1.2"});
        parameters.setApplicationProtocols(protocols.toArray(String[]::new));
        socket.setSSLParameters(parameters);
        socket.startHandshake();
        return socket;
    }
}
