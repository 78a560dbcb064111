package palyra.sandbox.internal.workspace;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/**
 * How file systems are mounted, as {@code /proc/self/mountinfo} tells (proc(5)). Where there is no
 * such file nothing is known, and nothing is objected to.
 */
final class MountTable {
    private static final int MOUNT_POINT = 4; // fields of a line, from 0
    private static final int OPTIONS = 5;

    private final Path source;

    MountTable(Path source) {
        this.source = source;
    }

    /** Returns the mount options of the file system of a real path; may be empty. */
    Set<String> optionsOf(Path real) {
        String best = "";
        Set<String> options = Set.of();
        for (String line : lines()) {
            List<String> fields = Arrays.asList(line.split(" ", -1));
            if (fields.size() <= OPTIONS) {
                continue;
            }
            String point = unescaped(fields.get(MOUNT_POINT));
            // Of two mounts at one place the later line covers the earlier.
            if (covers(point, real.toString()) && point.length() >= best.length()) {
                best = point;
                options = Set.copyOf(Arrays.asList(distinct(fields.get(OPTIONS))));
            }
        }
        return options;
    }

    private List<String> lines() {
        try {
            return Files.readAllLines(source, StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            return List.of();
        }
    }

    private static String[] distinct(String options) {
        return Arrays.stream(options.split(",", -1)).distinct().toArray(String[]::new);
    }

    private static boolean covers(String point, String path) {
        return point.equals("/") || path.equals(point) || path.startsWith(point + "/");
    }

    /** Space, tab, newline and backslash are written as three octal digits. */
    private static String unescaped(String field) {
        return field.replace("\\040", " ")
                .replace("\\011", "\t")
                .replace("\\012", "\n")
                .replace("\\134", "\\");
    }
}
