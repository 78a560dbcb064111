package palyra.console.internal.policy;

import java.util.Map;
import palyra.console.internal.web.Exchange;
import palyra.shared.hash.Digests;

/**
 * What an edit of a policy file began with. An edit that began before another person's change would
 * undo it, so it is refused until its person says to have seen that.
 *
 * @param opened name of the file that was opened; empty for a new one
 * @param digest digest of its text then; empty for a new one
 * @param seen digest of a later text that the edit's person has seen and replaces; empty for none
 */
public record EditBasis(String opened, String digest, String seen) {
    /** How the absence of a file is seen, which has no digest. */
    private static final String ABSENT = "absent";

    /** Returns the basis of an edit that begins now. */
    static EditBasis of(Map<String, String> inForce, String name) {
        return new EditBasis(name, digest(inForce.get(name)), "");
    }

    /** Returns the basis that a form carries. */
    static EditBasis of(Exchange form) {
        return new EditBasis(
                form.parameter("opened"), form.parameter("base"), form.parameter("seen"));
    }

    /** Returns the basis of the next edit after a text was applied; a blank one ends the file. */
    static EditBasis applied(String name, String text) {
        return new EditBasis(name, text.isBlank() ? "" : digest(text), "");
    }

    /**
     * Returns what the file is now when that is neither what the edit began with nor what its
     * person has seen; empty otherwise.
     */
    String changed(Map<String, String> inForce, String name) {
        String now = digest(inForce.get(name));
        if (now.equals(expected(name))) {
            return "";
        }
        String shown = now.isEmpty() ? ABSENT : now;
        return shown.equals(seen) ? "" : shown;
    }

    /** A file that gets another name is a new one under it. */
    private String expected(String name) {
        return name.equals(opened) ? digest : "";
    }

    /** Returns why an edit is refused. */
    String sentence(Map<String, String> inForce, String name) {
        String found =
                !inForce.containsKey(name)
                        ? " is not in force any more; it was taken out since you opened it."
                        : expected(name).isEmpty()
                                ? " is in force already, and is not the file that you opened."
                                : " was changed since you opened it.";
        return "The file "
                + name
                + found
                + " Nothing was done, for your text would undo that. Your text is kept; look at what"
                + " is in force in another tab, and take over what you need.";
    }

    private static String digest(String text) {
        return text == null ? "" : Digests.sha256Hex(text);
    }
}
