package palyra.backup.internal.archive;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipInputStream;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.shared.hash.Digests;

/** Unpacks a backup and checks every byte of it. */
public final class BackupReader {
    private static final int EACH = 500;
    private static final long EACH_BYTES = 16L << 20;
    private static final int LONGEST_NAME = 1_024;
    private static final int MOST_MANIFEST_BYTES = 64 << 20;

    private final Path folder;
    private final Consumer<String> progress;
    private final Map<String, String> digests = new HashMap<>();
    private long payloads;
    private long bytes;
    private byte[] manifest;

    private BackupReader(Path folder, Consumer<String> progress) {
        this.folder = folder;
        this.progress = progress;
    }

    /**
     * Unpacks a backup into an empty folder. After an exception the folder's content is worth
     * nothing.
     *
     * @param in the backup; it is read to its end and not closed
     * @param passphrase asked for when the backup is sealed; overwritten afterwards
     * @throws PalyraException CORRUPT for a backup that is damaged or cut off, UNAUTHENTICATED for
     *     a wrong passphrase, INVALID_ARGUMENT for what is no backup
     */
    public static Manifest read(
            InputStream in, Supplier<byte[]> passphrase, Path folder, Consumer<String> progress)
            throws IOException {
        BufferedInputStream buffered = new BufferedInputStream(in, 1 << 16);
        buffered.mark(SealedOutput.MAGIC.length);
        byte[] begin = buffered.readNBytes(SealedOutput.MAGIC.length);
        BackupReader reader = new BackupReader(folder, progress);
        try {
            if (Arrays.equals(begin, SealedOutput.MAGIC)) {
                return reader.unpack(new SealedInput(buffered, passphrase.get()));
            }
            buffered.reset();
            if (begin.length < 4 || begin[0] != 'P' || begin[1] != 'K') {
                throw new PalyraException(
                        ErrorCode.INVALID_ARGUMENT,
                        "That is no backup of Palyra: it begins neither as a sealed nor as a plain"
                                + " one.");
            }
            return reader.unpack(buffered);
        } catch (EOFException e) {
            throw damaged("it is cut off");
        } catch (ZipException e) {
            throw damaged("its archive cannot be read (" + e.getMessage() + ")");
        }
    }

    private Manifest unpack(InputStream in) throws IOException {
        ZipInputStream zip = new ZipInputStream(in);
        long count = 0;
        ZipEntry entry = next(zip);
        while (entry != null && manifest == null) {
            if (count++ % EACH == 0) {
                progress.accept("read " + (count - 1) + " files");
            }
            if (entry.getName().equals(Manifest.NAME)) {
                manifest = zip.readNBytes(MOST_MANIFEST_BYTES + 1);
            } else {
                file(entry.getName(), zip);
            }
            entry = next(zip);
        }
        if (manifest == null || entry != null) {
            throw damaged(
                    manifest == null
                            ? "it is cut off: there is no manifest"
                            : "files follow its end");
        }
        in.transferTo(OutputStream.nullOutputStream()); // the end of a sealed one is checked too
        Manifest told = Manifest.of(manifest);
        if (!told.files().equals(digests) || told.payloadFiles() != payloads) {
            throw damaged(difference(told));
        }
        return told;
    }

    private static ZipEntry next(ZipInputStream zip) throws IOException {
        try {
            return zip.getNextEntry();
        } catch (IllegalArgumentException e) {
            throw damaged("the name of a file is not UTF-8");
        }
    }

    private String difference(Manifest told) {
        for (Map.Entry<String, String> each : told.files().entrySet()) {
            if (!Objects.equals(each.getValue(), digests.get(each.getKey()))) {
                return each.getKey()
                        + (digests.containsKey(each.getKey()) ? " was changed" : " is missing");
            }
        }
        return told.payloadFiles() != payloads
                ? payloads + " of " + told.payloadFiles() + " payload files are there"
                : "it holds files that its manifest does not name";
    }

    /** The journal's database is one file, and may be nearly all of a backup. */
    private void copy(InputStream from, OutputStream to) throws IOException {
        byte[] buffer = new byte[1 << 16];
        for (int n = from.read(buffer); n >= 0; n = from.read(buffer)) {
            to.write(buffer, 0, n);
            long before = bytes;
            bytes += n;
            if (bytes / EACH_BYTES != before / EACH_BYTES) {
                progress.accept("read " + (bytes >> 20) + " MiB");
            }
        }
    }

    private void file(String name, InputStream content) throws IOException {
        Path target = target(name);
        Files.createDirectories(
                target.getParent(),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        Files.createFile(
                target,
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        MessageDigest digest = Digests.sha256();
        try (FileChannel channel = FileChannel.open(target, StandardOpenOption.WRITE);
                OutputStream out =
                        new DigestOutputStream(Channels.newOutputStream(channel), digest)) {
            copy(content, out);
            channel.force(true);
        }
        String sha256 = HexFormat.of().formatHex(digest.digest());
        if (!name.startsWith(BackupWriter.PAYLOADS)) {
            digests.put(name, sha256);
            return;
        }
        payloads++;
        if (!name.endsWith("/" + sha256)) {
            throw damaged(name + " was changed");
        }
    }

    /** A name leads to a place below the folder, and to no file that is there. */
    private Path target(String name) {
        boolean usable =
                !name.isEmpty()
                        && name.length() <= LONGEST_NAME
                        && name.indexOf('\\') < 0
                        && name.indexOf('\0') < 0;
        Path target = usable ? folder.resolve(name).normalize() : folder;
        if (!usable
                || !target.startsWith(folder)
                || target.equals(folder)
                || Files.exists(target)) {
            throw damaged("it holds a file with a name that no backup has");
        }
        return target;
    }

    private static PalyraException damaged(String what) {
        return new PalyraException(
                ErrorCode.CORRUPT, "The backup is damaged: " + what + ". Use another copy of it.");
    }
}
