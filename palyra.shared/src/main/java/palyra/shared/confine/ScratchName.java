package palyra.shared.confine;

/** What a call's folder for temporary files is called where it is within the workspace. Pure. */
public final class ScratchName {
    private static final String PREFIX = ".palyra-tmp-";

    private ScratchName() {}

    /** Returns the name of the folder of a call. */
    public static String of(String callId) {
        return PREFIX + callId;
    }
}
