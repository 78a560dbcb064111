package palyra.transport.grpc.internal.server;

import java.io.ByteArrayInputStream;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads certificates and keys in PEM (RFC 7468). Refusals end a sentence and hold no content. */
final class Pem {
    private static final Pattern BLOCK =
            Pattern.compile("-----BEGIN ([A-Z0-9 ]+)-----([A-Za-z0-9+/=\\s]*)-----END \\1-----");
    private static final Pattern OTHER_BLOCK = Pattern.compile("-----BEGIN ([A-Z0-9 ]+)-----");
    private static final List<String> ALGORITHMS = List.of("RSA", "EC", "EdDSA");

    private Pem() {}

    /** Returns the certificates in their order. */
    static List<X509Certificate> certificates(String text) throws GeneralSecurityException {
        CertificateFactory factory = CertificateFactory.getInstance("X.509");
        List<X509Certificate> found = new ArrayList<>();
        Matcher block = BLOCK.matcher(text);
        while (block.find()) {
            if (block.group(1).equals("CERTIFICATE")) {
                var der = new ByteArrayInputStream(bytes(block.group(2)));
                found.add((X509Certificate) factory.generateCertificate(der));
            }
        }
        if (found.isEmpty()) {
            throw new GeneralSecurityException("it holds no block BEGIN CERTIFICATE");
        }
        return List.copyOf(found);
    }

    /** Returns the one private key. */
    static PrivateKey privateKey(String text) throws GeneralSecurityException {
        Matcher block = BLOCK.matcher(text);
        byte[] key = null;
        while (block.find()) {
            if (block.group(1).equals("PRIVATE KEY")) {
                if (key != null) {
                    throw new GeneralSecurityException("it holds more than one key");
                }
                key = bytes(block.group(2));
            }
        }
        if (key == null) {
            throw new GeneralSecurityException(noKey(text));
        }
        return privateKey(key);
    }

    private static String noKey(String text) {
        Matcher other = OTHER_BLOCK.matcher(text);
        while (other.find()) {
            if (other.group(1).endsWith("ENCRYPTED PRIVATE KEY")
                    || text.contains("Proc-Type: 4,ENCRYPTED")) {
                return "its key is encrypted; decrypt it with openssl pkcs8 -topk8 -nocrypt";
            }
            if (other.group(1).endsWith(" PRIVATE KEY")) {
                return "its key is of the form "
                        + other.group(1)
                        + "; convert it with openssl pkcs8 -topk8 -nocrypt";
            }
        }
        return "it holds no block BEGIN PRIVATE KEY";
    }

    private static PrivateKey privateKey(byte[] pkcs8) throws GeneralSecurityException {
        for (String algorithm : ALGORITHMS) {
            try {
                return KeyFactory.getInstance(algorithm)
                        .generatePrivate(new PKCS8EncodedKeySpec(pkcs8));
            } catch (GeneralSecurityException e) {
                // Another algorithm's: the next one may know it.
            }
        }
        throw new GeneralSecurityException("its key algorithm is not one of " + ALGORITHMS);
    }

    private static byte[] bytes(String base64) throws GeneralSecurityException {
        try {
            return Base64.getMimeDecoder().decode(base64);
        } catch (IllegalArgumentException e) {
            throw new GeneralSecurityException("a block of it is not Base64", e);
        }
    }
}
