package palyra.connectors.webhook.internal;

/** A request is not taken, for what its head or the way it came says. */
final class RefusedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient Answer answer;

    RefusedException(Answer answer) {
        super(answer.result(), null, false, false);
        this.answer = answer;
    }

    Answer answer() {
        return answer;
    }
}
