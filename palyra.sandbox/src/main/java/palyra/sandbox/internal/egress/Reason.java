package palyra.sandbox.internal.egress;

import java.util.Locale;

/** Why something was not connected to; the names are labels of metrics and part of the records. */
enum Reason {
    /** The request is malformed, or could be understood in two ways. */
    REQUEST,
    /** The URL or the host is not usable. */
    HOST,
    /** The port is not among those that may be used. */
    PORT,
    /** The host is not on the list of the proxy. */
    NOT_LISTED,
    /** Policy said no. */
    POLICY,
    /** The policy service is unavailable. */
    POLICY_UNAVAILABLE,
    /** A resolved address is not one of the public internet. */
    ADDRESS,
    /** It is the gateway's own port. */
    OWN_PORT,
    /** TLS was not started for the host that was asked for. */
    TLS_NAME,
    /** A redirect leads where it may not. */
    REDIRECT,
    /** The record could not be written. */
    JOURNAL,
    /** The name is not known. */
    NAME_UNKNOWN,
    /** The address does not accept the connection. */
    UNREACHABLE,
    /** It took too long. */
    TIME,
    /** A number or an amount was used up. */
    LIMIT;

    /** Returns the name as metrics and records have it. */
    String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
