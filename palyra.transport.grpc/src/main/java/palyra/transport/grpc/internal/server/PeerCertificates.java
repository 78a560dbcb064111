package palyra.transport.grpc.internal.server;

import java.security.cert.Certificate;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.util.Optional;
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
}
