package palyra.backup.internal.restore;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.zip.CRC32;
import java.util.zip.Deflater;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.backup.internal.archive.Manifest;
import palyra.shared.hash.Digests;

/** Backups that were cut off, changed or made by others are refused, and nothing is restored. */
class DamagedBackupTest {
    private static final int SEGMENT = (64 << 10) + 16;
    private static final int SEALED_HEADER = 16 + 27;
    private static final int LOCAL_HEADER = 0x04034b50;
    private static final int INDEX_ENTRY = 0x02014b50;

    @TempDir Path temp;
    private Path source;
    private Path state;

    @BeforeEach
    void fill() throws IOException {
        source = Sample.source(temp.resolve("source"), 100);
        state = temp.resolve("place/state");
    }

    private PalyraException refused(InputStream backup) {
        PalyraException e =
                assertThrows(
                        PalyraException.class,
                        () -> Sample.restore(state, backup, Sample.UNFORCED, List.of()));
        assertTrue(Files.notExists(state), "nothing is restored");
        assertTrue(Files.notExists(Sample.draft(state)), "no draft stays");
        assertTrue(e.getMessage().endsWith(".") && e.getMessage().length() < 300, e.getMessage());
        return e;
    }

    private void refuses(ErrorCode code, byte[] backup) {
        PalyraException e = refused(new ByteArrayInputStream(backup));
        assertEquals(code, e.code(), e.getMessage());
    }

    private static Set<Integer> positions(byte[] backup, int step, int... signatures) {
        Set<Integer> positions = new TreeSet<>();
        for (int at = 0; at < backup.length; at += step) {
            positions.add(at);
        }
        for (int at = 0; at + 4 <= backup.length; at++) {
            for (int signature : signatures) {
                if (little(backup, at) == signature) {
                    positions.addAll(List.of(Math.max(0, at - 1), at, at + 1, at + 4));
                }
            }
        }
        positions.add(backup.length - 1);
        return positions;
    }

    private static int little(byte[] bytes, int at) {
        return bytes[at] & 0xFF
                | (bytes[at + 1] & 0xFF) << 8
                | (bytes[at + 2] & 0xFF) << 16
                | bytes[at + 3] << 24;
    }

    @Test
    void aPlainBackupThatIsCutOffAnywhereIsRefused() throws IOException {
        byte[] backup = Sample.backup(source, true);
        for (int end : positions(backup, 7, LOCAL_HEADER, INDEX_ENTRY)) {
            if (end >= 4) {
                refuses(ErrorCode.CORRUPT, Arrays.copyOf(backup, end));
            }
        }
        refuses(ErrorCode.CORRUPT, Arrays.copyOf(backup, backup.length + 1));
    }

    @Test
    void aSealedBackupThatIsCutOffAnywhereIsRefused() throws IOException {
        source = Sample.source(temp.resolve("large"), 200_000);
        byte[] backup = Sample.backup(source, false);
        Set<Integer> ends = positions(backup, backup.length / 40);
        for (int at = SEALED_HEADER; at < backup.length; at += SEGMENT) {
            ends.addAll(List.of(at - 1, at, at + 1, at + 15, at + 16, at + 17));
        }
        ends.removeIf(end -> end < 16);
        for (int end : ends) {
            PalyraException e = refused(new ByteArrayInputStream(Arrays.copyOf(backup, end)));
            assertTrue(
                    e.code() == ErrorCode.CORRUPT
                            || e.code() == ErrorCode.UNAUTHENTICATED
                                    && end <= SEALED_HEADER + SEGMENT,
                    end + ": " + e);
        }
        refuses(ErrorCode.CORRUPT, Arrays.copyOf(backup, backup.length + 1));
        assertTrue(backup.length > 3 * SEGMENT, "several segments");
    }

    /** The archive's own names, times and index, which nothing is restored by, may be changed. */
    @Test
    void aPlainBackupWithAnyByteChangedIsRefusedOrRestoredAsItWas() throws IOException {
        byte[] backup = Sample.backup(source, true);
        Map<String, String> content = Sample.content(source);
        int index = new String(backup, StandardCharsets.ISO_8859_1).indexOf("PK\1\2");
        int refused = 0;
        for (int at = 4; at < backup.length; at++) {
            byte[] changed = backup.clone();
            changed[at] ^= (byte) (1 << at % 8);
            Path place = temp.resolve("changed/" + at);
            try {
                Sample.restore(place, changed);
                assertEquals(content, Sample.content(place), "byte " + at);
            } catch (PalyraException e) {
                assertTrue(
                        e.code() == ErrorCode.CORRUPT || e.code() == ErrorCode.INVALID_ARGUMENT,
                        at + ": " + e);
                assertFalse(Files.exists(place));
                refused++;
            }
            assertFalse(Files.exists(Sample.draft(place)), "byte " + at);
        }
        assertTrue(refused > index / 2, refused + " of " + index);
    }

