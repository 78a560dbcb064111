package palyra.health.internal;

/** Who a caller is, as far as the answer depends on it. */
sealed interface Admission {
    /** Nobody in particular: gets what everybody on this machine may know. */
    record Anonymous() implements Admission {}

    /** Somebody who may see everything. */
    record Known() implements Admission {}

    /** Nobody who gets an answer. */
    record Refused(Reply reply) implements Admission {}
}
