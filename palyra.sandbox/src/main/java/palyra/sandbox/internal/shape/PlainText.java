package palyra.sandbox.internal.shape;

import java.nio.file.Path;

/** Which texts are so plain that every program reads them the same way. Pure. */
final class PlainText {
    private static final int LONGEST = 4_095;

    private PlainText() {}

    /**
     * Returns whether an operand may be any file or revision: printable ASCII, nothing that a
     * program could take for an option, a response file, a home folder, a scheme, a remote place or
     * magic, no way up, and in the workspace if absolute.
     */
    static boolean isFile(String operand, Path workspace) {
        return isPrintable(operand)
                && "-+@~!:".indexOf(operand.charAt(0)) < 0
                && operand.indexOf(':') < 0
                && operand.indexOf('\\') < 0
                && !operand.startsWith(" ")
                && !operand.endsWith(" ")
                && !climbs(operand)
                && (!operand.startsWith("/") || isIn(operand, workspace));
    }

    private static boolean climbs(String operand) {
        return ("/" + operand + "/").contains("/../");
    }

    private static boolean isIn(String path, Path workspace) {
        return path.equals(workspace.toString()) || path.startsWith(workspace + "/");
    }

    /** Returns whether an operand may be any text: printable ASCII that is no option. */
    static boolean isWord(String operand) {
        return isPrintable(operand) && "-+@".indexOf(operand.charAt(0)) < 0;
    }

    /** Returns whether a text may be the value of an option: no control characters. */
    static boolean isValue(String value) {
        return value.length() <= LONGEST
                && value.chars().allMatch(c -> !Character.isISOControl(c) || c == '\n');
    }

    /** Returns whether a text may be the name of a script: a letter, then letters, digits, -_:. */
    static boolean isScript(String name) {
        return name.length() <= 128 && name.matches("[A-Za-z][A-Za-z0-9_.:-]*");
    }

    private static boolean isPrintable(String text) {
        return !text.isEmpty()
                && text.length() <= LONGEST
                && text.chars().allMatch(c -> c >= 0x20 && c <= 0x7e);
    }
}
