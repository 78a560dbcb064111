package palyra.console.internal.policy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;

/**
 * A policy set on its way: the files of the set in force with one in another form, in a folder that
 * the policy commands read, until this is closed.
 */
final class CandidateFolder implements AutoCloseable {
    private static final Pattern NAME =
            Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}\\.(cedar|cases\\.json|cedarschema)");
    private static final String SHIPPED = "default/";

    private final Path folder;

    private CandidateFolder(Path folder) {
        this.folder = folder;
    }

    /**
     * Writes a candidate.
     *
     * @param inForce texts of the set in force by name; shipped files are left out, as they are in
     *     every set
     * @param name file to write in its new form; an empty text leaves it out
     */
    static CandidateFolder of(Map<String, String> inForce, String name, String text) {
        requireName(name);
        try {
            CandidateFolder candidate =
                    new CandidateFolder(Files.createTempDirectory("palyra-candidate-"));
            for (Map.Entry<String, String> file : inForce.entrySet()) {
                if (isOwn(file.getKey()) && !file.getKey().equals(name)) {
                    candidate.write(file.getKey(), file.getValue());
                }
            }
            if (!text.isBlank()) {
                candidate.write(name, text);
            }
            return candidate;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns whether a file is the operator's own, which may be changed. */
    static boolean isOwn(String name) {
        return !name.startsWith(SHIPPED) && NAME.matcher(name).matches();
    }

    static void requireName(String name) {
        if (!isOwn(name)) {
            throw new PalyraException(
                    ErrorCode.INVALID_ARGUMENT,
                    "'"
                            + name
                            + "' is not the name of a file of your own: letters, digits, . _ and -,"
                            + " ending in .cedar, .cases.json or .cedarschema. Shipped files are"
                            + " left alone; a file of your own adds to them.");
        }
    }

    private void write(String name, String text) throws IOException {
        Files.writeString(folder.resolve(name), text, StandardCharsets.UTF_8);
    }

    /** Returns the folder. */
    String path() {
        return folder.toString();
    }

    @Override
    public void close() {
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.toList()) {
                Files.deleteIfExists(file);
            }
            Files.deleteIfExists(folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
