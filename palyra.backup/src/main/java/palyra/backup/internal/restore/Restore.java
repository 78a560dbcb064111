package palyra.backup.internal.restore;

import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.backup.internal.archive.BackupReader;
import palyra.backup.internal.archive.Manifest;
import palyra.shared.files.DurableFiles;
import palyra.shared.files.MediumFailure;

/**
 * Restores a backup. It is unpacked into a draft beside the state folder, checked, made durable,
 * and then takes the state folder's name: a process that dies before leaves the state folder as it
 * was, and the draft, which the next restoration removes. The draft is locked, in the file that a
 * gateway locks later.
 */
final class Restore {
    private static final String DRAFT = ".palyra-restore";
    private static final String LOCK = "lock";

    private final Path state;
    private final Place place;
    private final Path draft;
    private final DurableFiles files;
    private final Consumer<String> progress;
    private final Consumer<String> note;

    /**
     * @param state the state folder; not there, or empty
     * @param files makes the steps
     * @param progress told now and then
     * @param note told what an operator should know beside the outcome
     */
    Restore(Path state, DurableFiles files, Consumer<String> progress, Consumer<String> note) {
        this.state = state;
        this.place = new Place(state);
        this.draft = state.resolveSibling(state.getFileName() + DRAFT);
        this.files = files;
        this.progress = progress;
        this.note = note;
    }

    /**
     * Restores.
     *
     * @param in the backup
     * @param passphrase asked for when the backup is encrypted
     * @throws PalyraException CONFLICT when the state folder is not empty, a mount point or within
     *     another one or an installation, or another restoration is under way; DISK_FULL;
     *     READ_ONLY; otherwise see {@link BackupReader#read}
     */
    Manifest from(InputStream in, Supplier<byte[]> passphrase) throws IOException {
        requireReplaceable();
        try {
            removeRemains();
            Deque<Path> parents = place.makeParents();
            try {
                return drafted(in, passphrase);
            } catch (IOException | RuntimeException e) {
                Place.remove(parents);
                throw e;
            }
        } catch (IOException e) {
            MediumFailure failure = MediumFailure.of(e, state);
            if (failure == MediumFailure.IO) {
                throw e;
            }
            throw new PalyraException(
                    failure.code(ErrorCode.INTERNAL), MediumFailure.sentence(e, state) + ".", e);
        }
    }

    private Manifest drafted(InputStream in, Supplier<byte[]> passphrase) throws IOException {
        files.makeFolder(draft);
        FileChannel lock = lockFile();
        try (lock) {
            lock.lock();
            return unpacked(in, passphrase);
        } catch (IOException | RuntimeException e) {
            discard();
            throw e;
        }
    }

    private FileChannel lockFile() throws IOException {
        try {
            return files.create(draft.resolve(LOCK));
        } catch (FileAlreadyExistsException e) {
            throw underWay(e);
        } catch (IOException e) {
            discard();
            throw e;
        }
    }

    private Manifest unpacked(InputStream in, Supplier<byte[]> passphrase) throws IOException {
        Manifest manifest = BackupReader.read(in, passphrase, draft, files, progress);
        files.writeNew(draft.resolve(Manifest.NAME), manifest.json());
        progress.accept("writing everything to the disk");
        List<Path> folders;
        try (Stream<Path> found = Files.walk(draft)) {
            folders = found.filter(Files::isDirectory).toList();
        }
        for (Path folder : folders) {
            files.sync(folder);
        }
        try {
            files.rename(draft, state); // the system refuses unless the state folder is empty
        } catch (FileSystemException e) {
            requireReplaceable(); // says why when that is the reason
            throw e;
        }
        try {
            files.sync(state.getParent());
        } catch (IOException e) {
            note.accept(
                    "The restored folder is there, but "
                            + state.getParent()
                            + " could not be written to the disk ("
                            + e.getMessage()
                            + "); look at the system's log for the device.");
        }
        return manifest;
    }

    private void discard() {
        try {
            files.delete(draft);
        } catch (IOException e) {
            note.accept(
                    draft
                            + " could not be removed ("
                            + e.getMessage()
                            + "); the next restoration removes it.");
        }
    }

    private void removeRemains() throws IOException {
        if (Files.notExists(draft, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        try (FileChannel lock =
                FileChannel.open(
                        draft.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            if (lock.tryLock() == null) {
                throw underWay(null);
            }
            files.delete(draft);
            note.accept("removed " + draft + ", which a restoration that did not end had left");
        } catch (OverlappingFileLockException e) {
            throw underWay(e);
        }
    }

    private PalyraException underWay(Exception e) {
        return new PalyraException(
                ErrorCode.CONFLICT,
                "Another restoration into " + state + " is under way, in " + draft + ".",
                e);
    }

    private void requireReplaceable() throws IOException {
        place.requireOwn();
        if (Files.notExists(state, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        if (!Files.isDirectory(state, LinkOption.NOFOLLOW_LINKS)) {
            throw new PalyraException(
                    ErrorCode.CONFLICT, state + " is no folder; name another state folder.");
        }
        try (DirectoryStream<Path> found = Files.newDirectoryStream(state)) {
            if (found.iterator().hasNext()) {
                throw notEmpty();
            }
        }
        if (place.isMountPoint()) {
            throw new PalyraException(
                    ErrorCode.CONFLICT,
                    "The state folder "
                            + state
                            + " is a mount point, which nothing can take the place of: restore"
                            + " into a folder below or beside it, named by PALYRA_STATE, then move"
                            + " the content.");
        }
    }

    private PalyraException notEmpty() {
        return new PalyraException(
                ErrorCode.CONFLICT,
                "The state folder "
                        + state
                        + " is not empty. Stop the gateway and move the folder away, or name"
                        + " another by PALYRA_STATE.");
    }
}
