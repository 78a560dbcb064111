package palyra.transport.grpc.internal.server;

import io.grpc.netty.shaded.io.netty.handler.ssl.ClientAuth;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContext;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContextBuilder;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLException;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;

/**
 * What a server proves itself with, and what it verifies clients with. Text forms hold no key.
 *
 * @param chain its own certificate first
 * @param authorities of clients; empty when clients are not asked
 */
record TlsMaterial(
        List<X509Certificate> chain,
        PrivateKey key,
        List<X509Certificate> authorities,
        TlsSettings.Clients clients) {
    private static final int PROBE_BYTES = 32;
    private static final Map<String, String> SIGNATURES =
            Map.of("RSA", "SHA256withRSA", "EC", "SHA256withECDSA", "EdDSA", "EdDSA");

    /** Returns until when the server's own certificate is valid. */
    Instant validUntil() {
        return chain.get(0).getNotAfter().toInstant();
    }

    /**
     * Throws unless the certificate is valid at {@code now}, the key is its own, and all of them
     * are strong.
     *
     * @param files how the files are called in the refusal
     */
    void check(Instant now, TlsSettings files) {
        X509Certificate own = chain.get(0);
        if (now.isBefore(own.getNotBefore().toInstant()) || now.isAfter(validUntil())) {
            throw refusal(
                    "the certificate in "
                            + files.certificate()
                            + " is valid from "
                            + own.getNotBefore().toInstant()
                            + " to "
                            + validUntil()
                            + " only; renew it");
        }
        requireStrong(files);
        if (!keyFits(own)) {
            throw refusal(
                    "the key in "
                            + files.privateKey()
                            + " does not belong to the first certificate in "
                            + files.certificate()
                            + "; put the server's own certificate first, and its key beside it");
        }
    }

    private void requireStrong(TlsSettings files) {
        TlsStrength.weakness(key).ifPresent(why -> refuse("the key in " + files.privateKey(), why));
        chain.forEach(each -> requireStrong(each, false, files.certificate()));
        authorities.forEach(each -> requireStrong(each, true, files.clientCa().orElseThrow()));
    }

    private static void requireStrong(X509Certificate certificate, boolean trusted, Path file) {
        TlsStrength.weakness(certificate, trusted)
                .ifPresent(
                        why ->
                                refuse(
                                        "the certificate of "
                                                + certificate.getSubjectX500Principal().getName()
                                                + " in "
                                                + file,
                                        why));
    }

    private static void refuse(String what, String why) {
        throw refusal(what + " is too weak: it has " + why);
    }

    private boolean keyFits(X509Certificate own) {
        String algorithm = SIGNATURES.get(key.getAlgorithm());
        if (algorithm == null) {
            return false;
        }
        byte[] probe = new byte[PROBE_BYTES];
        new SecureRandom().nextBytes(probe);
        try {
            Signature signature = Signature.getInstance(algorithm);
            signature.initSign(key);
            signature.update(probe);
            byte[] signed = signature.sign();
            signature.initVerify(own.getPublicKey());
            signature.update(probe);
            return signature.verify(signed);
        } catch (GeneralSecurityException e) {
            return false;
        }
    }

    /** Returns the settings of connections that are made from now on. */
    SslContext context() {
        try {
            SslContextBuilder builder = Library.forHttp2(SslContextBuilder.forServer(key, chain));
            if (clients != TlsSettings.Clients.NONE) {
                builder.trustManager(authorities)
                        .clientAuth(
                                clients == TlsSettings.Clients.REQUIRED
                                        ? ClientAuth.REQUIRE
                                        : ClientAuth.OPTIONAL);
            }
            return builder.build();
        } catch (SSLException | IllegalArgumentException e) {
            throw refusal("TLS cannot be set up with these files: " + e.getMessage());
        }
    }

    static PalyraException refusal(String what) {
        return new PalyraException(ErrorCode.INVALID_ARGUMENT, "gRPC: " + what + ".");
    }

    @Override
    public String toString() {
        return "TlsMaterial[" + chain.get(0).getSubjectX500Principal() + ", key withheld]";
    }
}
