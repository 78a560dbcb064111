package palyra.sandbox.internal.egress;

import org.osgi.service.metatype.annotations.AttributeDefinition;
import org.osgi.service.metatype.annotations.ObjectClassDefinition;

/** Configuration of the way out to the network. */
@ObjectClassDefinition(
        name = "Egress",
        description =
                "Limits connections of the gateway's own requests and of the proxies of"
                        + " sandboxed commands, in addition to policy.")
@interface EgressConfiguration {
    /** The PID. */
    String PID = "palyra.sandbox.egress";

    /** Private places. */
    @AttributeDefinition(
            required = false,
            description =
                    "HOST:PORT of servers that may have private or loopback addresses, such as"
                            + " localhost:11434 of a local model server. Policy must allow them"
                            + " too, and the gateway's own ports stay closed.")
    String[] allowPrivate() default {};

    /** Private ranges. */
    @AttributeDefinition(
            required = false,
            description =
                    "Ranges of private or reserved addresses that servers may have, each as"
                            + " ADDRESS/BITS, such as 10.20.0.0/16. Policy must allow the host too;"
                            + " link-local, unspecified and multicast addresses, those at which"
                            + " clouds give out credentials, and the gateway's own ports stay"
                            + " closed.")
    String[] allowPrivateRanges() default {};

    /** Further authorities. */
    @AttributeDefinition(
            required = false,
            description =
                    "PEM file with certificates of authorities that the gateway's own requests"
                            + " trust beside the platform's; empty for none.")
    String extraCaFile() default "";

    /** Most connections. */
    @AttributeDefinition(
            min = "1",
            max = "10000",
            description =
                    "Most connections at a time of the gateway's own requests, and as many again of"
                            + " all proxies together; more are refused.")
    int maxConnections() default 256;

    /** Most connections of one proxy. */
    @AttributeDefinition(
            min = "1",
            max = "256",
            description =
                    "Most connections at a time through the proxy of one sandboxed command; further"
                            + " ones wait.")
    int proxyConnections() default 32;

    /** Most bytes of one proxy. */
    @AttributeDefinition(
            min = "1024",
            max = "1099511627776",
            description =
                    "Most bytes in both directions that the proxy of one sandboxed command carries,"
                            + " even if its call asked for more.")
    long proxyMaxBytes() default 1_073_741_824;

    /** Most connections of one proxy in all. */
    @AttributeDefinition(
            min = "1",
            max = "1000000",
            description =
                    "Most connections that the proxy of one sandboxed command makes in all; each is"
                            + " recorded.")
    int proxyMaxRequests() default 10_000;

    /** Time for connecting. */
    @AttributeDefinition(
            min = "100",
            max = "120000",
            description = "How long in milliseconds a proxy tries to find and reach a server.")
    int proxyConnectMillis() default 10_000;

    /** Time for heads. */
    @AttributeDefinition(
            min = "100",
            max = "120000",
            description =
                    "How long in milliseconds a proxy waits for the head of a request, or for the"
                            + " first message of TLS.")
    int proxyHeadMillis() default 10_000;

    /** Longest silence. */
    @AttributeDefinition(
            min = "1000",
            max = "3600000",
            description =
                    "How long in milliseconds a connection through a proxy may be silent in both"
                            + " directions before it is cut.")
    int proxyIdleMillis() default 60_000;
}
