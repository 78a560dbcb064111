package palyra.transport.grpc.internal.server;

import java.security.cert.Certificate;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import palyra.api.core.access.Credential;
import palyra.shared.hash.Digests;

/** Finds the certificate that a client showed and that TLS verified. */
final class PeerCertificates {
    private PeerCertificates() {}

    /** Returns the client's certificate; empty without TLS or when it showed none. */
    static Optional<Credential> of(SSLSession session) {
        if (session == null) {
            return Optional.empty();
        }
        try {
            Certificate[] chain = session.getPeerCertificates();
            return chain.length > 0 && chain[0] instanceof X509Certificate own
                    ? Optional.of(
                            new Credential.ClientCertificate(
                                    Digests.sha256Hex(own.getEncoded()),
                                    own.getSubjectX500Principal().getName()))
                    : Optional.empty();
        } catch (SSLPeerUnverifiedException | CertificateEncodingException e) {
            return Optional.empty();
        }
    }

    /** Returns until when the client's certificates are all valid; the end of time without any. */
    static Instant validUntil(SSLSession session) {
        return chain(session).stream()
                .map(each -> each.getNotAfter().toInstant())
                .min(Instant::compareTo)
                .orElse(Instant.MAX);
    }

    /** Returns the certificates that the client showed, its own first; empty without any. */
    static List<X509Certificate> chain(SSLSession session) {
        try {
            Certificate[] shown =
                    session == null ? new Certificate[0] : session.getPeerCertificates();
            return Stream.of(shown).map(X509Certificate.class::cast).toList();
        } catch (SSLPeerUnverifiedException e) {
            return List.of(); // it showed none
        }
    }
}
