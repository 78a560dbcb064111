package palyra.sandbox.internal.guard;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Finds the paths in arguments in all these forms, and notes those that lead outside: {@code x},
 * {@code --opt=x}, {@code -ox}, {@code k=v}, {@code @x}, {@code file:x}, {@code scheme:x}, lists
 * with colons or commas. A text may be read in several ways; each reading must be inside. Changes
 * nothing. Not thread-safe.
 */
final class PathArguments {
    private static final String SEPARATORS = "=:,;@{";
    static final int MAX_PATH = 4_095; // longer ones cannot be opened, see PATH_MAX
    private static final int MAX_PLAIN_PIECES = 64; // of one argument, that only might be paths

    private static final Pattern BLANK = Pattern.compile("\\s");

    /** What no plain word of a line of shell has. */
    private static final Pattern OF_LINES = Pattern.compile("[\\s;&|<>()`$\"'{}*?=,]+");

    private final PathBounds bounds;
    private final String folder;
    private final ContainmentRule rule;
    private final Hosts hosts;
    private final boolean remote;
    private final boolean takesFiles;
    private final List<NamedPath> named = new ArrayList<>();
    private int plainPieces;

    /**
     * Begins.
     *
     * @param folder where the command starts, absolute
     * @param hosts takes the hosts that are found on the way
     * @param concerns takes what leads outside
     * @param remote whether the program knows {@code host:path}
     * @param takesFiles whether an operand is a path also when it does not look like one
     */
    PathArguments(
            PathBounds bounds,
            String folder,
            Hosts hosts,
            Concerns concerns,
            boolean remote,
            boolean takesFiles) {
        this.bounds = bounds;
        this.folder = folder;
        this.rule = new ContainmentRule(bounds, folder, concerns);
        this.hosts = hosts;
        this.remote = remote;
        this.takesFiles = takesFiles;
    }

    List<NamedPath> named() {
        return named;
    }

    /**
     * Looks at one argument.
     *
     * @param position which, from 0
     * @param before the option before it, if it may be that option's value; else empty
     * @param operandsOnly whether {@code --} was seen; what looks like an option is then read as
     *     one and as an operand, because not every program knows {@code --}
     * @param code whether the program executes it: then its words may be paths, not all of it
     */
    void check(String argument, int position, String before, boolean operandsOnly, boolean code) {
        plainPieces = 0;
        boolean line = code && isLine(argument);
        ContainmentRule.Argument it = new ContainmentRule.Argument(argument, position, line);
        if (line) {
            nameWords(argument, before, position);
        }
        boolean option = argument.startsWith("-") && argument.length() > 1;
        if (argument.contains("..") && !argument.startsWith("/")) {
            rule.follow(it, argument);
        }
        if (!option || operandsOnly) {
            scan(it, 0, before, takesFiles);
        }
        if (!option) {
            return;
        }
        if (argument.startsWith("--")) {
            int value = argument.indexOf('=') + 1;
            if (value > 0) {
                scan(it, value, argument.substring(0, value - 1), takesFiles);
            }
        } else if (argument.length() > 2) {
            cluster(it);
            scan(it, 2, argument.substring(0, 2), false);
        }
    }

    /** {@code tar -xf/etc/passwd}: the value of the last of several short options. */
    private void cluster(ContainmentRule.Argument it) {
        Matcher matcher = PathShapes.CLUSTER.matcher(it.text());
        if (!matcher.matches() || it.text().length() > MAX_PATH) {
            return;
        }
        String path = matcher.group("path");
        boolean other = // -Isrc/etc, which is there, is no /etc
                LinkCache.exists(bounds.follow(folder, it.text().substring(2)).path());
        if (path.startsWith("..") || (PathShapes.TOP.matcher(path).matches() && !other)) {
            rule.follow(it, path);
        }
    }

    private void scan(ContainmentRule.Argument it, int start, String option, boolean mayName) {
        String text = it.text();
        String key = option;
        boolean lead = true;
        int at = start;
        while (at >= 0 && at < text.length() && !rule.isFull()) {
            int end = separator(text, at);
            int next = piece(it, at, end, key, lead, mayName);
            if (next < 0 || next >= text.length()) {
                return;
            }
            int found = separator(text, next);
            if (found >= text.length()) {
                return;
            }
            char c = text.charAt(found);
            lead &= c == '=' || c == '@';
            key = c == '=' && at == 0 ? text.substring(at, found) : key;
            at = found + 1;
        }
    }

