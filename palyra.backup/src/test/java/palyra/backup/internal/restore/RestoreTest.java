package palyra.backup.internal.restore;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.backup.internal.archive.Manifest;
import palyra.shared.files.DurableFiles;

class RestoreTest {
    @TempDir Path temp;
    private Path source;
    private Path state;

    @BeforeEach
    void fill() throws IOException {
        source = Sample.source(temp.resolve("source"), 140_000);
        state = temp.resolve("place/state");
    }

    private byte[] backup(boolean plain) throws IOException {
        return Sample.backup(source, plain);
    }

    private Manifest restore(byte[] backup) throws IOException {
        return Sample.restore(state, backup);
    }

    private void refuses(ErrorCode code, byte[] backup) throws IOException {
        PalyraException e = assertThrows(PalyraException.class, () -> restore(backup));
        assertEquals(code, e.code(), e.getMessage());
        assertTrue(Files.notExists(state), "nothing is restored");
        assertTrue(Files.notExists(Sample.draft(state)));
        assertTrue(
                e.getMessage().indexOf('.') > 0 && e.getMessage().length() < 300, e.getMessage());
    }

    @Test
    void bringsBackEveryFileForItsOwnerOnly() throws IOException {
        for (boolean plain : List.of(true, false)) {
            state = temp.resolve("place/state-" + plain);
            Manifest manifest = restore(backup(plain));
            assertEquals(3, manifest.records());
            assertEquals(1, manifest.payloadFiles());
            assertEquals(3, manifest.files().size());
            assertEquals(Sample.POLICY, Files.readString(state.resolve("policies/own.cedar")));
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
    void takesNoPlaceWithinAnInstallationOrAnotherStateFolder() throws IOException {
        Path home = temp.resolve("home");
        Files.createDirectories(home.resolve("lib"));
        Files.writeString(home.resolve("lib/palyra.launcher.jar"), "x");
        state = home.resolve("var/state");
        assertTrue(conflict().contains("within the installation " + home));
        Path other = temp.resolve("other");
        state = other;
        restore(backup(true));
        state = other.resolve("tmp/state");
        assertTrue(conflict().contains("within the state folder " + other));
        assertTrue(Files.notExists(other.resolve("tmp")));
    }

    private String conflict() {
        PalyraException e = assertThrows(PalyraException.class, () -> restore(backup(true)));
        assertEquals(ErrorCode.CONFLICT, e.code(), e.getMessage());
        return e.getMessage();
    }

    @Test
    void foldersThatAFailedRestorationMadeAreRemoved() throws IOException {
        Path there = Files.createDirectory(temp.resolve("there"));
        state = there.resolve("a/b/state");
        byte[] backup = backup(true);
        byte[] half = Arrays.copyOf(backup, backup.length / 2);
        assertThrows(PalyraException.class, () -> restore(half));
        assertTrue(Files.notExists(there.resolve("a")));
        assertTrue(Files.exists(there));
    }

    /** Nothing can take the place of a mount point; a bind mount is on the same file system. */
    @Test
    void aMountPointIsNamedBeforeAnythingIsUnpacked() throws Exception {
        state = Files.createDirectories(temp.resolve("place of/state"));
        Path from = Files.createDirectory(temp.resolve("from"));
        assumeTrue(
                run("mount", "--bind", from.toString(), state.toString()) == 0,
                "this user may not mount");
        try {
            assertTrue(conflict().contains("is a mount point"));
        } finally {
            assertEquals(0, run("umount", state.toString()));
        }
        restore(backup(true));
    }

    private static int run(String... command) throws Exception {
        try {
            return new ProcessBuilder(command).inheritIO().start().waitFor();
        } catch (IOException e) {
            return -1;
        }
    }

    @Test
    void aBackupThatCannotBeReadIsNamedWithTheReason() throws IOException {
        Path none = temp.resolve("none");
        assertEquals(
                "The backup " + none + " cannot be read: " + none + " is not there.",
                assertThrows(PalyraException.class, () -> RestoreMain.open(none)).getMessage());
        assertEquals(
                "The backup " + temp + " cannot be read: it is a folder.",
                assertThrows(PalyraException.class, () -> RestoreMain.open(temp)).getMessage());
    }

    @Test
    void removesTheDraftOfARestorationThatDiedAndSaysSo() throws IOException {
        Path draft = Sample.draft(state);
        Files.createDirectories(draft);
        Files.writeString(draft.resolve("half"), "x");
        List<String> notes = new ArrayList<>();
        Sample.restore(state, new ByteArrayInputStream(backup(false)), new DurableFiles(), notes);
        assertFalse(Files.exists(state.resolve("half")));
        assertFalse(Files.exists(draft));
        assertEquals(1, notes.size());
        assertTrue(notes.get(0).startsWith("removed " + draft), notes.toString());
    }

    @Test
    void refusesASecondRestorationMeanwhile() throws IOException {
        byte[] backup = backup(false);
        PalyraException[] second = new PalyraException[1];
        InputStream during =
                new FilterInputStream(new ByteArrayInputStream(backup)) {
                    @Override
                    public int read(byte[] bytes, int offset, int length) throws IOException {
                        if (second[0] == null) {
                            second[0] = otherRestoration(backup);
                        }
                        return super.read(bytes, offset, length);
                    }
                };
        Sample.restore(state, during, new DurableFiles(), new ArrayList<>());
        assertEquals(ErrorCode.CONFLICT, second[0].code());
        assertEquals(Sample.content(source), Sample.content(state));
    }

    private PalyraException otherRestoration(byte[] backup) {
        return assertThrows(PalyraException.class, () -> restore(backup));
    }

    @Test
    void refusesAFolderThatIsFilledMeanwhileAndLeavesItAlone() throws IOException {
        Files.createDirectories(state);
        Path other = state.resolve("other");
        InputStream during =
                new FilterInputStream(new ByteArrayInputStream(backup(false))) {
                    @Override
                    public int read(byte[] bytes, int offset, int length) throws IOException {
                        Files.writeString(other, "kept");
                        return super.read(bytes, offset, length);
                    }
                };
        PalyraException e =
                assertThrows(
                        PalyraException.class,
                        () -> Sample.restore(state, during, new DurableFiles(), List.of()));
        assertEquals(ErrorCode.CONFLICT, e.code());
        assertEquals("kept", Files.readString(other));
        assertFalse(Files.exists(Sample.draft(state)));
    }

    @Test
    void refusesAChangedFileOfAPlainBackup() throws IOException {
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
}
