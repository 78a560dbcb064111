package palyra.deploy.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.jar.Manifest;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A signer is named only for a jar that is, to the last header, what was signed. */
class SignaturesTest {
    private static final String MANIFEST = "META-INF/MANIFEST.MF";
    @TempDir static Path keys;
    private static Signing acme;
    private static Signing other;

    @TempDir Path temp;

    @BeforeAll
    static void makeSigners() throws Exception {
        acme = Signing.make(keys, "acme", "-validity", "3650");
        other = Signing.make(keys, "other", "-validity", "3650");
    }

    private JarFacts read(byte[] jar) throws IOException, UnusableFileException {
        return JarReader.read(Files.write(temp.resolve("x.jar"), jar), "digest", 1 << 20);
    }

    private static TestJar bundle() {
        return new TestJar("acme.one", "1.0.0")
                .entry("a/", "")
                .entry("a/code.txt", "good")
                .entry("META-INF/services/x", "good");
    }

    private static byte[] with(byte[] jar, String entry, String text) throws IOException {
        Map<String, byte[]> entries = Signing.unpack(jar);
        entries.put(entry, text.getBytes(StandardCharsets.UTF_8));
        return Signing.pack(entries);
    }

    private void unsigned(byte[] jar, String because) throws Exception {
        JarFacts facts = read(jar);
        assertEquals(Map.of(), facts.signers());
        assertTrue(facts.signatureLack().contains(because), facts.signatureLack());
    }

    @Test
    void namesWhoSignedTheWhole() throws Exception {
        JarFacts facts = read(acme.sign(bundle().bytes()));
        assertEquals(Set.of(acme.certificateSha256()), facts.signers().keySet());
        assertEquals("", facts.signatureLack());
        Signatures.Signer signer = facts.signers().get(acme.certificateSha256());
        assertEquals("CN=acme", signer.subject());
        assertTrue(signer.validAt(System.currentTimeMillis()));
        assertTrue(!signer.validAt(0));
    }

    @Test
    void namesBothOfTwo() throws Exception {
        byte[] twice = other.sign(acme.sign(bundle().bytes()));
        assertEquals(
                Set.of(acme.certificateSha256(), other.certificateSha256()),
                read(twice).signers().keySet());
    }

    @Test
    void namesNobodyForAnUnsignedJar() throws Exception {
        unsigned(bundle().bytes(), "it is not signed");
    }

    @Test
    void namesNobodyWhenSomethingWasAdded() throws Exception {
        byte[] signed = acme.sign(bundle().bytes());
        unsigned(with(signed, "evil.class", "evil"), "evil.class in it is not signed");
        unsigned(with(signed, "META-INF/services/evil", "evil"), "is not signed");
        unsigned(with(signed, "META-INF/deeper/X.SF", "evil"), "is not signed");
        unsigned(with(signed, "META-INF/versions/9/evil", "evil"), "is not signed");
    }

    @Test
    void deniesSignerWhenUnsignedSigEntryWasAdded() throws Exception {
        byte[] signed = acme.sign(bundle().bytes());
        unsigned(
                with(signed, "META-INF/SIG-EVIL", "evil"), "META-INF/SIG-EVIL in it is not signed");
        unsigned(with(signed, "meta-inf/sig-evil.class", "evil"), "is not signed");
        unsigned(acme.sign(bundle().entry("META-INF/SIG-OWN", "x").bytes()), "is not signed");
    }

    @Test
    void deniesSignerWhenFileOnlyLooksLikePartOfASignature() throws Exception {
        byte[] signed = acme.sign(bundle().bytes());
        unsigned(
                with(signed, "META-INF/EVIL.RSA", "evil"),
                "EVIL.RSA in it belongs to no signature");
    }

    @Test
    void refusesAJarThatWasChanged() throws Exception {
        byte[] changed = with(acme.sign(bundle().bytes()), "a/code.txt", "evil");
        UnusableFileException refusal =
                assertThrows(UnusableFileException.class, () -> read(changed));
        assertTrue(refusal.getMessage().contains("changed after it was signed"));
    }

    private static byte[] manifest(byte[] jar, String header, String value) throws IOException {
        Map<String, byte[]> entries = Signing.unpack(jar);
        Manifest manifest = new Manifest(new ByteArrayInputStream(entries.get(MANIFEST)));
        manifest.getMainAttributes().putValue(header, value);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        manifest.write(bytes);
        entries.put(MANIFEST, bytes.toByteArray());
        return Signing.pack(entries);
    }

    /** A header can bring other code to run without a change of any entry. */
    @Test
    void takesNoSignatureForOtherHeaders() throws Exception {
        byte[] signed = acme.sign(bundle().bytes());
        assertThrows(
                UnusableFileException.class,
                () -> read(manifest(signed, "Bundle-Activator", "a.Evil")));
    }

    /**
     * Signature files of old tools cover no headers; then only the whole manifest's digest does.
     */
    @Test
    void takesNoSignatureThatDoesNotSpeakOfThisManifest() throws Exception {
        Map<String, byte[]> entries = Signing.unpack(acme.sign(bundle().bytes()));
        byte[] signatureFile = entries.get("META-INF/ACME.SF");
        byte[] manifest = entries.get(MANIFEST);
        assertTrue(covers(signatureFile, manifest));
        String text = new String(signatureFile, StandardCharsets.UTF_8);
        String silent = text.replaceAll("(?m)^SHA-256-Digest-Manifest: .*\r?\n", "");
        assertTrue(!covers(silent.getBytes(StandardCharsets.UTF_8), manifest));
        manifest[manifest.length / 2] ^= 1;
        assertTrue(!covers(signatureFile, manifest));
    }

    private static boolean covers(byte[] signatureFile, byte[] manifest) throws IOException {
        Signatures signatures = new Signatures();
        signatures.addSignatureFile("META-INF/X.SF", signatureFile, manifest);
        return !signatures.lack().contains("is not the one");
    }

    @Test
    void takesNoSignatureOfWhichThePartsDoNotBelongTogether() throws Exception {
        Map<String, byte[]> mine = Signing.unpack(acme.sign(bundle().bytes()));
        Map<String, byte[]> theirs =
                Signing.unpack(other.sign(bundle().entry("more", "x").bytes()));
        mine.put("META-INF/ACME.EC", theirs.get("META-INF/OTHER.EC"));
        byte[] mixed = Signing.pack(mine);
        JarFacts facts;
        try {
            facts = read(mixed);
        } catch (UnusableFileException e) {
            return; // refused altogether, which is as good
        }
        assertEquals(Map.of(), facts.signers());
    }

    @Test
    void takesNoBlockWithoutItsSignatureFile() throws Exception {
        Map<String, byte[]> entries = Signing.unpack(acme.sign(bundle().bytes()));
        entries.remove("META-INF/ACME.SF");
        unsigned(Signing.pack(entries), "it is not signed");
        entries = Signing.unpack(acme.sign(bundle().bytes()));
        entries.remove("META-INF/ACME.EC");
        unsigned(Signing.pack(entries), "it is not signed");
    }
}
