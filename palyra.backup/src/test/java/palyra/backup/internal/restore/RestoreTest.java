package palyra.backup.internal.restore;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.backup.internal.archive.BackupWriter;
import palyra.backup.internal.archive.Manifest;
import palyra.backup.internal.archive.SealedOutput;
import palyra.shared.hash.Digests;

class RestoreTest {
    @TempDir Path temp;
    private Path source;
    private Path state;

    @BeforeEach
    void fill() throws IOException {
        source = temp.resolve("source");
        state = temp.resolve("place/state");
        write("journal/journal.db", "database");
        write("keys/published.json", "{}");
        write("policies/own.cedar", "permit (principal, action, resource);");
        byte[] payload = "payload".repeat(20_000).getBytes(StandardCharsets.UTF_8);
        String sha256 = Digests.sha256Hex(payload);
        Path file = source.resolve("journal/payloads/" + sha256.substring(0, 2) + "/" + sha256);
        Files.createDirectories(file.getParent());
        Files.write(file, payload);
    }

    private void write(String name, String text) throws IOException {
        Path file = source.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    private byte[] backup(boolean plain) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Manifest about = new Manifest("0.1.0", 7, 0, 3, Map.of());
        if (plain) {
            BackupWriter.write(source, about, out, () -> false, text -> {});
        } else {
            SealedOutput sealed = new SealedOutput(out, phrase(), 10);
            BackupWriter.write(source, about, sealed, () -> false, text -> {});
            sealed.finish();
        }
        return out.toByteArray();
    }

    private static byte[] phrase() {
        return "correct horse".getBytes(StandardCharsets.UTF_8);
    }

    private Manifest restore(byte[] backup) throws IOException {
        return Restore.into(
                state, new ByteArrayInputStream(backup), RestoreTest::phrase, text -> {});
    }

    private void refuses(ErrorCode code, byte[] backup) throws IOException {
        PalyraException e = assertThrows(PalyraException.class, () -> restore(backup));
        assertEquals(code, e.code(), e.getMessage());
        assertTrue(Files.notExists(state), "nothing is restored");
        assertTrue(Files.notExists(state.resolveSibling("state.palyra-restore")));
    }

    @Test
    void bringsBackEveryFileForItsOwnerOnly() throws IOException {
        for (boolean plain : List.of(true, false)) {
            state = temp.resolve("place/state-" + plain);
            Manifest manifest = restore(backup(plain));
            assertEquals(3, manifest.records());
            assertEquals(1, manifest.payloadFiles());
            assertEquals(3, manifest.files().size());
            assertEquals(
                    "permit (principal, action, resource);",
                    Files.readString(state.resolve("policies/own.cedar")));
            assertEquals(
                    "rw-------",
                    PosixFilePermissions.toString(
                            Files.getPosixFilePermissions(state.resolve("journal/journal.db"))));
            assertEquals(
                    "rwx------",
                    PosixFilePermissions.toString(
                            Files.getPosixFilePermissions(state.resolve("journal"))));
            assertTrue(Files.exists(state.resolve(Manifest.NAME)));
        }
    }

    @Test
    void takesAnEmptyFolderAndNoOther() throws IOException {
        Files.createDirectories(state);
        restore(backup(false));
        String before = Files.readString(state.resolve("journal/journal.db"));
        PalyraException e = assertThrows(PalyraException.class, () -> restore(backup(false)));
        assertEquals(ErrorCode.CONFLICT, e.code());
        assertTrue(e.getMessage().contains("is not empty"), e.getMessage());
        assertEquals(before, Files.readString(state.resolve("journal/journal.db")));
    }

    @Test
    void removesTheDraftOfARestorationThatDied() throws IOException {
        Path draft = state.resolveSibling("state.palyra-restore");
        Files.createDirectories(draft);
        Files.writeString(draft.resolve("half"), "x");
        restore(backup(false));
        assertFalse(Files.exists(state.resolve("half")));
        assertFalse(Files.exists(draft));
    }

    @Test
    void refusesEveryCutOfASealedBackup() throws IOException {
        byte[] backup = backup(false);
        int cuts = 50;
        for (int i = 1; i < cuts; i++) {
            byte[] cut = Arrays.copyOf(backup, backup.length * i / cuts);
            PalyraException e = assertThrows(PalyraException.class, () -> restore(cut));
            assertTrue(
                    e.code() == ErrorCode.CORRUPT || e.code() == ErrorCode.UNAUTHENTICATED,
                    e.toString());
            assertTrue(Files.notExists(state));
        }
    }

    /** After the list of files comes only the archive's own index, which nothing needs. */
    @Test
    void refusesEveryCutOfAPlainBackupBeforeTheEndOfItsList() throws IOException {
        byte[] backup = backup(true);
        int list = new String(backup, StandardCharsets.ISO_8859_1).indexOf(Manifest.NAME);
        for (int end = 4; end < list + Manifest.NAME.length(); end += 37) {
            refuses(ErrorCode.CORRUPT, Arrays.copyOf(backup, end));
        }
    }

    @Test
    void refusesAChangedFileOfAPlainBackup() throws IOException {
        Path other = temp.resolve("changed");
        Files.createDirectories(other);
        for (String name : List.of("policies/own.cedar", "journal/journal.db")) {
            refuses(ErrorCode.CORRUPT, rewritten(name, "changed"));
            refuses(ErrorCode.CORRUPT, rewritten(name, null));
        }
    }

    /** Returns the plain backup with another content of a file, or without it. */
    private byte[] rewritten(String name, String text) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (ZipInputStream in = new ZipInputStream(new ByteArrayInputStream(backup(true)));
                ZipOutputStream zip = new ZipOutputStream(out)) {
            for (ZipEntry each = in.getNextEntry(); each != null; each = in.getNextEntry()) {
                byte[] content = in.readAllBytes();
                boolean meant = each.getName().equals(name);
                if (!meant || text != null) {
                    zip.putNextEntry(new ZipEntry(each.getName()));
                    zip.write(meant ? text.getBytes(StandardCharsets.UTF_8) : content);
                }
            }
        }
        return out.toByteArray();
    }

    @Test
    void refusesNamesThatLeadElsewhere() throws IOException {
        for (String name : List.of("../evil", "/etc/evil", "a/../../evil", "a\\b", "", ".")) {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            try (ZipOutputStream zip = new ZipOutputStream(out)) {
                zip.putNextEntry(new ZipEntry(name));
                zip.write(1);
            }
            refuses(ErrorCode.CORRUPT, out.toByteArray());
        }
        assertFalse(Files.exists(temp.resolve("evil")));
    }

    @Test
    void refusesWhatIsNoBackupOrOfALaterForm() throws IOException {
        refuses(ErrorCode.INVALID_ARGUMENT, new byte[0]);
        refuses(ErrorCode.INVALID_ARGUMENT, "hello".getBytes(StandardCharsets.UTF_8));
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (ZipOutputStream zip = new ZipOutputStream(out)) {
            zip.putNextEntry(new ZipEntry(Manifest.NAME));
            zip.write("{\"format\":2,\"palyra\":\"9.0\"}".getBytes(StandardCharsets.UTF_8));
        }
        refuses(ErrorCode.INVALID_ARGUMENT, out.toByteArray());
    }
}
