package palyra.health.internal;

/** Who a caller is, as far as the answer depends on it. */
sealed interface Admission {
    /** Nobody in particular: gets what everybody on this machine may know. */
    record Anonymous() implements Admission {}

    /**
     * A caller who may see everything.
     *
     * @param credential id of the credential that says so
     */
    record Known(String credential) implements Admission {}

    /** Nobody who gets an answer. */
    record Refused(Reply reply) implements Admission {}
}
