package palyra.shared.approval;

/** Limits of an approval's scope, on every surface. */
public final class AnswerLimits {
    /** Longest time that a yes for a while may hold, in days. */
    public static final int MOST_DAYS = 30;

    /** The same in milliseconds. */
    public static final long MOST_MILLIS = MOST_DAYS * 86_400_000L;

    private AnswerLimits() {}
}
