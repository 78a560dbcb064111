package palyra.backup.internal.archive;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.Stream;
import java.util.zip.Deflater;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.shared.hash.Digests;

/** Writes a folder as a backup. */
public final class BackupWriter {
    static final String PAYLOADS = "journal/payloads/";
    private static final int EACH = 500;

    private BackupWriter() {}

    /**
     * Writes all regular files below {@code folder}, then their manifest. Leaves {@code out} open.
     *
     * @param about what the manifest says beside the files
     * @param cancelled asked before each file; the writing ends with CANCELLED once it says true
     * @param progress told now and then
     */
    public static Manifest write(
            Path folder,
            Manifest about,
            OutputStream out,
            BooleanSupplier cancelled,
            Consumer<String> progress)
            throws IOException {
        ZipOutputStream zip = new ZipOutputStream(out);
        zip.setLevel(Deflater.BEST_SPEED);
        TreeMap<String, String> digests = new TreeMap<>();
        List<Path> files;
        try (Stream<Path> found = Files.walk(folder)) {
            files = found.filter(Files::isRegularFile).sorted().toList();
        }
        long payloads = 0;
        for (int i = 0; i < files.size(); i++) {
            if (cancelled.getAsBoolean()) {
                throw new PalyraException(ErrorCode.CANCELLED, "The backup was cancelled.");
            }
            if (i % EACH == 0) {
                progress.accept("wrote " + i + " of " + files.size() + " files");
            }
            Path file = files.get(i);
            String name = folder.relativize(file).toString().replace('\\', '/');
            String sha256 = entry(zip, name, file);
            if (name.startsWith(PAYLOADS)) {
                payloads++;
            } else {
                digests.put(name, sha256);
            }
        }
        Manifest manifest =
                new Manifest(
                        about.palyra(),
                        about.createdAtMillis(),
                        payloads,
                        about.records(),
                        digests);
        byte[] list = manifest.json();
        if (list.length > Manifest.MOST_BYTES) {
            throw new PalyraException(
                    ErrorCode.RESOURCE_EXHAUSTED,
                    "The state folder has "
                            + digests.size()
                            + " files beside the journal's payloads, whose list would have "
                            + list.length
                            + " bytes; a backup has at most "
                            + Manifest.MOST_BYTES
                            + ". Move away what does not belong there.");
        }
        zip.putNextEntry(new ZipEntry(Manifest.NAME));
        zip.write(list);
        zip.closeEntry();
        zip.finish();
        return manifest;
    }

    private static String entry(ZipOutputStream zip, String name, Path file) throws IOException {
        MessageDigest digest = Digests.sha256();
        zip.putNextEntry(new ZipEntry(name));
        try (InputStream in = Files.newInputStream(file)) {
            in.transferTo(new DigestOutputStream(zip, digest));
        }
        zip.closeEntry();
        return HexFormat.of().formatHex(digest.digest());
    }
}
