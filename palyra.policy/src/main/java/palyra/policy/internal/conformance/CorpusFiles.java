package palyra.policy.internal.conformance;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** The files of a corpus: a folder, or an archive that is never unpacked to disk. */
public interface CorpusFiles {
    /** Most bytes of one file. */
    int LARGEST_FILE = 16 << 20;

    /**
     * Opens a folder, a {@code tar} or a {@code tar.gz}; the content says which, not the name.
     *
     * @throws CorpusException when there is nothing there, or it cannot be read
     */
    static CorpusFiles open(Path place) {
        try {
            if (Files.isDirectory(place)) {
                return FolderFiles.list(place);
            }
            if (!Files.exists(place)) {
                throw new CorpusException(
                        "There is no folder or archive " + place + "; check the path.");
            }
            try (InputStream in = Files.newInputStream(place)) {
                return TarFiles.read(in, place.toString());
            }
        } catch (IOException e) {
            throw new CorpusException(
                    place + " cannot be read (" + FolderFiles.why(e) + "); check its permissions.",
                    e);
        }
    }

    /** Returns the names of all files, in order. */
    List<String> names();

    /**
     * Finds a file that another one refers to: relative to the folder of that one, or to one above
     * it, the nearest first.
     */
    Optional<String> find(String from, String reference);

    /**
     * Returns a file's content.
     *
     * @throws CorpusException when it cannot be read or is too large
     */
    byte[] bytes(String name);

    /**
     * Returns a file as text.
     *
     * @throws CorpusException also when it is not UTF-8
     */
    default String text(String name) {
        try {
            ByteBuffer bytes = ByteBuffer.wrap(bytes(name));
            return StandardCharsets.UTF_8.newDecoder().decode(bytes).toString();
        } catch (CharacterCodingException e) {
            throw new CorpusException(name + " is not valid UTF-8; convert it first.", e);
        }
    }
}
