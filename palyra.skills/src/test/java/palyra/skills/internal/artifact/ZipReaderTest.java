package palyra.skills.internal.artifact;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import palyra.skills.internal.RefusedException;

/** Archives that two readers could see differently, or that grow, are refused. */
class ZipReaderTest {
    private static SortedMap<String, byte[]> entries() {
        SortedMap<String, byte[]> entries = new TreeMap<>();
        entries.put("skill.toml", "a text that packs a text that packs a text".getBytes());
        entries.put("assets/x", new byte[] {1, 2, 3});
        return entries;
    }

    private static String refused(byte[] file) {
        return assertThrows(RefusedException.class, () -> ZipReader.read(file)).reason();
    }

    private static byte[] changed(Consumer<ByteBuffer> change) {
        byte[] file = ZipWriter.write(entries());
        change.accept(ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN));
        return file;
    }

    private static int end(ByteBuffer file) {
        return file.capacity() - 22;
    }

    private static int directory(ByteBuffer file) {
        return file.getInt(end(file) + 16);
    }

    @Test
    void readsWhatIsWrittenAndWhatOthersWriteStored() throws Exception {
        SortedMap<String, byte[]> read = ZipReader.read(ZipWriter.write(entries()));
        assertEquals(entries().keySet(), read.keySet());
        assertArrayEquals(entries().get("skill.toml"), read.get("skill.toml"));
        assertEquals(new TreeMap<>(), ZipReader.read(ZipWriter.write(new TreeMap<>())));
    }

    @Test
    void bytesBeforeBetweenAndAfterAreRefused() {
        byte[] file = ZipWriter.write(entries());
        byte[] before = new byte[file.length + 1];
        System.arraycopy(file, 0, before, 1, file.length);
        assertEquals("artifact_malformed", refused(before));
        assertEquals("artifact_malformed", refused(Arrays.copyOf(file, file.length + 1)));
        assertEquals("artifact_malformed", refused(Arrays.copyOf(file, file.length - 1)));
        int directory = directory(ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN));
        byte[] gap = new byte[file.length + 4];
        System.arraycopy(file, 0, gap, 0, directory);
        System.arraycopy(file, directory, gap, directory + 4, file.length - directory);
        ByteBuffer end = ByteBuffer.wrap(gap).order(ByteOrder.LITTLE_ENDIAN);
        end.putInt(end(end) + 16, directory + 4);
        assertEquals("artifact_malformed", refused(gap));
    }

    @Test
    void anyDisagreementOfHeaderAndDirectoryIsRefused() {
        for (int field = 0; field < 26; field++) {
            int at = 4 + field;
            assertEquals(
                    "artifact_malformed", refused(changed(f -> f.put(at, (byte) (f.get(at) ^ 1)))));
        }
        assertEquals("artifact_malformed", refused(changed(f -> f.put(30, (byte) 'b'))));
    }

    /** Flags, methods, attributes and counts, changed in both places alike. */
    @Test
    void encryptionStreamsLinksExtrasCommentsAndZip64AreRefused() {
        for (int flag : new int[] {1, 8, 0x40, 0x2000}) {
            assertEquals("artifact_malformed", refused(both(6, flag)));
        }
        assertEquals("artifact_malformed", refused(both(4, 45)));
        assertEquals("artifact_malformed", refused(both(8, 12)));
        assertEquals(
                "artifact_malformed",
                refused(changed(f -> f.putInt(directory(f) + 38, 0120777 << 16))));
        assertEquals(
                "artifact_malformed",
                refused(changed(f -> f.putShort(directory(f) + 30, (short) 4))));
        assertEquals(
                "artifact_malformed",
                refused(changed(f -> f.putShort(directory(f) + 32, (short) 4))));
        assertEquals(
                "artifact_malformed", refused(changed(f -> f.putShort(end(f) + 20, (short) 1))));
        assertEquals(
                "artifact_malformed", refused(changed(f -> f.putShort(end(f) + 4, (short) 1))));
        assertEquals(
                "artifact_malformed", refused(changed(f -> f.putShort(end(f) + 10, (short) 1))));
        assertEquals(
                "artifact_too_large",
                refused(
                        changed(
                                f -> {
                                    f.putShort(end(f) + 8, (short) 0xFFFF);
                                    f.putShort(end(f) + 10, (short) 0xFFFF);
                                })));
        assertEquals(
                "artifact_malformed",
                refused(changed(f -> f.putInt(directory(f) + 42, 0xFFFF_FFFF))));
    }

    private static byte[] both(int field, int value) {
        return changed(
                f -> {
                    f.putShort(field, (short) value);
                    f.putShort(directory(f) + field + 2, (short) value);
                });
    }

    @Test
    void duplicatesAlsoInOtherCaseAreRefused() {
        SortedMap<String, byte[]> two = new TreeMap<>();
        two.put("assets/x", new byte[1]);
        two.put("assets/X", new byte[1]);
        assertEquals("artifact_malformed", refused(ZipWriter.write(two)));
        byte[] same = ZipWriter.write(two);
        for (int i = 0; i < same.length; i++) {
            same[i] = same[i] == 'X' ? (byte) 'x' : same[i];
        }
        assertEquals("artifact_malformed", refused(same));
    }

    @Test
    void streamsOfTheJavaLibraryWithDescriptorsAreRefused() throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (ZipOutputStream zip = new ZipOutputStream(out)) {
            zip.putNextEntry(new ZipEntry("skill.toml"));
            zip.write(new byte[100]);
        }
        assertEquals("artifact_malformed", refused(out.toByteArray()));
    }

    @Test
    void bombsStopAtTheLimitAndLiesAboutSizesAreFoundOut() {
        SortedMap<String, byte[]> large = new TreeMap<>();
        large.put("assets/zeros", new byte[ArtifactLimits.MAX_ENTRY_BYTES + 1]);
        assertEquals("artifact_too_large", refused(ZipWriter.write(large)));
        large.clear();
        large.put("modules/a.wasm", new byte[ArtifactLimits.MAX_MODULE_BYTES + 1]);
        assertEquals("artifact_too_large", refused(ZipWriter.write(large)));
        large.clear();
        for (int i = 0; i < 5; i++) {
            large.put("assets/zeros" + i, new byte[ArtifactLimits.MAX_ENTRY_BYTES]);
        }
        assertEquals("artifact_too_large", refused(ZipWriter.write(large)));
        large.clear();
        for (int i = 0; i < 257; i++) {
            large.put("assets/" + i, new byte[0]);
        }
        assertEquals("artifact_too_large", refused(ZipWriter.write(large)));
        SortedMap<String, byte[]> one = new TreeMap<>();
        one.put("assets/zeros", new byte[1000]);
        for (int size : new int[] {999, 1001, 16}) {
            byte[] file = ZipWriter.write(one);
            ByteBuffer f = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN);
            f.putInt(22, size);
            f.putInt(directory(f) + 24, size);
            assertEquals("artifact_malformed", refused(file));
        }
    }

    /** Whatever is broken, the answer is a refusal and nothing else. */
    @Test
    void brokenBytesNeverDoMoreThanBeRefused() {
        byte[] good = ZipWriter.write(entries());
        Random random = new Random(7);
        for (int i = 0; i < 20_000; i++) {
            byte[] file = good.clone();
            for (int j = random.nextInt(4); j >= 0; j--) {
                file[random.nextInt(file.length)] = (byte) random.nextInt(256);
            }
            try {
                ZipReader.read(Arrays.copyOf(file, file.length - (i % 10 == 0 ? i % 40 : 0)));
            } catch (RefusedException e) {
                // as it should be
            }
        }
    }
}
