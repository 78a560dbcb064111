package palyra.backup.internal.restore;

import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.backup.internal.archive.BackupReader;
import palyra.backup.internal.archive.Manifest;
import palyra.shared.files.DurableFiles;
import palyra.shared.files.FileTree;
import palyra.shared.files.MediumFailure;

/**
 * Restores a backup. It is unpacked into a draft beside the state folder, checked, made durable,
 * and then takes the state folder's name: a process that dies before leaves the state folder as it
 * was, and the draft, which the next restoration removes.
 */
public final class Restore {
    private static final String DRAFT = ".palyra-restore";

    private Restore() {}

    /**
     * Restores.
     *
     * @param state the state folder; not there, or empty
     * @param in the backup
     * @param passphrase asked for when the backup is encrypted
     * @throws PalyraException CONFLICT when the state folder is not empty; otherwise see {@link
     *     BackupReader#read}
     */
    public static Manifest into(
            Path state, InputStream in, Supplier<byte[]> passphrase, Consumer<String> progress)
            throws IOException {
        requireEmpty(state);
        Path draft = state.resolveSibling(state.getFileName() + DRAFT);
        FileTree.remove(draft);
        try {
            Files.createDirectories(state.getParent());
            Files.createDirectory(
                    draft,
                    PosixFilePermissions.asFileAttribute(
                            PosixFilePermissions.fromString("rwx------")));
            Manifest manifest = BackupReader.read(in, passphrase, draft, progress);
            new DurableFiles().writeNew(draft.resolve(Manifest.NAME), manifest.json());
            progress.accept("writing everything to the disk");
            sync(draft);
            requireEmpty(state);
            Files.deleteIfExists(state);
            Files.move(draft, state, StandardCopyOption.ATOMIC_MOVE);
            syncFolder(state.getParent());
            return manifest;
        } catch (IOException e) {
            if (MediumFailure.of(e, state) == MediumFailure.NO_SPACE) {
                throw new PalyraException(ErrorCode.DISK_FULL, MediumFailure.sentence(e, state), e);
            }
            throw e;
        } finally {
            FileTree.remove(draft);
        }
    }

    private static void requireEmpty(Path state) throws IOException {
        if (Files.notExists(state, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        if (!Files.isDirectory(state, LinkOption.NOFOLLOW_LINKS)) {
            throw new PalyraException(
                    ErrorCode.CONFLICT, state + " is no folder; name another state folder.");
        }
        try (DirectoryStream<Path> found = Files.newDirectoryStream(state)) {
            if (found.iterator().hasNext()) {
                throw new PalyraException(
                        ErrorCode.CONFLICT,
                        "The state folder "
                                + state
                                + " is not empty. Stop the gateway and move the folder away, or"
                                + " name another by PALYRA_STATE.");
            }
        }
    }

    private static void sync(Path draft) throws IOException {
        List<Path> folders;
        try (Stream<Path> found = Files.walk(draft)) {
            folders = found.filter(Files::isDirectory).toList();
        }
        for (Path folder : folders) {
            syncFolder(folder);
        }
    }

    private static void syncFolder(Path folder) throws IOException {
        try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }
}
