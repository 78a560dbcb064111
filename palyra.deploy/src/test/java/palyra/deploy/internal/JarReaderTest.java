package palyra.deploy.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Nothing but a whole, undamaged bundle is taken for one. */
class JarReaderTest {
    private static final long LIMIT = 1 << 20;

    @TempDir Path temp;

    private JarFacts read(byte[] jar) throws IOException, UnusableFileException {
        return read(jar, LIMIT);
    }

    private JarFacts read(byte[] jar, long limit) throws IOException, UnusableFileException {
        return JarReader.read(Files.write(temp.resolve("x.jar"), jar), "digest", limit);
    }

    private void refused(byte[] jar, String because) {
        UnusableFileException refusal = assertThrows(UnusableFileException.class, () -> read(jar));
        assertTrue(refusal.getMessage().contains(because), refusal.getMessage());
        assertTrue(refusal.remedy().endsWith("."), refusal.remedy());
    }

    private static TestJar bundle() {
        return new TestJar("acme.one", "1.2.3.x").entry("data.txt", "x".repeat(3_000));
    }

    /** Judged damaged it would never be read again as long as the file stays as it is. */
    @Test
    void takesNoJarForDamagedThatTheSystemCouldNotOpen() throws Exception {
        Path jar = temp.resolve("open.jar");
        Files.write(jar, new TestJar("acme.one", "1.0.0").bytes());
        assertThrows(
                FileNotFoundException.class,
                () ->
                        JarReader.read(
                                jar,
                                "digest",
                                1 << 20,
                                path -> {
                                    throw new FileNotFoundException(
                                            path + " (Too many open files)");
                                }));
        assertEquals("acme.one", JarReader.read(jar, "digest", 1 << 20).symbolicName());
    }

    @Test
    void readsWhatABundleIs() throws Exception {
        JarFacts facts = read(bundle().header("Bundle-SymbolicName", "acme.one; a:=b").bytes());
        assertEquals("acme.one 1.2.3.x", facts.title());
        assertEquals("it is not signed", facts.signatureLack());
        assertEquals(
                "0.0.0", read(bundle().without("Bundle-Version").bytes()).version().toString());
    }

    @Test
    void noBeginningOfAJarIsAJar() throws Exception {
        byte[] whole = bundle().bytes();
        read(whole);
        for (int length = 0; length < whole.length; length++) {
            byte[] part = Arrays.copyOf(whole, length);
            assertThrows(UnusableFileException.class, () -> read(part), "the first " + length);
        }
    }

    /** Cut where an inner jar ends, the beginning reads as that inner jar to most readers. */
    @Test
    void theBeginningOfAJarIsNotTheJarInIt() throws Exception {
        byte[] inner = bundle().bytes();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        int innerEnd;
        try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
            ZipEntry stored = new ZipEntry("lib/inner.jar");
            stored.setMethod(ZipEntry.STORED);
            stored.setSize(inner.length);
            CRC32 sum = new CRC32();
            sum.update(inner);
            stored.setCrc(sum.getValue());
            zip.putNextEntry(stored);
            zip.write(inner);
            zip.flush();
            innerEnd = bytes.size();
            zip.putNextEntry(new ZipEntry("more"));
        }
        byte[] part = Arrays.copyOf(bytes.toByteArray(), innerEnd);
        refused(part, "does not belong to the archive");
        read(Arrays.copyOfRange(part, part.length - inner.length, part.length));
    }

    @Test
    void refusesWhatStandsBeforeOrAfter() throws Exception {
        byte[] whole = bundle().bytes();
        byte[] before =
                Arrays.copyOf("PK\3\4junk".getBytes(StandardCharsets.ISO_8859_1), 8 + whole.length);
        System.arraycopy(whole, 0, before, 8, whole.length);
        refused(before, "does not belong to the archive");
        refused(Arrays.copyOf(whole, whole.length + 1), "not a whole jar");
        refused(
                "#!/bin/sh\n".repeat(100).getBytes(StandardCharsets.ISO_8859_1),
                "does not begin as a jar");
    }

    @Test
    void refusesAWrongByteAnywhereInTheContent() throws Exception {
        byte[] jar = bundle().bytes();
        int data = new String(jar, StandardCharsets.ISO_8859_1).indexOf("data.txt") + 12;
        byte[] wrong = jar.clone();
        wrong[data] ^= 0x55;
        refused(wrong, "damaged");
    }

    @Test
    void refusesAWrongSumInTheDirectory() throws Exception {
        byte[] jar = bundle().bytes();
        ByteBuffer buffer = ByteBuffer.wrap(jar).order(ByteOrder.LITTLE_ENDIAN);
        int directory = buffer.getInt(jar.length - 22 + 16);
        buffer.putInt(directory + 16, buffer.getInt(directory + 16) ^ 1);
        refused(jar, "is not what was packed");
    }

    @Test
    void refusesTwoEntriesOfOneName() throws Exception {
        byte[] jar = bundle().entry("dbta.txt", "evil").bytes();
        String text = new String(jar, StandardCharsets.ISO_8859_1).replace("dbta.txt", "data.txt");
        refused(text.getBytes(StandardCharsets.ISO_8859_1), "twice");
        byte[] second = bundle().entry("meta-inf/manifest.mf", "A: b\n").bytes();
        refused(second, "twice");
    }

    @Test
    void refusesNamesThatLeadOut() {
        refused(bundle().entry("../../evil", "x").bytes(), "../../evil");
        refused(bundle().entry("/etc/evil", "x").bytes(), "/etc/evil");
        refused(bundle().entry("a\\b", "x").bytes(), "has the name");
    }

    @Test
    void stopsUnpackingAtTheLimit() throws Exception {
        byte[] bomb = bundle().entry("zeros", new byte[8 << 20]).bytes();
        assertTrue(bomb.length < 64 << 10, "it is small: " + bomb.length);
        refused(bomb, "too many bytes");
        read(bomb, 16 << 20);
        byte[] many = bundle().entry("a", new byte[600_000]).entry("b", new byte[600_000]).bytes();
        refused(many, "too many bytes");
    }

    @Test
    void refusesAJarThatIsNoBundle() throws Exception {
        refused(bundle().without("Bundle-SymbolicName").bytes(), "no symbolic name");
        refused(bundle().header("Bundle-ManifestVersion", "1").bytes(), "no symbolic name");
        refused(bundle().header("Bundle-SymbolicName", "../x").bytes(), "symbolic name is");
        refused(bundle().header("Bundle-Version", "one").bytes(), "version cannot be read");
        refused(Signing.pack(Map.of("a", new byte[] {1})), "no manifest");
    }
}
