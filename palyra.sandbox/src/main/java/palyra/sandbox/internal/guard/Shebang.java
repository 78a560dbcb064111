package palyra.sandbox.internal.guard;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** The interpreter that a script names in its first line, as execve(2) reads it. */
final class Shebang {
    private static final int MAX_LINE_BYTES = 256; // what the kernel looks at

    private Shebang() {}

    /** Returns the path after {@code #!}; empty for a file that is no script. */
    static Optional<String> interpreterOf(Path program) throws IOException {
        byte[] head;
        try (InputStream in = Files.newInputStream(program)) {
            head = in.readNBytes(MAX_LINE_BYTES);
        }
        String text = new String(head, StandardCharsets.ISO_8859_1);
        if (!text.startsWith("#!")) {
            return Optional.empty();
        }
        int end = text.indexOf('\n');
        String line = (end < 0 ? text : text.substring(0, end)).substring(2).strip();
        return Optional.of(line.split("[ \t]", 2)[0]);
    }
}
