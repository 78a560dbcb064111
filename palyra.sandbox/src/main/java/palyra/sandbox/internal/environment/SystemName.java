package palyra.sandbox.internal.environment;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The name of the operating system. */
public final class SystemName {
    private static final Pattern PRETTY =
            Pattern.compile("(?m)^PRETTY_NAME=[\"']?([ -~&&[^\"']]{1,60})[\"']?$");

    private SystemName() {}

    /** Returns it with the kind of processor, such as {@code Linux amd64, Debian GNU/Linux 13}. */
    public static String now() {
        return of(
                System.getProperty("os.name", "an unknown system"),
                System.getProperty("os.arch", ""),
                Path.of("/etc/os-release"));
    }

    /**
     * Returns it.
     *
     * @param release file that names the distribution, see os-release(5); may be absent
     */
    static String of(String name, String processor, Path release) {
        String system = (name + " " + processor).strip();
        try {
            Matcher pretty = PRETTY.matcher(Files.readString(release));
            return pretty.find() ? system + ", " + pretty.group(1) : system;
        } catch (IOException e) {
            return system; // not every system has one
        }
    }
}
