package palyra.console.internal.upload;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.shared.hash.Ulids;

/**
 * Jars that were sent and wait for a word: files of a folder of the console's own, for a quarter of
 * an hour, one for each person, {@value #MOST} together. A swap of the console forgets them.
 * Thread-safe.
 */
public final class Uploads {
    /** Most bytes of a jar. */
    public static final int MOST_BYTES = 16 << 20;

    static final int MOST = 4;
    private static final long KEPT_MILLIS = 15 * 60 * 1_000L;
    private static final int BUFFER = 64 * 1024;

    private final Path folder;
    private final LongSupplier clock;
    private final Ulids ids = new Ulids();
    private final List<Upload> kept = new ArrayList<>(); // guarded by this

    /**
     * A jar.
     *
     * @param bundle symbolic name of the bundle that it is to replace
     */
    public record Upload(String id, String principal, String bundle, long atMillis) {}

    /** Forgets what an earlier console left in the folder. */
    public Uploads(Path folder, LongSupplier clock) {
        this.folder = folder;
        this.clock = clock;
        try {
            Files.createDirectories(folder);
            try (DirectoryStream<Path> left = Files.newDirectoryStream(folder)) {
                for (Path each : left) {
                    Files.deleteIfExists(each);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException("the folder " + folder + " cannot be used", e);
        }
    }

    /**
     * Keeps a jar, in the place of an earlier one of the person.
     *
     * @throws PalyraException RESOURCE_EXHAUSTED when too many wait; INVALID_ARGUMENT for too many
     *     bytes or none
     */
    public Upload keep(String principal, String bundle, InputStream jar) throws IOException {
        Upload upload = new Upload(ids.next(), principal, bundle, clock.getAsLong());
        admit(upload);
        boolean whole = false;
        try (OutputStream out = Files.newOutputStream(file(upload))) {
            copy(jar, out);
            whole = true;
            return upload;
        } finally {
            if (!whole) {
                forget(upload);
            }
        }
    }

    private synchronized void admit(Upload upload) throws IOException {
        for (Upload each : List.copyOf(kept)) {
            boolean old = clock.getAsLong() - each.atMillis() > KEPT_MILLIS;
            if (old || each.principal().equals(upload.principal())) {
                forget(each);
            }
        }
        if (kept.size() >= MOST) {
            throw new PalyraException(
                    ErrorCode.RESOURCE_EXHAUSTED,
                    "Jars of "
                            + MOST
                            + " persons wait for a word already; try again when one of them was"
                            + " swapped in or is forgotten, at most a quarter of an hour from"
                            + " now.");
        }
        kept.add(upload);
    }

    private static void copy(InputStream jar, OutputStream out) throws IOException {
        byte[] buffer = new byte[BUFFER];
        long total = 0;
        for (int count = jar.read(buffer); count >= 0; count = jar.read(buffer)) {
            total += count;
            if (total > MOST_BYTES) {
                throw tooLarge();
            }
            out.write(buffer, 0, count);
        }
        if (total == 0) {
            throw new PalyraException(
                    ErrorCode.INVALID_ARGUMENT,
                    "No file was chosen, or it is empty; choose a jar.");
        }
    }

    /** Returns the refusal of a jar of too many bytes. */
    static PalyraException tooLarge() {
        return new PalyraException(
                ErrorCode.INVALID_ARGUMENT,
                "The jar has more than "
                        + (MOST_BYTES >> 20)
                        + " MiB, the most that the console takes; use palyra swap BUNDLE FILE on"
                        + " the machine of the gateway.");
    }

    /**
     * Returns the bytes of a jar that the person sent for the bundle.
     *
     * @throws PalyraException NOT_FOUND when the person did not send it, or not lately
     */
    public synchronized byte[] bytes(String principal, String bundle, String id) {
        Upload upload =
                kept.stream()
                        .filter(each -> each.id().equals(id))
                        .filter(each -> each.principal().equals(principal))
                        .filter(each -> each.bundle().equals(bundle))
                        .filter(each -> clock.getAsLong() - each.atMillis() <= KEPT_MILLIS)
                        .findFirst()
                        .orElseThrow(Uploads::gone);
        try {
            return Files.readAllBytes(file(upload));
        } catch (IOException e) {
            throw gone();
        }
    }

    private static PalyraException gone() {
        return new PalyraException(
                ErrorCode.NOT_FOUND,
                "The jar that you sent is not kept any more: that lasts a quarter of an hour, until"
                        + " you send another, or until the console is replaced. Send it again.");
    }

    /** Forgets the person's jars. */
    public synchronized void forgetAll(String principal) {
        kept.stream()
                .filter(each -> each.principal().equals(principal))
                .toList()
                .forEach(
                        each -> {
                            try {
                                forget(each);
                            } catch (IOException e) {
                                throw new UncheckedIOException(e);
                            }
                        });
    }

    private synchronized void forget(Upload upload) throws IOException {
        kept.remove(upload);
        Files.deleteIfExists(file(upload));
    }

    private Path file(Upload upload) {
        return folder.resolve(upload.id() + ".jar");
    }
}
