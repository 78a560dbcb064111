package palyra.policy.internal.conformance;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import java.nio.file.FileVisitOption;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The files of a folder and those below it, read when they are needed. */
final class FolderFiles implements CorpusFiles {
    private final Path root;
    private final List<String> names;

    private FolderFiles(Path root, List<String> names) {
        this.root = root;
        this.names = names;
    }

    static FolderFiles list(Path folder) throws IOException {
        Path root = folder.toAbsolutePath().normalize();
        try (Stream<Path> files = Files.walk(root, FileVisitOption.FOLLOW_LINKS)) {
            List<String> names =
                    files.filter(Files::isRegularFile)
                            .map(file -> root.relativize(file).toString())
                            .sorted()
                            .toList();
            return new FolderFiles(root, names);
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    @Override
    public List<String> names() {
        return names;
    }

    @Override
    public Optional<String> find(String from, String reference) {
        try {
            Path wanted = Path.of(reference);
            for (Path at = root.resolve(from).getParent(); at != null; at = at.getParent()) {
                Path file = at.resolve(wanted);
                if (Files.isRegularFile(file)) {
                    return Optional.of(root.relativize(file).toString());
                }
            }
        } catch (InvalidPathException e) {
            return Optional.empty();
        }
        return Optional.empty();
    }

    @Override
    public byte[] bytes(String name) {
        try (InputStream in = Files.newInputStream(root.resolve(name))) {
            byte[] bytes = in.readNBytes(LARGEST_FILE + 1);
            if (bytes.length > LARGEST_FILE) {
                throw new CorpusException(
                        name + " is larger than " + LARGEST_FILE + " bytes, which no test is.");
            }
            return bytes;
        } catch (IOException e) {
            throw new CorpusException(name + " cannot be read (" + why(e) + ").", e);
        }
    }

    /** Says it without the path, which the sentence names already. */
    static String why(IOException e) {
        String reason = e instanceof FileSystemException f ? f.getReason() : e.getMessage();
        return reason == null ? e.getClass().getSimpleName() : reason;
    }
}
