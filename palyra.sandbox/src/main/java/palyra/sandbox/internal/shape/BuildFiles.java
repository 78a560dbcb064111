package palyra.sandbox.internal.shape;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import palyra.shared.hash.Digests;

/** The files that say what npm runs, so that a pattern holds only while they are the same. */
final class BuildFiles {
    private static final String MANIFEST = "package.json";
    private static final List<String> BESIDE =
            List.of(".npmrc", "package-lock.json", "npm-shrinkwrap.json", "binding.gyp");
    private static final int MOST_BYTES = 32 << 20;

    private BuildFiles() {}

    /**
     * Returns the digests of the files in a folder, an empty text for one that is not there.
     *
     * @return empty when the folder has no manifest of its own, or a file of them cannot be read
     */
    static Optional<ObjectNode> digests(Path folder) {
        ObjectNode digests = JsonNodeFactory.instance.objectNode();
        try {
            if (!isRegular(folder.resolve(MANIFEST))) {
                return Optional.empty();
            }
            digests.put(MANIFEST, digest(folder.resolve(MANIFEST)));
            for (String name : BESIDE) {
                Path file = folder.resolve(name);
                boolean there = Files.exists(file, LinkOption.NOFOLLOW_LINKS);
                digests.put(name, there ? digest(file) : "");
            }
            return Optional.of(digests);
        } catch (IOException e) {
            return Optional.empty(); // what cannot be read is not fixed, so there is no pattern
        }
    }

    private static boolean isRegular(Path file) {
        return Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS);
    }

    private static String digest(Path file) throws IOException {
        if (!isRegular(file)) {
            throw new IOException(file + " is not a regular file");
        }
        try (InputStream in = Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS)) {
            byte[] content = in.readNBytes(MOST_BYTES + 1);
            if (content.length > MOST_BYTES) {
                throw new IOException(file + " is too large");
            }
            return Digests.sha256Hex(content);
        }
    }
}
