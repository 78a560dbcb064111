package palyra.launcher;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Pattern;

/**
 * {@code | grep [-i] [-v] TEXT}: keeps the lines that contain a text, or those that do not. The
 * text is not a regular expression.
 */
record Grep(Pattern text, boolean inverted) {
    /** A longer line is matched by its beginning. */
    static final int LINE_LIMIT_BYTES = 256 * 1024;

    private static final String POSSIBLE =
            "this prompt supports only grep [-i] [-v] TEXT after |; for other filters run palyra"
                    + " COMMAND | ... in your system's shell; a | within quotes is text";

    /**
     * @param stage the words after {@code |}
     * @throws IllegalArgumentException for any other stage, with a message for the user
     */
    static Grep of(List<String> stage) {
        if (stage.isEmpty() || !stage.get(0).equals("grep")) {
            throw refused(stage.isEmpty() ? "nothing" : "'" + stage.get(0) + "'");
        }
        boolean anyCase = false;
        boolean inverted = false;
        int at = 1;
        for (; at < stage.size() && stage.get(at).matches("-[iv]+"); at++) {
            anyCase |= stage.get(at).contains("i");
            inverted |= stage.get(at).contains("v");
        }
        if (at < stage.size() && stage.get(at).equals("--")) {
            at++;
        } else if (at < stage.size() && stage.get(at).matches("-.+")) {
            throw refused("the option '" + stage.get(at) + "' of grep");
        }
        if (stage.size() - at != 1) {
            throw refused("grep with " + (stage.size() - at) + " texts");
        }
        int flags = anyCase ? Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE : 0;
        return new Grep(Pattern.compile(Pattern.quote(stage.get(at)), flags), inverted);
    }

    private static IllegalArgumentException refused(String found) {
        return new IllegalArgumentException(POSSIBLE + "; found " + found);
    }

    /** Returns a stream that passes matching lines to {@code out}. */
    MatchingLines onto(OutputStream out) {
        return new MatchingLines(out);
    }

    private boolean keeps(String line) {
        return text.matcher(line).find() != inverted;
    }

    /** Not thread-safe. Closing matches a last line without a line feed and closes the target. */
    final class MatchingLines extends OutputStream {
        private final OutputStream out;
        private final ByteArrayOutputStream line = new ByteArrayOutputStream();
        private boolean judged; // the beginning of this line was
        private boolean keeping; // once judged
        private boolean any;

        private MatchingLines(OutputStream out) {
            this.out = out;
        }

        /** Whether a line was kept. */
        boolean any() {
            return any;
        }

        @Override
        public void write(int b) throws IOException {
            if (b == '\n') {
                endLine();
                return;
            }
            if (!judged) {
                line.write(b);
                if (line.size() == LINE_LIMIT_BYTES) {
                    judge();
                }
            } else if (keeping) {
                out.write(b);
            }
        }

        private void endLine() throws IOException {
            if (!judged) {
                judge();
            }
            if (keeping) {
                out.write('\n');
            }
            judged = false;
        }

        private void judge() throws IOException {
            judged = true;
            keeping = keeps(line.toString(StandardCharsets.UTF_8));
            any |= keeping;
            if (keeping) {
                line.writeTo(out);
            }
            line.reset();
        }

        @Override
        public void flush() throws IOException {
            out.flush();
        }

        @Override
        public void close() throws IOException {
            if (judged || line.size() > 0) {
                endLine();
            }
            out.flush();
            out.close();
        }
    }
}
