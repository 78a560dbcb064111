package palyra.shared.worker;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;

/** The JDK of the gateway, for a worker. Stateless. */
public final class JavaProgram {
    private JavaProgram() {}

    /**
     * Returns the real path of the java program.
     *
     * @throws PalyraException TOOL_UNAVAILABLE when it is not there
     */
    public static String path() {
        Path java = home().resolve("bin").resolve("java");
        try {
            return java.toRealPath().toString();
        } catch (IOException e) {
            throw new PalyraException(
                    ErrorCode.TOOL_UNAVAILABLE,
                    "The worker needs a java program, and " + java + " is not there.",
                    e);
        }
    }

    private static Path home() {
        return Path.of(System.getProperty("java.home"));
    }

    /**
     * Returns what a worker reads: its program, the JDK, and where Debian keeps the settings of its
     * JDK, with links to them.
     *
     * @param program paths of its program; what does not exist is left out
     */
    public static List<String> readable(List<String> program) {
        List<String> paths = new ArrayList<>(program);
        paths.add(home().toString());
        paths.add("/etc/java-" + Runtime.version().feature() + "-openjdk");
        paths.removeIf(path -> !Files.exists(Path.of(path)));
        return paths;
    }
}
