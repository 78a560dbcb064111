package palyra.sandbox.internal.git;

import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/**
 * Names of paths that git refuses to have in a work tree: they lead out of it, or into what is
 * git's own, on some file system at least. What git reads from files that it believes itself to
 * have written it does not check. Pure.
 */
final class GitNames {
    private static final Pattern OWN =
            Pattern.compile(
                    "(?:\\.git|git~1)[ .]*(?::.*)?", Pattern.CASE_INSENSITIVE | Pattern.DOTALL);

    /** No link may be in its place. */
    private static final Pattern MODULES =
            Pattern.compile(
                    "(?:\\.gitmodules|gitmod~[1-4]|gi7eba~[1-9])[ .]*(?::.*)?",
                    Pattern.CASE_INSENSITIVE | Pattern.DOTALL);

    /** Characters that HFS+ leaves out of names. */
    private static final Pattern LEFT_OUT =
            Pattern.compile("[\\x{200c}-\\x{200f}\\x{202a}-\\x{202e}\\x{206a}-\\x{206f}\\x{feff}]");

    private GitNames() {}

    /**
     * Returns whether a path stays in its work tree and out of git's own.
     *
     * @param path with one character per byte
     * @param link whether a link is to be there
     */
    static boolean isPlain(String path, boolean link) {
        for (String name : path.split("/", -1)) {
            if (name.isEmpty() || name.equals(".") || name.equals("..") || isOwn(name, link)) {
                return false;
            }
        }
        return true;
    }

    private static boolean isOwn(String name, boolean link) {
        String text = name;
        if (!name.chars().allMatch(c -> c < 0x80)) {
            byte[] bytes = name.getBytes(StandardCharsets.ISO_8859_1);
            text = LEFT_OUT.matcher(new String(bytes, StandardCharsets.UTF_8)).replaceAll("");
        }
        for (String part : text.indexOf('\\') < 0 ? new String[] {text} : text.split("\\\\")) {
            if (OWN.matcher(part).matches() || (link && MODULES.matcher(part).matches())) {
                return true;
            }
        }
        return false;
    }
}
