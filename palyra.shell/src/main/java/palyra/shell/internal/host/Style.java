package palyra.shell.internal.host;

import java.util.Locale;
import java.util.Map;

/**
 * Colours of text at a terminal, by ECMA-48 (SGR). Without colour it returns texts as they are.
 *
 * @param colour whether there is a terminal with colours, and the caller did not set NO_COLOR
 *     (no-color.org)
 */
record Style(boolean colour) {
    static final Style PLAIN = new Style(false);

    private static final String BOLD = "1";
    private static final String DIM = "2";
    private static final String RED = "31";
    private static final String GREEN = "32";
    private static final String YELLOW = "33";

    /** Words for states that stand alone in a cell or value, in the order of the colours. */
    private static final Map<String, String> STATES =
            Map.ofEntries(
                    Map.entry("active", GREEN),
                    Map.entry("allow", GREEN),
                    Map.entry("allowed", GREEN),
                    Map.entry("available", GREEN),
                    Map.entry("granted", GREEN),
                    Map.entry("held", GREEN),
                    Map.entry("in force", GREEN),
                    Map.entry("ok", GREEN),
                    Map.entry("passed", GREEN),
                    Map.entry("present", GREEN),
                    Map.entry("succeeded", GREEN),
                    Map.entry("absent", YELLOW),
                    Map.entry("approval_required", YELLOW),
                    Map.entry("awaiting_approval", YELLOW),
                    Map.entry("needs an approval", YELLOW),
                    Map.entry("last good in force", YELLOW),
                    Map.entry("pending", YELLOW),
                    Map.entry("warning", YELLOW),
                    Map.entry("critical", RED),
                    Map.entry("denied", RED),
                    Map.entry("deny", RED),
                    Map.entry("error", RED),
                    Map.entry("failed", RED),
                    Map.entry("not in force", RED),
                    Map.entry("quarantined", RED),
                    Map.entry("unavailable", RED));

    String heading(String text) {
        return sgr(BOLD, text);
    }

    String dim(String text) {
        return sgr(DIM, text);
    }

    /** Returns whether a text is the word for a state. */
    static boolean isState(String text) {
        return STATES.containsKey(text.strip().toLowerCase(Locale.ROOT));
    }

    /** Colours a text that is the word for a state; returns others as they are. */
    String state(String text) {
        String code = colour ? STATES.get(text.strip().toLowerCase(Locale.ROOT)) : null;
        return code == null ? text : sgr(code, text);
    }

    /** Colours the severity at the beginning of a finding: {@code error [journal] …}. */
    String line(String text) {
        int area = colour ? text.indexOf(" [") : -1;
        return area < 0 ? text : state(text.substring(0, area)) + text.substring(area);
    }

    private String sgr(String code, String text) {
        return colour && !text.isEmpty() ? "\033[" + code + "m" + text + "\033[0m" : text;
    }
}
