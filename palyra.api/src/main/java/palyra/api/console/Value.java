package palyra.api.console;

import palyra.api.Require;

/**
 * A value in a table or a list of facts. Text is shown as it is, never as markup; characters that
 * turn the direction of text are made visible.
 */
public sealed interface Value {
    /** Plain text; empty for nothing. */
    record Text(String text) implements Value {
        /** Checks. */
        public Text {
            text = Require.orEmpty(text);
        }
    }

    /** An id, path, digest or other text in a fixed-width font. */
    record Code(String text) implements Value {
        /** Checks. */
        public Code {
            text = Require.orEmpty(text);
        }
    }

    /** A state, shown with a colour and its word. */
    record State(Level level, String text) implements Value {
        /** Checks. */
        public State {
            Require.present(level, "level");
            Require.text(text, "state");
        }
    }

    /** A time in unix milliseconds, shown in the reader's zone; 0 for never. */
    record Time(long unixMillis) implements Value {}

    /**
     * A link within the console.
     *
     * @param path begins with {@code /console/}; any other is refused
     */
    record Link(String text, String path) implements Value {
        /** Checks. */
        public Link {
            Require.text(text, "text of a link");
            Require.that(
                    path != null && path.startsWith("/console/") && !path.contains(".."),
                    "a link of a panel leads to /console/…, not to '" + path + "'");
        }
    }

    /** Returns plain text. */
    static Value text(String text) {
        return new Text(text);
    }

    /** Returns text in a fixed-width font. */
    static Value code(String text) {
        return new Code(text);
    }
}
