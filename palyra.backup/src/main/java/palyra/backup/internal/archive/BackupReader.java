package palyra.backup.internal.archive;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipInputStream;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.shared.files.DurableFiles;
import palyra.shared.hash.Digests;

/** Unpacks a backup and checks every byte of it. */
public final class BackupReader {
    private static final int EACH = 500;
    private static final long EACH_BYTES = 16L << 20;
    private static final int LONGEST_NAME = 1_024;

    /** What an entry of a manifest has beside the name: digest, quotes, colon and comma. */
    private static final int MANIFEST_ENTRY_BYTES = 70;

    private static final int LONGEST_PART = 255;
    private static final Pattern PAYLOAD = Pattern.compile("([0-9a-f]{2})/(\\1[0-9a-f]{62})");

    private final Path folder;
    private final DurableFiles files;
    private final Consumer<String> progress;
    private final Map<String, String> digests = new HashMap<>();
    private long payloads;
    private long nameBytes;
    private long bytes;
    private byte[] manifest;

    private BackupReader(Path folder, DurableFiles files, Consumer<String> progress) {
        this.folder = folder;
        this.files = files;
        this.progress = progress;
    }

    /**
     * Unpacks a backup into an empty folder. After an exception the folder's content is worth
     * nothing.
     *
     * @param in the backup; it is read to its end and not closed
     * @param passphrase asked for when the backup is sealed; overwritten afterwards
     * @param files makes the files
     * @throws PalyraException CORRUPT for a backup that is damaged or cut off, UNAUTHENTICATED for
     *     a wrong passphrase, INVALID_ARGUMENT for what is no backup, or one of a later version
     */
    public static Manifest read(
            InputStream in,
            Supplier<byte[]> passphrase,
            Path folder,
            DurableFiles files,
            Consumer<String> progress)
            throws IOException {
        BufferedInputStream buffered = new BufferedInputStream(in, 1 << 16);
        buffered.mark(SealedOutput.MAGIC.length);
        byte[] begin = buffered.readNBytes(SealedOutput.MAGIC.length);
        BackupReader reader = new BackupReader(folder, files, progress);
        try {
            if (Arrays.equals(begin, SealedOutput.MAGIC)) {
                return reader.unpack(new SealedInput(buffered, passphrase.get()));
            }
            String text = new String(begin, StandardCharsets.US_ASCII);
            if (text.startsWith(SealedOutput.KIND)) {
                throw Manifest.later(text.substring(SealedOutput.KIND.length()).strip(), "");
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

    private Manifest unpack(InputStream sequence) throws IOException {
        ArchiveEnd in = new ArchiveEnd(sequence);
        ZipInputStream zip = new ZipInputStream(in);
        long count = 0;
        ZipEntry entry = next(zip);
        while (entry != null && manifest == null) {
            if (count++ % EACH == 0) {
                progress.accept("read " + (count - 1) + " files");
            }
            if (entry.getName().equals(Manifest.NAME)) {
                manifest = zip.readNBytes(Manifest.MOST_BYTES + 1);
            } else {
                file(entry.getName(), zip);
            }
            entry = next(zip);
        }
        if (manifest == null || entry != null || manifest.length > Manifest.MOST_BYTES) {
            throw damaged(
                    manifest == null
                            ? "it is cut off: there is no manifest"
                            : entry != null ? "files follow its end" : "its manifest is too long");
        }
        in.transferTo(OutputStream.nullOutputStream()); // the end of a sealed one is checked too
        if (!in.isEndOf(count)) {
            throw damaged("it is cut off, or something follows its end");
        }
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
        MessageDigest digest = Digests.sha256();
        try (FileChannel channel = create(target);
                OutputStream out =
                        new DigestOutputStream(Channels.newOutputStream(channel), digest)) {
            copy(content, out);
            files.force(channel);
        }
        String sha256 = HexFormat.of().formatHex(digest.digest());
        if (name.startsWith(BackupWriter.PAYLOADS)) {
            payloads++;
            if (!name.endsWith("/" + sha256)) {
                throw damaged(name + " was changed");
            }
            return;
        }
        digests.put(name, sha256);
        nameBytes += name.length() + MANIFEST_ENTRY_BYTES;
        if (nameBytes > Manifest.MOST_BYTES) {
            throw damaged("it holds more files than any backup");
        }
    }

    private FileChannel create(Path target) throws IOException {
        try {
            files.makeFolder(target.getParent());
            return files.create(target);
        } catch (FileSystemException e) {
            if (e instanceof FileAlreadyExistsException || isBelowFile(target)) {
                throw oddName(); // twice, or a file where another one needs a folder
            }
            throw e;
        }
    }

    private boolean isBelowFile(Path target) {
        Path at = target.getParent();
        while (!Files.exists(at) && !at.equals(folder)) {
            at = at.getParent();
        }
        return Files.isRegularFile(at);
    }

    /** A name leads to a place below the folder, in one way only. */
    private Path target(String name) {
        boolean usable =
                name.length() <= LONGEST_NAME
                        && name.indexOf('\\') < 0
                        && Arrays.stream(name.split("/", -1)).allMatch(BackupReader::isPart)
                        && !name.startsWith(Manifest.NAME + "/");
        if (usable && name.startsWith(BackupWriter.PAYLOADS)) {
            usable = PAYLOAD.matcher(name.substring(BackupWriter.PAYLOADS.length())).matches();
        }
        if (!usable) {
            throw oddName();
        }
        try {
            return folder.resolve(name);
        } catch (InvalidPathException e) {
            throw oddName();
        }
    }

    private static boolean isPart(String part) {
        return !part.isEmpty()
                && !part.equals(".")
                && !part.equals("..")
                && part.indexOf('\0') < 0
                && part.getBytes(StandardCharsets.UTF_8).length <= LONGEST_PART;
    }

    private static PalyraException oddName() {
        return damaged("it holds a file with a name that no backup has");
    }

    private static PalyraException damaged(String what) {
        return new PalyraException(
                ErrorCode.CORRUPT, "The backup is damaged: " + what + ". Use another copy of it.");
    }
}
