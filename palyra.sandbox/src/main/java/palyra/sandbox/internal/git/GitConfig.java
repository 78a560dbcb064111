package palyra.sandbox.internal.git;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * A configuration file of git, read as git reads it: see the section Syntax of git-config(1) and
 * git's config.c. Texts have one character per byte. Immutable.
 *
 * @param text the file
 * @param entries what it sets, in order
 */
record GitConfig(String text, List<Entry> entries) {
    /**
     * One setting.
     *
     * @param section in lower case
     * @param subsection as it is written; null for none
     * @param key in lower case
     * @param value null where none is given, which means true
     * @param from where its key begins in the text
     * @param to where its value ends
     */
    record Entry(String section, String subsection, String key, String value, int from, int to) {
        /** Returns its name as git shows it: {@code remote.origin.url}. */
        String name() {
            return section + (subsection == null ? "" : "." + subsection) + "." + key;
        }

        /** Whether it sets the same to the same. */
        boolean isLike(Entry other) {
            return name().equals(other.name())
                    && (value == null ? other.value == null : value.equals(other.value));
        }
    }

    /** Reads a file; empty where git would find a mistake in it, or could read it otherwise. */
    static Optional<GitConfig> read(String text) {
        Reader reader = new Reader(text);
        return reader.all()
                ? Optional.of(new GitConfig(text, List.copyOf(reader.entries)))
                : Optional.empty();
    }

    /** Returns the text without some of its entries; everything else stays as it is. */
    String without(List<Entry> removed) {
        StringBuilder left = new StringBuilder();
        int at = 0;
        for (Entry entry : entries) {
            if (removed.contains(entry)) {
                int from = lineStart(entry.from());
                left.append(text, at, from);
                at =
                        from < entry.from() && text.startsWith("\n", entry.to())
                                ? entry.to() + 1
                                : entry.to();
            }
        }
        return left.append(text, at, text.length()).toString();
    }

    /** An entry alone on its line goes with the line. */
    private int lineStart(int from) {
        int start = from;
        while (start > 0 && (text.charAt(start - 1) == '\t' || text.charAt(start - 1) == ' ')) {
            start--;
        }
        return start > 0 && text.charAt(start - 1) == '\n' ? start : from;
    }

    /** Writes entries, each in a section of its own. */
    static String written(List<Entry> entries) {
        StringBuilder text = new StringBuilder();
        for (Entry entry : entries) {
            text.append("\n[").append(entry.section());
            if (entry.subsection() != null) {
                text.append(" \"").append(escaped(entry.subsection())).append('"');
            }
            text.append("]\n\t").append(entry.key());
            if (entry.value() != null) {
                String value =
                        escaped(entry.value())
                                .replace("\n", "\\n")
                                .replace("\t", "\\t")
                                .replace("\b", "\\b");
                text.append(" = \"").append(value).append('"');
            }
            text.append('\n');
        }
        return text.toString();
    }

    private static String escaped(String text) {
        return text.replace("\\", "\\\\").replace("\"", "\\\"");
    }

    /** Goes over the text once. */
    private static final class Reader {
        private static final String MARK = "\u00ef\u00bb\u00bf"; // of UTF-8

        private final String text;
        private final List<Entry> entries = new ArrayList<>();
        private String section; // null before the first
        private String subsection;
        private int at;

        Reader(String text) {
            this.text = text;
            at = text.startsWith(MARK) ? MARK.length() : 0;
        }

        boolean all() {
            if (text.indexOf('\0') >= 0) {
                return false;
            }
            while (at < text.length()) {
                char c = text.charAt(at);
                if (isSpace(c)) {
                    at++;
                } else if (c == '#' || c == ';') {
                    comment();
                } else if (!(c == '[' ? section() : isLetter(c) && entry())) {
                    return false;
                }
            }
            return true;
        }

        private void comment() {
            int end = text.indexOf('\n', at);
            at = end < 0 ? text.length() : end;
        }

