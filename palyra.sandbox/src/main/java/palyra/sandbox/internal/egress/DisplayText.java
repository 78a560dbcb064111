package palyra.sandbox.internal.egress;

import java.util.regex.Pattern;

/** Text from outside as messages and records show it: short, without control characters. */
final class DisplayText {
    private static final int LONGEST = 240;

    /** Control and format characters, such as those that turn the direction of a line. */
    private static final Pattern OTHER = Pattern.compile("[\\p{C}\\p{Zl}\\p{Zp}]");

    private DisplayText() {}

    static String text(String text) {
        String cut = text.length() > LONGEST ? text.substring(0, LONGEST) + "…" : text;
        return OTHER.matcher(cut).replaceAll("?");
    }
}
