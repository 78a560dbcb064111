package palyra.deploy.internal;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.CertPath;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipInputStream;
import java.util.zip.ZipOutputStream;
import jdk.security.jarsigner.JarSigner;
import palyra.shared.hash.Digests;

/** A signer of jars, with a certificate made by the JDK's own tool. */
final class Signing {
    private static final char[] PASSWORD = "changeit".toCharArray();

    private final PrivateKey key;
    private final Certificate certificate;
    private final String name;

    private Signing(String name, PrivateKey key, Certificate certificate) {
        this.name = name;
        this.key = key;
        this.certificate = certificate;
    }

    /**
     * Makes one.
     *
     * @param name letters only
     * @param validity options of keytool that say from when and how long
     */
    static Signing make(Path folder, String name, String... validity) throws Exception {
        Path store = folder.resolve(name + ".p12");
        List<String> command =
                new ArrayList<>(
                        List.of(
                                Path.of(System.getProperty("java.home"), "bin/keytool").toString(),
                                "-genkeypair",
                                "-keyalg",
                                "EC",
                                "-groupname",
                                "secp256r1",
                                "-alias",
                                "one",
                                "-dname",
                                "CN=" + name,
                                "-keystore",
                                store.toString(),
                                "-storetype",
                                "PKCS12",
                                "-storepass",
                                new String(PASSWORD)));
        command.addAll(List.of(validity));
        Path output = folder.resolve(name + ".txt");
        Process process =
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(output.toFile())
                        .start();
        if (!process.waitFor(60, TimeUnit.SECONDS) || process.exitValue() != 0) {
            throw new IOException("keytool: " + Files.readString(output));
        }
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(store)) {
            keys.load(in, PASSWORD);
        }
        return new Signing(
                name, (PrivateKey) keys.getKey("one", PASSWORD), keys.getCertificate("one"));
    }

    String certificateSha256() throws Exception {
        return Digests.sha256Hex(certificate.getEncoded());
    }

    String pin() throws Exception {
        return "signer:" + certificateSha256();
    }

    /** Returns a jar signed by this one. */
    byte[] sign(byte[] jar) throws Exception {
        CertPath path =
                CertificateFactory.getInstance("X.509").generateCertPath(List.of(certificate));
        Path file = Files.createTempFile("unsigned", ".jar");
        try {
            Files.write(file, jar);
            ByteArrayOutputStream signed = new ByteArrayOutputStream();
            try (ZipFile zip = new ZipFile(file.toFile())) {
                new JarSigner.Builder(key, path)
                        .digestAlgorithm("SHA-256")
                        .signerName(name.toUpperCase(java.util.Locale.ROOT))
                        .build()
                        .sign(zip, signed);
            }
            return signed.toByteArray();
        } finally {
            Files.delete(file);
        }
    }

    /** Returns what is in a jar, in its order. */
    static Map<String, byte[]> unpack(byte[] jar) throws IOException {
        Map<String, byte[]> entries = new LinkedHashMap<>();
        try (ZipInputStream zip = new ZipInputStream(new ByteArrayInputStream(jar))) {
            for (ZipEntry e = zip.getNextEntry(); e != null; e = zip.getNextEntry()) {
                entries.put(e.getName(), zip.readAllBytes());
            }
        }
        return entries;
    }

    /** Returns a jar of these entries. */
    static byte[] pack(Map<String, byte[]> entries) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
            for (Map.Entry<String, byte[]> entry : entries.entrySet()) {
                zip.putNextEntry(new ZipEntry(entry.getKey()));
                zip.write(entry.getValue());
            }
        }
        return bytes.toByteArray();
    }
}
