package palyra.shared.confine;

/** The name of a call's temporary folder inside the workspace. Pure. */
public final class ScratchName {
    private static final String PREFIX = ".palyra-tmp-";

    private ScratchName() {}

    /** Returns the name of the folder of a call. */
    public static String of(String callId) {
        return PREFIX + callId;
    }
}
