package palyra.itests.process;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.MessageDigest;
import java.security.cert.CertificateFactory;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Certificates that are made for one test, by the JDK's own tool. */
final class TestCertificates {
    private static final char[] PASSWORD = "test-only".toCharArray();
    private static final String ALIAS = "own";

    private final Path folder;

    /** Certificates in {@code folder}, which exists. */
    TestCertificates(Path folder) {
        this.folder = folder;
    }

    /** A certificate and its private key as PEM files. */
    record Identity(Path certificate, Path key) {
        /** Returns the SHA-256 of the certificate, hex. */
        String sha256() throws IOException, GeneralSecurityException {
            try (InputStream pem = Files.newInputStream(certificate)) {
                byte[] der =
                        CertificateFactory.getInstance("X.509")
                                .generateCertificate(pem)
                                .getEncoded();
                return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(der));
            }
        }
    }

    /** Makes an authority. */
    Identity authority(String name) throws Exception {
        makeKey(name, "-ext", "bc:c", "-ext", "ku:c=keyCertSign");
        Path certificate = file(name, ".pem");
        keytool(name, "-exportcert", "-rfc", "-file", certificate.toString());
        return new Identity(certificate, exportKey(name));
    }

    /** Makes a certificate that an authority signed; it names this machine. */
    Identity signed(String name, String authority) throws Exception {
        makeKey(name);
        Path request = file(name, ".csr");
        Path certificate = file(name, ".pem");
        keytool(name, "-certreq", "-file", request.toString());
        keytool(
                authority,
                "-gencert",
                "-rfc",
                "-validity",
                "30",
                "-ext",
                "san=dns:localhost,ip:127.0.0.1",
                "-infile",
                request.toString(),
                "-outfile",
                certificate.toString());
        return new Identity(certificate, exportKey(name));
    }

    private void makeKey(String name, String... further) throws Exception {
        List<String> words =
                new ArrayList<>(
                        List.of(
                                "-genkeypair",
                                "-keyalg",
                                "EC",
                                "-groupname",
                                "secp256r1",
                                "-validity",
                                "30",
                                "-dname",
                                "CN=" + name));
        words.addAll(List.of(further));
        keytool(name, words.toArray(String[]::new));
    }

    private Path exportKey(String name) throws IOException, GeneralSecurityException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream file = Files.newInputStream(file(name, ".p12"))) {
            store.load(file, PASSWORD);
        }
        byte[] key = store.getKey(ALIAS, PASSWORD).getEncoded();
        Path pem = file(name, ".key");
        Files.createFile(
                pem,
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        return Files.writeString(
                pem,
                "-----BEGIN PRIVATE KEY-----\n"
                        + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(key)
                        + "\n-----END PRIVATE KEY-----\n");
    }

    private Path file(String name, String suffix) {
        return folder.resolve(name + suffix);
    }

    private void keytool(String store, String... words) throws Exception {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
        command.addAll(List.of(words));
        command.addAll(List.of("-alias", ALIAS, "-storetype", "PKCS12"));
        command.addAll(List.of("-storepass", new String(PASSWORD)));
        command.addAll(List.of("-keystore", file(store, ".p12").toString()));
        Path said = file(store, ".log");
        Process process =
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(said.toFile())
                        .start();
        if (!process.waitFor(2, TimeUnit.MINUTES) || process.exitValue() != 0) {
            process.destroyForcibly();
            throw new AssertionError(command + ": " + Files.readString(said));
        }
    }
}