    @Test
    void aSealedBackupWithAnyByteChangedIsRefused() throws IOException {
        source = Sample.source(temp.resolve("large"), 100_000);
        byte[] backup = Sample.backup(source, false);
        Set<Integer> positions = positions(backup, backup.length / 60);
        for (int at = 0; at < SEALED_HEADER + 20; at++) {
            positions.add(at);
        }
        positions.addAll(List.of(SEALED_HEADER + SEGMENT - 1, SEALED_HEADER + SEGMENT));
        for (int at : positions) {
            byte[] changed = backup.clone();
            changed[at] ^= 1;
            PalyraException e = refused(new ByteArrayInputStream(changed));
            assertTrue(
                    e.code() == ErrorCode.CORRUPT
                            || e.code() == ErrorCode.UNAUTHENTICATED
                            || e.code() == ErrorCode.INVALID_ARGUMENT && at < 16,
                    at + ": " + e);
        }
    }

    @Test
    void aWrongPassphraseIsNamedAsSuch() throws IOException {
        byte[] backup = Sample.backup(source, false);
        Restore restore = new Restore(state, Sample.UNFORCED, text -> {}, text -> {});
        for (String wrong : List.of("correct horsf", "Correct horse", "correct horse ")) {
            PalyraException e =
                    assertThrows(
                            PalyraException.class,
                            () ->
                                    restore.from(
                                            new ByteArrayInputStream(backup),
                                            () -> wrong.getBytes(StandardCharsets.UTF_8)));
            assertEquals(ErrorCode.UNAUTHENTICATED, e.code());
            assertTrue(e.getMessage().startsWith("The passphrase is not the one"), e.getMessage());
        }
        for (String none : List.of("", "short", "x".repeat(1_025))) {
            PalyraException e =
                    assertThrows(
                            PalyraException.class,
                            () ->
                                    restore.from(
                                            new ByteArrayInputStream(backup),
                                            () -> none.getBytes(StandardCharsets.UTF_8)));
            assertEquals(ErrorCode.INVALID_ARGUMENT, e.code());
            assertTrue(e.getMessage().contains("has " + none.length()), e.getMessage());
        }
        assertFalse(Files.exists(state) || Files.exists(Sample.draft(state)));
    }

    @Test
    void whatIsNoBackupIsNamedAsSuch() {
        for (String text : List.of("", "P", "hello", "PALYRA", "x".repeat(200_000))) {
            refuses(ErrorCode.INVALID_ARGUMENT, text.getBytes(StandardCharsets.UTF_8));
        }
        for (String text : List.of("PK\3\4", "PK\5\6" + "\0".repeat(18))) {
            refuses(ErrorCode.CORRUPT, text.getBytes(StandardCharsets.ISO_8859_1));
        }
    }

    @Test
    void aBackupOfALaterFormIsNamedWithBothForms() throws IOException {
        for (byte[] later :
                List.of(
                        "PALYRA-BACKUP 2\nwhatever".getBytes(StandardCharsets.UTF_8),
                        archive(Manifest.NAME, "{\"format\":2,\"palyra\":\"9.0\"}"))) {
            PalyraException e = refused(new ByteArrayInputStream(later));
            assertEquals(ErrorCode.INVALID_ARGUMENT, e.code());
            assertTrue(
                    e.getMessage()
                            .startsWith("The backup has the format 2; this version of Palyra"),
                    e.getMessage());
        }
    }

