package palyra.deploy.internal;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.security.CodeSigner;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.Base64;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import palyra.shared.hash.Digests;

/**
 * Finds the signers of a whole jar: of every entry, and of the manifest with all its headers,
 * because an unsigned header could make other code run. Takes every entry after it was read
 * completely.
 */
final class Signatures {
    private static final String DIGEST_OF_MANIFEST = "-DIGEST-MANIFEST";

    /**
     * A signature file and its block, which verify themselves. META-INF/SIG-* is not included: the
     * specification lets signers leave it out, so another party may have added it.
     */
    private static final Pattern RELATED = Pattern.compile("META-INF/([^/]+)\\.(SF|DSA|RSA|EC)");

    private final Map<String, Signer> common = new TreeMap<>(); // signed all entries so far
    private boolean first = true;
    private final Set<String> signatureFiles = new TreeSet<>(); // by their names without .SF
    private final Map<String, String> blocks = new TreeMap<>(); // by the same: the entry
    private boolean foreign; // a signature file is for another manifest
    private String lack = "";

    /**
     * A signer of the whole jar.
     *
     * @param sha256 digest of the certificate in DER
     * @param subject subject of the certificate
     * @param fromMillis begin of its validity, unix time
     * @param untilMillis end of its validity, unix time
     */
    record Signer(String sha256, String subject, long fromMillis, long untilMillis) {
        boolean validAt(long millis) {
            return fromMillis <= millis && millis <= untilMillis;
        }
    }

    /** Adds an entry that was read completely. */
    void add(JarEntry entry) {
        String name = entry.getName().toUpperCase(Locale.ROOT);
        if (isSignature(name, entry.getName())
                || name.equals(JarFile.MANIFEST_NAME)
                || entry.isDirectory()) {
            return;
        }
        Map<String, Signer> here = new TreeMap<>();
        CodeSigner[] signers = entry.getCodeSigners();
        for (CodeSigner signer : signers == null ? new CodeSigner[0] : signers) {
            Signer one = signer(signer);
            here.put(one.sha256(), one);
        }
        if (here.isEmpty() && lack.isEmpty()) {
            lack = first ? "it is not signed" : entry.getName() + " in it is not signed";
        }
        if (first) {
            common.putAll(here);
        } else {
            common.keySet().retainAll(here.keySet());
        }
        first = false;
    }

    private boolean isSignature(String upper, String name) {
        Matcher related = RELATED.matcher(upper);
        if (!related.matches()) {
            return false;
        }
        if (related.group(2).equals("SF")) {
            signatureFiles.add(related.group(1));
        } else {
            blocks.put(related.group(1), name);
        }
        return true;
    }

    private static Signer signer(CodeSigner signer) {
        X509Certificate certificate =
                (X509Certificate) signer.getSignerCertPath().getCertificates().get(0);
        try {
            return new Signer(
                    Digests.sha256Hex(certificate.getEncoded()),
                    certificate.getSubjectX500Principal().getName(),
                    certificate.getNotBefore().toInstant().toEpochMilli(),
                    certificate.getNotAfter().toInstant().toEpochMilli());
        } catch (CertificateEncodingException e) {
            throw new SecurityException("a certificate has no form", e);
        }
    }

    /** Adds a signature file, which must be for exactly this manifest. */
    void addSignatureFile(String name, byte[] signatureFile, byte[] manifest) throws IOException {
        if (!coversManifest(signatureFile, manifest)) {
            foreign = true;
            lack = "the manifest is not the one that " + name + " was made for";
        }
    }

    private static boolean coversManifest(byte[] signatureFile, byte[] manifest)
            throws IOException {
        Attributes main = new Manifest(new ByteArrayInputStream(signatureFile)).getMainAttributes();
        boolean covers = false;
        for (Map.Entry<Object, Object> each : main.entrySet()) {
            String name = each.getKey().toString().toUpperCase(Locale.ROOT);
            if (name.endsWith(DIGEST_OF_MANIFEST)) {
                String algorithm = name.substring(0, name.length() - DIGEST_OF_MANIFEST.length());
                if (!matches(algorithm, each.getValue().toString(), manifest)) {
                    return false;
                }
                covers = true;
            }
        }
        return covers;
    }

    private static boolean matches(String algorithm, String expected, byte[] manifest) {
        try {
            byte[] found = MessageDigest.getInstance(algorithm).digest(manifest);
            return Arrays.equals(found, Base64.getDecoder().decode(expected));
        } catch (NoSuchAlgorithmException | IllegalArgumentException e) {
            return false;
        }
    }

    /** Returns the signers of all of it, by the digest of their certificate. */
    Map<String, Signer> signers() {
        return foreign || !lonely().isEmpty() ? Map.of() : Map.copyOf(common);
    }

    /** Returns a file that has the name but not the role of a signature file; empty without one. */
    private String lonely() {
        for (Map.Entry<String, String> block : blocks.entrySet()) {
            if (!signatureFiles.contains(block.getKey())) {
                return block.getValue();
            }
        }
        return signatureFiles.stream()
                .filter(name -> !blocks.containsKey(name))
                .map(name -> "META-INF/" + name + ".SF")
                .findFirst()
                .orElse("");
    }

    /** Returns why it has no signer of the whole, for a message; empty when it has one. */
    String lack() {
        if (!signers().isEmpty()) {
            return "";
        }
        if (first && !foreign) {
            return "it is not signed";
        }
        if (lack.isEmpty() && !common.isEmpty() && !lonely().isEmpty()) {
            return lonely() + " in it belongs to no signature";
        }
        return lack.isEmpty() ? "no one signer signed all of it" : lack;
    }
}
