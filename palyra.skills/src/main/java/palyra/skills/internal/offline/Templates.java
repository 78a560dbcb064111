package palyra.skills.internal.offline;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.Require;

/** Templates of skills: folders in the bundle, each with an index. */
public final class Templates {
    /** Names of the templates. */
    public static final List<String> NAMES = List.of("minimal", "c", "assemblyscript", "rust");

    private static final String ROOT = "/palyra/skills/templates/";
    private static final String INDEX = "files.txt";
    private static final String ID = "[a-z0-9]+([._-][a-z0-9]+)*";

    private Templates() {}

    /**
     * Writes a template into a folder, which must be empty or not there.
     *
     * @return the files that were written
     */
    public static List<String> write(Path folder, String template, String publisher, String id) {
        Require.that(
                NAMES.contains(template),
                "'" + template + "' is not a template; give one of " + String.join(", ", NAMES));
        Require.that(
                publisher.matches(ID) && id.matches(ID) && id.length() <= 64,
                "publisher and id are of a-z 0-9 with single . _ - between, at most 64 long");
        Require.that(
                id.startsWith(publisher + "."),
                "the id '" + id + "' does not begin with the publisher: " + publisher + ".…");
        try {
            requireEmpty(folder);
            List<String> written = new ArrayList<>();
            for (String file : index(template)) {
                write(folder, template, file, publisher, id);
                written.add(file);
            }
            return written;
        } catch (IOException e) {
            throw new PalyraException(
                    ErrorCode.INVALID_ARGUMENT,
                    "The template cannot be written to " + folder + ": " + e.getMessage() + ".",
                    e);
        }
    }

    private static void requireEmpty(Path folder) throws IOException {
        if (!Files.exists(folder, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        try (Stream<Path> inside = Files.list(folder)) {
            if (inside.findAny().isPresent()) {
                throw new PalyraException(
                        ErrorCode.ALREADY_EXISTS, folder + " is not empty; name a new folder.");
            }
        }
    }

    private static byte[] resource(String template, String file) throws IOException {
        try (InputStream in = Templates.class.getResourceAsStream(ROOT + template + "/" + file)) {
            if (in == null) {
                throw new IOException("this Palyra has no template " + template + "/" + file);
            }
            return in.readAllBytes();
        }
    }

    private static List<String> index(String template) throws IOException {
        String text = new String(resource(template, INDEX), StandardCharsets.UTF_8);
        return text.lines().map(String::strip).filter(line -> !line.isEmpty()).toList();
    }

    private static void write(
            Path folder, String template, String file, String publisher, String id)
            throws IOException {
        Path target = folder.resolve(file).normalize();
        if (!target.startsWith(folder.normalize())) {
            throw new IOException("the index names " + file);
        }
        byte[] content = resource(template, file);
        if (!file.endsWith(".wasm")) {
            content =
                    new String(content, StandardCharsets.UTF_8)
                            .replace("@PUBLISHER@", publisher)
                            .replace("@ID@", id)
                            .replace("@NAME@", id.substring(publisher.length() + 1))
                            .getBytes(StandardCharsets.UTF_8);
        }
        Files.createDirectories(target.getParent());
        Files.write(target, content, StandardOpenOption.CREATE_NEW);
        if (file.endsWith(".sh")) {
            Files.setPosixFilePermissions(target, PosixFilePermissions.fromString("rwxr-xr-x"));
        }
    }
}