    private static byte[] archive(String... namesAndTexts) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (ZipOutputStream zip = new ZipOutputStream(out)) {
            for (int i = 0; i < namesAndTexts.length; i += 2) {
                zip.putNextEntry(new ZipEntry(namesAndTexts[i]));
                zip.write(namesAndTexts[i + 1].getBytes(StandardCharsets.UTF_8));
            }
        }
        return out.toByteArray();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{",
                "[]",
                "7",
                "{}",
                "{\"format\":\"1\"}",
                "{\"format\":1}",
                "{\"format\":1,\"files\":7}",
                "{\"format\":1,\"files\":{\"a\":1}}",
                "{\"format\":1,\"format\":1}",
                "{\"format\":1,\"files\":{\"a\":\"00\"}}"
            })
    void aManifestThatSaysSomethingElseIsRefused(String manifest) throws IOException {
        refuses(ErrorCode.CORRUPT, archive("a", "x", Manifest.NAME, manifest));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "../evil",
                "/etc/evil",
                "//evil",
                "a/../../evil",
                "a/../evil",
                "./evil",
                "a\\b",
                "",
                ".",
                "..",
                "a/",
                "a//b",
                "a/.",
                "restored.json/x",
                "lock",
                "a\0b",
                "journal/payloads/evil",
                "journal/payloads/00/../../evil",
                "journal/payloads/",
                "C:\\evil"
            })
    void aNameThatNoBackupHasIsRefused(String name) throws IOException {
        refuses(ErrorCode.CORRUPT, archive(name, "x"));
        assertFalse(Files.exists(temp.resolve("evil")));
        assertFalse(Files.exists(temp.resolve("place/evil")));
        assertFalse(Files.exists(Path.of("/etc/evil")));
    }

    @Test
    void longNamesAndFoldersBelowFilesAreRefused() throws IOException {
        refuses(ErrorCode.CORRUPT, archive("x".repeat(256), "x"));
        refuses(ErrorCode.CORRUPT, archive("\u00fc".repeat(128), "x"));
        refuses(ErrorCode.CORRUPT, archive("x/".repeat(512) + "x", "x"));
        refuses(ErrorCode.CORRUPT, archive("a", "x", "a/b", "x"));
        refuses(ErrorCode.CORRUPT, archive("a", "x", "a/b/c", "x"));
        refuses(ErrorCode.CORRUPT, archive("a/b", "x", "a", "x"));
    }

    @Test
    void aFileThatIsThereTwiceIsRefused() throws IOException {
        byte[] twice = archive("a", "x", "b", "y");
        for (int at = 0; at < twice.length - 1; at++) {
            if (twice[at] == 'b') {
                twice[at] = 'a';
            }
        }
        refuses(ErrorCode.CORRUPT, twice);
        byte[] manifestTwice =
                archive(Manifest.NAME, "{\"format\":1}", "restored.jsoN", "{\"format\":1}");
        String text = new String(manifestTwice, StandardCharsets.ISO_8859_1);
        refuses(
                ErrorCode.CORRUPT,
                text.replace("jsoN", "json").getBytes(StandardCharsets.ISO_8859_1));
    }

    /** A link is a file with the link's text as content: its attributes are in the index only. */
    @Test
    void aLinkIsNotFollowed() throws IOException {
        byte[] link = archive("evil", "/etc", "evil/passwd", "x");
        refuses(ErrorCode.CORRUPT, link);
    }

    @Test
    void aSizeThatIsClaimedIsNotBelieved() throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (ZipOutputStream zip = new ZipOutputStream(out)) {
            ZipEntry entry = new ZipEntry("a");
            byte[] content = "x".getBytes(StandardCharsets.UTF_8);
            CRC32 crc = new CRC32();
            crc.update(content);
            entry.setMethod(ZipEntry.STORED);
            entry.setSize(1);
            entry.setCompressedSize(1);
            entry.setCrc(crc.getValue());
            zip.putNextEntry(entry);
            zip.write(content);
        }
        byte[] claimed = out.toByteArray();
        for (int at : new int[] {18, 22}) { // compressed and plain size of the local header
            claimed[at] = (byte) 0xFE;
            claimed[at + 1] = (byte) 0xFF;
            claimed[at + 2] = (byte) 0xFF;
            claimed[at + 3] = (byte) 0x7F;
        }
        refuses(ErrorCode.CORRUPT, claimed);
    }

    @Test
    void aManifestThatDoesNotEndIsRefusedBeforeItFillsTheMemory() throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (ZipOutputStream zip = new ZipOutputStream(out)) {
            zip.setLevel(Deflater.BEST_COMPRESSION);
            zip.putNextEntry(new ZipEntry(Manifest.NAME));
            byte[] blanks = new byte[1 << 20];
            Arrays.fill(blanks, (byte) ' ');
            for (int i = 0; i < 256; i++) {
                zip.write(blanks);
            }
        }
        refuses(ErrorCode.CORRUPT, out.toByteArray());
    }

    /** Names are all that is kept of a file; here they would take more than a manifest may. */
    @Test
    void filesWithoutEndAreRefusedBeforeTheirNamesFillTheMemory() throws IOException {
        String folder = ("x".repeat(200) + "/").repeat(4);
        InputStream endless =
                new InputStream() {
                    private int number;
                    private byte[] entry = new byte[0];
                    private int at;

                    @Override
                    public int read() {
                        if (at == entry.length) {
                            entry = stored(folder + number++);
                            at = 0;
                        }
                        return entry[at++] & 0xFF;
                    }
                };
        PalyraException e = refused(endless);
        assertEquals(ErrorCode.CORRUPT, e.code());
        assertTrue(e.getMessage().contains("more files than any backup"), e.getMessage());
    }

    /** Returns an empty file as it is in an archive. */
    private static byte[] stored(String name) {
        byte[] text = name.getBytes(StandardCharsets.UTF_8);
        byte[] entry = new byte[30 + text.length];
        entry[0] = 'P';
        entry[1] = 'K';
        entry[2] = 3;
        entry[3] = 4;
        entry[26] = (byte) text.length;
        entry[27] = (byte) (text.length >> 8);
        System.arraycopy(text, 0, entry, 30, text.length);
        return entry;
    }

    @Test
    void digestsOfFilesAreThoseOfTheManifest() throws IOException {
        String sha256 = Digests.sha256Hex("x".getBytes(StandardCharsets.UTF_8));
        Sample.restore(
                state,
                archive(
                        "a",
                        "x",
                        Manifest.NAME,
                        "{\"format\":1,\"files\":{\"a\":\"" + sha256 + "\"}}"));
        assertEquals("x", Files.readString(state.resolve("a")));
    }
}