    private static int separator(String text, int from) {
        int at = from;
        while (at < text.length() && SEPARATORS.indexOf(text.charAt(at)) < 0) {
            at++;
        }
        return at;
    }

    /**
     * Looks at what begins here; returns where to look for the next separator, or -1 for nowhere.
     */
    private int piece(
            ContainmentRule.Argument it,
            int at,
            int end,
            String key,
            boolean lead,
            boolean mayName) {
        String text = it.text();
        boolean drive = lead && end == at + 1 && PathShapes.starts(text, at, PathShapes.DRIVE);
        boolean interesting = lead || "/~.".indexOf(text.charAt(at)) >= 0;
        if (!interesting && !text.startsWith("//", Math.min(end + 1, text.length()))) {
            boolean file = text.regionMatches(true, at, "file:", 0, 5);
            if (!file && plainPieces++ > MAX_PLAIN_PIECES) {
                return end;
            }
        }
        String rest = text.substring(at);
        if (rest.regionMatches(true, 0, "file:", 0, 5)) {
            return fileUrl(it, at);
        }
        if (PathShapes.starts(text, at, PathShapes.SCHEME) && hosts.url(rest)) {
            Matcher later = PathShapes.LATER_URL.matcher(rest);
            return later.find() ? at + later.start() : -1;
        }
        if (lead && isRemote(rest)) {
            return -1;
        }
        if (lead) {
            hosts.hostAndPort(rest);
        }
        rule.path(it, rest, text.substring(at, end));
        if (lead && !it.line() && mayName(rest, end - at, mayName)) {
            String shown = end - at == rest.length() ? rest : text.substring(at, end);
            if (!isSetting(shown)) {
                named.add(new NamedPath(bounds.follow(folder, shown).path(), key, it.position()));
            }
        }
        return drive ? end + 1 : end;
    }

    private void nameWords(String line, String option, int position) {
        for (String word : OF_LINES.split(line)) {
            boolean path = word.length() > 1 && word.length() <= MAX_PATH && word.startsWith("/");
            if (path && !PathBounds.isDevice(word)) {
                named.add(new NamedPath(bounds.follow(folder, word).path(), option, position));
            }
        }
    }

    /** Whether code has several words, and no file is called that. */
    private boolean isLine(String code) {
        return OF_LINES.matcher(code).find()
                && (code.length() > MAX_PATH
                        || !LinkCache.exists(bounds.follow(folder, code).path()));
    }

    /** Whether a text is a setting with several words, and no folder is called as it begins. */
    private boolean isSetting(String shown) {
        return !takesFiles
                && !shown.startsWith("/")
                && BLANK.matcher(shown).find()
                && !LinkCache.exists(bounds.follow(folder, shown.split("/", 2)[0]).path());
    }

    private boolean isRemote(String rest) {
        return rest.length() <= MAX_PATH
                && (hosts.remote(rest)
                        || (remote && !rest.startsWith("/") && hosts.remoteOf(rest)));
    }

    /**
     * Whether a piece is worth a fact: it is not the key of a value, and not too long for a path.
     */
    private static boolean mayName(String rest, int length, boolean plainToo) {
        boolean key = length < rest.length() && "=@{".indexOf(rest.charAt(length)) >= 0;
        String shown = rest.substring(0, Math.min(length, rest.length()));
        return !key
                && length > 0
                && length <= MAX_PATH
                && (plainToo || shown.contains("/") || shown.startsWith("."));
    }

    /** RFC 8089, and what programs make of it: with and without slashes, host and encoding. */
    private int fileUrl(ContainmentRule.Argument it, int at) {
        String rest = it.text().substring(at + "file:".length());
        if (rest.length() > MAX_PATH) {
            return -1;
        }
        String decoded = PathShapes.decoded(rest);
        for (String path : List.of(rest, decoded)) {
            rule.follow(it, path);
            Matcher host = PathShapes.HOST_AND_PATH.matcher(path);
            if (host.matches()) {
                rule.follow(it, host.group("path"));
            }
        }
        named.add(new NamedPath(bounds.follow(folder, decoded).path(), "", it.position()));
        return at + "file:".length();
    }
}
