package palyra.shell.internal.swap;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.stream.Stream;

/** The operations on disk: {@code swap/<operation>/} in the state folder, 0700. */
final class SwapFolder {
    private static final String RECORD = "operation.properties";
    private static final int KEPT = 50;
    private static final int WAYS_BACK = 5;

    private final Path folder;

    SwapFolder(Path state) {
        folder = state.resolve("swap");
    }

    /** Makes the folder of a new operation, and forgets the oldest of very many. */
    Path create(String operationId) throws IOException {
        Path own = folder.resolve(operationId);
        Files.createDirectories(
                own,
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        List<SwapRecord> known = records();
        for (SwapRecord old : known.subList(Math.min(KEPT, known.size()), known.size())) {
            if (old.phase().over() && old.journaled()) {
                delete(old.operationId());
            }
        }
        forgetWaysBack(
                known.stream()
                        .filter(each -> each.phase() == SwapRecord.Phase.SUCCEEDED)
                        .skip(WAYS_BACK)
                        .toList());
        return own;
    }

    /** Forgets the old content of swaps of an earlier start, which ended with it. */
    void forgetOtherStarts(String bootId) throws IOException {
        forgetWaysBack(
                records().stream()
                        .filter(each -> each.phase().over() && !each.bootId().equals(bootId))
                        .toList());
    }

    private void forgetWaysBack(List<SwapRecord> swaps) throws IOException {
        for (SwapRecord each : swaps) {
            Files.deleteIfExists(oldJar(each.operationId()));
        }
    }

    Path newJar(String operationId) {
        return folder.resolve(operationId).resolve("new.jar");
    }

    Path oldJar(String operationId) {
        return folder.resolve(operationId).resolve("old.jar");
    }

    void write(SwapRecord swap) throws IOException {
        Path file = folder.resolve(swap.operationId()).resolve(RECORD);
        Path part = file.resolveSibling(RECORD + ".part");
        try (OutputStream out = Files.newOutputStream(part)) {
            swap.asProperties().store(out, null);
        }
        Files.move(part, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    Optional<SwapRecord> read(String operationId) {
        Path file = folder.resolve(operationId).resolve(RECORD);
        Properties properties = new Properties();
        try (InputStream in = Files.newInputStream(file)) {
            properties.load(in);
            return Optional.of(SwapRecord.of(properties));
        } catch (IOException | RuntimeException e) {
            return Optional.empty();
        }
    }

    /** Returns all operations, newest first. */
    List<SwapRecord> records() {
        List<SwapRecord> records = new ArrayList<>();
        try (Stream<Path> folders = Files.list(folder)) {
            folders.map(each -> each.getFileName().toString())
                    .sorted(Comparator.reverseOrder())
                    .forEach(id -> read(id).ifPresent(records::add));
        } catch (NoSuchFileException e) {
            return List.of();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return records;
    }

    /**
     * Deletes the jars of an operation that is over; its record stays, and when it succeeded the
     * old content, with which it can be taken back.
     */
    void deleteJars(SwapRecord swap) throws IOException {
        Files.deleteIfExists(newJar(swap.operationId()));
        if (swap.phase() != SwapRecord.Phase.SUCCEEDED) {
            Files.deleteIfExists(oldJar(swap.operationId()));
        }
    }

    void delete(String operationId) throws IOException {
        Files.deleteIfExists(newJar(operationId));
        Files.deleteIfExists(oldJar(operationId));
        Path own = folder.resolve(operationId);
        Files.deleteIfExists(own.resolve(RECORD));
        Files.deleteIfExists(own.resolve(RECORD + ".part"));
        Files.deleteIfExists(own);
    }
}
