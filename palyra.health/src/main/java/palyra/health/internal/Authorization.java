package palyra.health.internal;

import palyra.shared.http.Reply;

/** Result of the authorization of a request. */
sealed interface Authorization {
    /** No token: gets what any caller on this machine may see. */
    record Anonymous() implements Authorization {}

    /**
     * A caller who may see details.
     *
     * @param credential id of its credential
     */
    record Authenticated(String credential) implements Authorization {}

    /** The request is refused with {@code reply}. */
    record Refused(Reply reply) implements Authorization {}
}