        private boolean section() {
            int begin = ++at;
            while (at < text.length() && (isKey(text.charAt(at)) || text.charAt(at) == '.')) {
                at++;
            }
            String name = text.substring(begin, at).toLowerCase(Locale.ROOT);
            int dot = name.indexOf('.');
            section = dot < 0 ? name : name.substring(0, dot);
            subsection = dot < 0 ? null : name.substring(dot + 1);
            if (at < text.length() && isBlank(text.charAt(at))) {
                return dot < 0 && quoted();
            }
            return !section.isEmpty() && closes();
        }

        private boolean quoted() {
            while (at < text.length() && isBlank(text.charAt(at))) {
                at++;
            }
            if (at >= text.length() || text.charAt(at) != '"') {
                return false;
            }
            StringBuilder name = new StringBuilder();
            for (at++; at < text.length(); at++) {
                char c = text.charAt(at);
                if (c == '\n') {
                    return false;
                }
                if (c == '"') {
                    at++;
                    subsection = name.toString();
                    return !section.isEmpty() && closes();
                }
                if (c == '\\' && (++at >= text.length() || text.charAt(at) == '\n')) {
                    return false;
                }
                name.append(text.charAt(at));
            }
            return false;
        }

        private boolean closes() {
            return at < text.length() && text.charAt(at++) == ']';
        }

        private boolean entry() {
            if (section == null) {
                return false;
            }
            int begin = at;
            while (at < text.length() && isKey(text.charAt(at))) {
                at++;
            }
            String key = text.substring(begin, at).toLowerCase(Locale.ROOT);
            while (at < text.length() && isBlank(text.charAt(at))) {
                at++;
            }
            if (at >= text.length() || endsLine()) {
                entries.add(new Entry(section, subsection, key, null, begin, at));
                return true;
            }
            if (text.charAt(at) != '=') {
                return false;
            }
            at++;
            String value = value();
            if (value == null) {
                return false;
            }
            entries.add(new Entry(section, subsection, key, value, begin, at));
            return true;
        }

        private boolean endsLine() {
            return text.charAt(at) == '\n' || text.startsWith("\r\n", at);
        }

        /** Reads up to the end of the line, which is left; null for a mistake. */
        private String value() {
            StringBuilder value = new StringBuilder();
            boolean quote = false;
            boolean comment = false;
            int trimmed = 0; // length up to the last character that is no space outside of quotes
            while (at < text.length() && !endsLine()) {
                char c = text.charAt(at++);
                if (comment) {
                    continue;
                }
                if (!quote && (c == '#' || c == ';')) {
                    comment = true;
                } else if (!quote && isSpace(c)) {
                    if (value.length() > 0) {
                        value.append(c);
                    }
                } else if (c == '"') {
                    quote = !quote;
                    trimmed = value.length();
                } else if (c == '\\') {
                    if (at >= text.length()) {
                        return null;
                    }
                    at += text.startsWith("\r\n", at) ? 1 : 0;
                    char escaped = text.charAt(at++);
                    if (escaped == '\n') {
                        continue;
                    }
                    int known = "tbn\\\"".indexOf(escaped);
                    if (known < 0) {
                        return null;
                    }
                    value.append("\t\b\n\\\"".charAt(known));
                    trimmed = value.length();
                } else {
                    value.append(c);
                    trimmed = value.length();
                }
            }
            return quote ? null : value.substring(0, trimmed);
        }

        private static boolean isBlank(char c) {
            return c == ' ' || c == '\t';
        }

        /** As git's isspace(), which knows no vertical tab and no form feed. */
        private static boolean isSpace(char c) {
            return c == ' ' || c == '\t' || c == '\n' || c == '\r';
        }

        private static boolean isLetter(char c) {
            return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z';
        }

        private static boolean isKey(char c) {
            return isLetter(c) || c >= '0' && c <= '9' || c == '-';
        }
    }
}
