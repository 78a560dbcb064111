package palyra.testing.channel;

/** What a platform does with one message in place of taking it and saying so. */
public enum SendFault {
    /** It takes the message, and the answer that says so never arrives. */
    LOST_ANSWER,
    /** The connection breaks off before the platform has the message. */
    LOST_REQUEST,
    /** It takes nothing now and says so, as with HTTP's 429. */
    RATE_LIMITED,
    /**
     * It will never take the message and says so: the conversation is gone, the text not allowed.
     */
    REFUSED,
    /**
     * It keeps the request and never answers, until the connection is closed. The connector may
     * have given up by itself after some seconds.
     */
    STALLED
}
