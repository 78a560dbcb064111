package palyra.policy.internal.conformance;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.FileVisitOption;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The files of a corpus: those in a folder and below it, read when they are needed. */
public final class CorpusFiles {
    private static final int LARGEST_FILE = 16 << 20;

    private final Path root;
    private final List<String> names;

    private CorpusFiles(Path root, List<String> names) {
        this.root = root;
        this.names = names;
    }

    /**
     * Lists a folder.
     *
     * @throws CorpusException when the folder does not exist or cannot be read
     */
    public static CorpusFiles open(Path folder) {
        if (!Files.isDirectory(folder)) {
            throw new CorpusException(
                    "There is no folder or archive " + folder + "; check the path.");
        }
        Path root = folder.toAbsolutePath().normalize();
        try (Stream<Path> files = Files.walk(root, FileVisitOption.FOLLOW_LINKS)) {
            List<String> names =
                    files.filter(Files::isRegularFile)
                            .map(file -> root.relativize(file).toString())
                            .sorted()
                            .toList();
            return new CorpusFiles(root, names);
        } catch (IOException e) {
            throw unreadable(folder, e);
        } catch (UncheckedIOException e) {
            throw unreadable(folder, e.getCause());
        }
    }

    private static CorpusException unreadable(Path folder, IOException e) {
        return new CorpusException(
                folder + " cannot be read (" + reason(e) + "); check its permissions.", e);
    }

    /** Returns the names of all files relative to the folder, in order. */
    public List<String> names() {
        return names;
    }

    /**
     * Finds a file that another one refers to: relative to the folder of that one, or to one above
     * it, the nearest first.
     */
    Optional<String> find(String from, String reference) {
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

    /**
     * Returns a file as text.
     *
     * @throws CorpusException when it cannot be read, is too large, or is not UTF-8
     */
    public String text(String name) {
        try (InputStream in = Files.newInputStream(root.resolve(name))) {
            byte[] bytes = in.readNBytes(LARGEST_FILE + 1);
            if (bytes.length > LARGEST_FILE) {
                throw new CorpusException(
                        name + " is larger than " + LARGEST_FILE + " bytes, the limit of a test.");
            }
            return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
        } catch (CharacterCodingException e) {
            throw new CorpusException(name + " is not valid UTF-8; convert it first.", e);
        } catch (IOException e) {
            throw new CorpusException(name + " cannot be read (" + reason(e) + ").", e);
        }
    }

    /** Returns the reason without the path, which the message names already. */
    private static String reason(IOException e) {
        String reason = e instanceof FileSystemException f ? f.getReason() : e.getMessage();
        return reason == null ? e.getClass().getSimpleName() : reason;
    }
}
