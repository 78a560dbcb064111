package palyra.console.internal.web;

/** The person has to show a factor before this request goes on. */
final class FactorNeededException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    FactorNeededException() {
        super("A factor is asked for.", null, false, false);
    }
}
