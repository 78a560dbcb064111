package palyra.sandbox.internal.git;

import java.net.URI;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/**
 * Paths as texts that lead back to the same path: a name that is no text in this locale, or has a
 * percent sign, is written in the way of URLs. Pure.
 */
final class GitPaths {
    private static final String ROOT = "file:///";

    private GitPaths() {}

    /** Returns the text of a single name. */
    static String name(Path name) {
        String text = name.toString();
        return text.indexOf('%') < 0 && isPath(text, name)
                ? text
                : Path.of("/").resolve(name).toUri().toString().substring(ROOT.length());
    }

    private static boolean isPath(String text, Path name) {
        try {
            return Path.of(text).equals(name);
        } catch (InvalidPathException e) {
            return false;
        }
    }

    /** Returns the text of a relative path; empty for the path without names. */
    static String text(Path relative) {
        StringBuilder text = new StringBuilder();
        for (Path name : relative) {
            text.append(text.isEmpty() ? "" : "/").append(name(name));
        }
        return text.toString();
    }

    /** Returns the path of a text. */
    static Path path(String text) {
        Path path = Path.of("");
        for (String name : text.split("/")) {
            path =
                    path.resolve(
                            name.indexOf('%') < 0
                                    ? Path.of(name)
                                    : Path.of(URI.create(ROOT + name)).getFileName());
        }
        return path;
    }
}
