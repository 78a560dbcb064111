package palyra.backup.internal.restore;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import palyra.backup.internal.archive.BackupWriter;
import palyra.backup.internal.archive.Manifest;
import palyra.backup.internal.archive.SealedOutput;
import palyra.shared.files.DurableFiles;
import palyra.shared.hash.Digests;

/** A small state folder, its backups, and what a restoration made of them. */
final class Sample {
    static final String POLICY = "permit (principal, action, resource);";

    /** For many restorations one after another: what they made is read by this process only. */
    static final DurableFiles UNFORCED =
            new DurableFiles() {
                @Override
                public void force(FileChannel file) {}

                @Override
                public void sync(Path folder) {}
            };

    private Sample() {}

    /** Writes a state folder whose files take so many bytes, one payload file among them. */
    static Path source(Path folder, int payloadBytes) throws IOException {
        write(folder.resolve("journal/journal.db"), "database".getBytes(StandardCharsets.UTF_8));
        write(folder.resolve("keys/published.json"), "{}".getBytes(StandardCharsets.UTF_8));
        write(folder.resolve("policies/own.cedar"), POLICY.getBytes(StandardCharsets.UTF_8));
        byte[] payload = new byte[payloadBytes];
        new Random(1).nextBytes(payload); // so that it takes as much in the archive
        String sha256 = Digests.sha256Hex(payload);
        write(folder.resolve("journal/payloads/" + sha256.substring(0, 2) + "/" + sha256), payload);
        return folder;
    }

    private static void write(Path file, byte[] content) throws IOException {
        Files.createDirectories(file.getParent());
        Files.write(file, content);
    }

    static byte[] backup(Path source, boolean plain) throws IOException {
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

    static byte[] phrase() {
        return "correct horse".getBytes(StandardCharsets.UTF_8);
    }

    static Manifest restore(Path state, byte[] backup) throws IOException {
        return restore(state, new ByteArrayInputStream(backup), UNFORCED, List.of());
    }

    /**
     * Restores.
     *
     * @param notes is added to, unless it cannot be
     */
    static Manifest restore(Path state, InputStream in, DurableFiles files, List<String> notes)
            throws IOException {
        return new Restore(state, files, text -> {}, notes::add).from(in, Sample::phrase);
    }

    /** Returns the content of each file of a folder but what a restoration adds. */
    static Map<String, String> content(Path folder) throws IOException {
        Map<String, String> content = new TreeMap<>();
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                String name = folder.relativize(file).toString();
                if (!name.equals("lock") && !name.equals(Manifest.NAME)) {
                    content.put(name, Base64.getEncoder().encodeToString(Files.readAllBytes(file)));
                }
            }
        }
        return content;
    }

    static Path draft(Path state) {
        return state.resolveSibling(state.getFileName() + ".palyra-restore");
    }
}
