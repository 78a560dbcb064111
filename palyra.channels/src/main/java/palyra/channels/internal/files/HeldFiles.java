package palyra.channels.internal.files;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.channel.OutboundMessage;
import palyra.api.core.journal.Journal;
import palyra.api.core.journal.OutboxRow;
import palyra.shared.channel.Outbound;
import palyra.shared.files.DurableFiles;
import palyra.shared.gate.Gate;
import palyra.shared.hash.Digests;

/**
 * Contents of files that wait to be sent, one file of the state folder each, named by its row of
 * the outbox: on the medium before the row is, and removed after it needs it no longer.
 * Thread-safe.
 */
public final class HeldFiles {
    /** How long a content may be there before its row is: longer than a call of the tool takes. */
    static final long GRACE_MILLIS = 60_000;

    private final Path folder;
    private final Gate<Journal> journal;
    private final LongSupplier mostBytes;
    private final InstantSource clock;
    private final DurableFiles files = new DurableFiles();

    /**
     * Creates it; the folder is made with the first content.
     *
     * @param mostBytes most bytes of all contents together
     */
    public HeldFiles(
            Path folder, Gate<Journal> journal, LongSupplier mostBytes, InstantSource clock) {
        this.folder = folder;
        this.journal = journal;
        this.mostBytes = mostBytes;
        this.clock = clock;
    }

    private Path path(String outboxId) {
        return folder.resolve(outboxId);
    }

    /**
     * Keeps the content of a row that is to be put; returns when it is on the medium.
     *
     * @throws PalyraException RESOURCE_EXHAUSTED when too much waits
     */
    synchronized void put(String outboxId, byte[] content) throws IOException {
        files.makeFolder(folder);
        long held = 0;
        for (Path one : all()) {
            held += size(one);
        }
        if (held + content.length > mostBytes.getAsLong()) {
            throw new PalyraException(
                    ErrorCode.RESOURCE_EXHAUSTED,
                    "Files of "
                            + held
                            + " bytes wait to be sent, and all together may have "
                            + mostBytes.getAsLong()
                            + "; try again later. An operator sees what waits with palyra channels"
                            + " outbox and dead, and can raise maxHeldBytes of palyra.channels.");
        }
        try {
            files.writeNew(path(outboxId), content);
        } catch (FileAlreadyExistsException e) {
            throw new IOException("the content of " + outboxId + " is there already", e);
        } catch (IOException e) {
            Files.deleteIfExists(path(outboxId));
            throw e;
        }
        files.sync(folder);
    }

    /** Removes the content of a row that was not put. */
    synchronized void remove(String outboxId) throws IOException {
        Files.deleteIfExists(path(outboxId));
    }

    /** Returns the files of a message as a connector takes them. */
    public List<OutboundMessage.File> of(String outboxId, Outbound message) {
        return message.files().stream()
                .map(
                        file ->
                                new OutboundMessage.File(
                                        file.name(),
                                        file.mediaType(),
                                        file.bytes(),
                                        () -> Files.newInputStream(path(outboxId))))
                .toList();
    }

    /** Returns the name of a file whose content is not there, or is another one. */
    public Optional<String> missing(String outboxId, Outbound message) {
        return message.files().stream()
                .filter(file -> !isWhole(path(outboxId), file))
                .map(Outbound.File::name)
                .findFirst();
    }

    private static boolean isWhole(Path content, Outbound.File file) {
        try (InputStream in = Files.newInputStream(content)) {
            byte[] bytes = in.readNBytes((int) Math.min(Integer.MAX_VALUE - 8, file.bytes() + 1));
            return bytes.length == file.bytes() && Digests.sha256Hex(bytes).equals(file.sha256());
        } catch (NoSuchFileException e) {
            return false;
        } catch (IOException e) {
            throw new PalyraException(
                    ErrorCode.INTERNAL,
                    "The file " + content + " cannot be read: " + e.getMessage() + ".",
                    e);
        }
    }

    /** Removes what no row needs any more. */
    public void sweep() {
        try {
            for (Path content : all()) {
                if (isOver(content)) {
                    Files.deleteIfExists(content);
                }
            }
        } catch (IOException e) {
            throw new PalyraException(
                    ErrorCode.INTERNAL,
                    "The folder " + folder + " cannot be swept: " + e.getMessage() + ".",
                    e);
        }
    }

    private boolean isOver(Path content) throws IOException {
        Optional<OutboxRow> row =
                journal.call(store -> store.outbox(content.getFileName().toString()));
        if (row.isEmpty()) {
            return clock.millis() - modified(content) > GRACE_MILLIS;
        }
        return switch (row.get().state()) {
            case SENT, WITHDRAWN, READABLE -> true;
            case PENDING, SENDING, UNKNOWN, FAILED -> false;
        };
    }

    private static long modified(Path content) throws IOException {
        try {
            return Files.getLastModifiedTime(content).toMillis();
        } catch (NoSuchFileException e) {
            return Long.MAX_VALUE;
        }
    }

    private static long size(Path content) throws IOException {
        try {
            return Files.size(content);
        } catch (NoSuchFileException e) {
            return 0; // a sweep was faster
        }
    }

    private List<Path> all() throws IOException {
        List<Path> found = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
            entries.forEach(found::add);
        } catch (NoSuchFileException e) {
            return List.of(); // nothing was ever sent
        }
        return found;
    }
}
