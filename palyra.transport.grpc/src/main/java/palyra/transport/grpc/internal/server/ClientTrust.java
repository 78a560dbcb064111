package palyra.transport.grpc.internal.server;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.stream.Stream;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;

/** Verifies chains of clients outside of a handshake, as the handshake does. Pure. */
final class ClientTrust {
    private ClientTrust() {}

    /** Returns whether the authorities vouch for a chain now; no authorities vouch for none. */
    static boolean vouches(List<X509Certificate> authorities, List<X509Certificate> chain) {
        try {
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(null, null);
            for (X509Certificate authority : authorities) {
                store.setCertificateEntry("ca" + store.size(), authority);
            }
            TrustManagerFactory trust =
                    TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(store);
            X509Certificate[] shown = chain.toArray(X509Certificate[]::new);
            String algorithm = chain.get(0).getPublicKey().getAlgorithm();
            for (X509TrustManager manager :
                    Stream.of(trust.getTrustManagers())
                            .filter(X509TrustManager.class::isInstance)
                            .map(X509TrustManager.class::cast)
                            .toList()) {
                manager.checkClientTrusted(shown, algorithm);
                return true;
            }
            return false;
        } catch (GeneralSecurityException | IOException e) {
            return false;
        }
    }
}
