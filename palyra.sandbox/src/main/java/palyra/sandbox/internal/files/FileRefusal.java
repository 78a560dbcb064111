package palyra.sandbox.internal.files;

/** A call that must not happen; never leaves this package. */
final class FileRefusal extends Exception {
    static final String INPUT = "tool.input_invalid";
    static final String OUTSIDE = "sandbox.path_outside";
    static final String LINK = "sandbox.path_link";
    static final String PROTECTED = "sandbox.path_protected";
    static final String NOT_FOUND = "sandbox.path_not_found";
    static final String KIND = "sandbox.path_kind";
    static final String PATCH = "sandbox.patch_refused";
    static final String EDIT = "sandbox.edit_refused";

    private static final long serialVersionUID = 1L;
    private static final int SHOWN = 160;

    private final String reasonCode;

    FileRefusal(String reasonCode, String reason) {
        super(reason, null, false, false); // no stack trace: this is an answer, not a failure
        this.reasonCode = reasonCode;
    }

    String reasonCode() {
        return reasonCode;
    }

    /** A text from outside as it may stand in a sentence. */
    static String shown(String text) {
        String clean = text.replaceAll("\\p{Cntrl}", "\uFFFD");
        return clean.length() <= SHOWN ? clean : clean.substring(0, SHOWN) + "…";
    }
}
