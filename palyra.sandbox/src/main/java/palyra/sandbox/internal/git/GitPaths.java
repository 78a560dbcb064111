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

    /** Returns the text of a path; empty for the path without names. */
    static String text(Path path) {
        StringBuilder text = new StringBuilder();
        for (Path name : path) {
            text.append(text.isEmpty() ? "" : "/").append(name(name));
        }
        return path.isAbsolute() ? "/" + text : text.toString();
    }

    /** Returns the path of bytes, whatever the locale; InvalidPathException for none. */
    static Path path(byte[] bytes) {
        StringBuilder text = new StringBuilder();
        for (byte one : bytes) {
            boolean plain = one > ' ' && one < 0x7f && "%\"<>\\^`{|}?#[]".indexOf(one) < 0;
            text.append(plain ? String.valueOf((char) one) : String.format("%%%02X", one & 0xff));
        }
        return path(text.toString());
    }

    /** Returns the path of a text. */
    static Path path(String text) {
        Path path = Path.of(text.startsWith("/") ? "/" : "");
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
