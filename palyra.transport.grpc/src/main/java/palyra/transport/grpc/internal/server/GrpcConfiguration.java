package palyra.transport.grpc.internal.server;

import org.osgi.service.metatype.annotations.AttributeDefinition;
import org.osgi.service.metatype.annotations.ObjectClassDefinition;
import org.osgi.service.metatype.annotations.Option;

/** What an operator can set about the gRPC port. */
@ObjectClassDefinition(
        name = "Palyra gRPC transport",
        description = "The gateway over gRPC: address, TLS and bounds.")
public @interface GrpcConfiguration {
    /** The configuration's name. */
    String PID = "palyra.transport.grpc";

    /** Where to listen. */
    @AttributeDefinition(
            name = "Host",
            description =
                    "Address or host name to listen on. Beyond loopback only with TLS; 0.0.0.0 and"
                            + " :: mean every address.",
            required = false)
    String host() default "127.0.0.1";

    /** Port. */
    @AttributeDefinition(
            name = "Port",
            description = "Port to listen on; 0 means any free one, the same until the next start.",
            min = "0",
            max = "65535",
            required = false)
    int port() default 7443;

    /** Certificate chain. */
    @AttributeDefinition(
            name = "Certificate file",
            description =
                    "Certificate chain of the server as PEM, its own certificate first; relative"
                            + " to the state folder. Empty means no TLS.",
            required = false)
    String certificateFile() default "";

    /** Private key. */
    @AttributeDefinition(
            name = "Private key file",
            description =
                    "Private key of the certificate as PEM (PKCS #8, not encrypted), readable for"
                            + " its owner alone (mode 0600), or for the group of root as well;"
                            + " relative to the state folder. RSA of 2048 bits or more, P-256,"
                            + " P-384, P-521 or Ed25519.",
            required = false)
    String privateKeyFile() default "";

    /** Authorities of clients. */
    @AttributeDefinition(
            name = "Client CA file",
            description =
                    "Certificates as PEM of the authorities that client certificates are verified"
                            + " with; relative to the state folder. Empty means no client"
                            + " certificates.",
            required = false)
    String clientCaFile() default "";

    /** Whether clients show certificates. */
    @AttributeDefinition(
            name = "Client certificates",
            description =
                    "Whether clients are asked for a certificate when a client CA file is set:"
                            + " none, wanted (a token will do as well) or required (no connection"
                            + " without).",
            options = {
                @Option(label = "never asked for", value = "none"),
                @Option(label = "taken when shown", value = "wanted"),
                @Option(label = "needed to connect", value = "required")
            },
            required = false)
    String clientCertificates() default "wanted";

    /** Longest message. */
    @AttributeDefinition(
            name = "Longest message",
            description = "Most bytes of one message of a client.",
            min = "65536",
            max = "67108864",
            required = false)
    int maxMessageBytes() default 4_194_304;

    /** Connections at once. */
    @AttributeDefinition(
            name = "Most connections",
            description =
                    "Connections at one time on which a credential was accepted, fewer where the"
                            + " process may open too few files. Idle ones without a credential give"
                            + " way first, the least recently used before others.",
            min = "1",
            max = "100000",
            required = false)
    int maxConnections() default 512;

    /** Connections of strangers from one address. */
    @AttributeDefinition(
            name = "Most connections of an address",
            description =
                    "Connections that one address (for IPv6: its network of 64 bits) may have on"
                            + " which no credential was accepted yet; for a further one its least"
                            + " recently used one is closed.",
            min = "1",
            max = "100000",
            required = false)
    int maxConnectionsPerAddress() default 128;

    /** Connections of one credential. */
    @AttributeDefinition(
            name = "Most connections of a credential",
            description =
                    "Connections that one token or client certificate may have; for a further one"
                            + " its least recently used idle one is closed, and without such a one"
                            + " the call is refused.",
            min = "1",
            max = "100000",
            required = false)
    int maxConnectionsPerCredential() default 64;

    /** Calls of one credential at once. */
    @AttributeDefinition(
            name = "Most calls of a credential",
            description = "Calls that one token or client certificate may have open at a time.",
            min = "1",
            max = "1000000",
            required = false)
    int maxCallsPerCredential() default 1_000;

    /** Connections without a credential. */
    @AttributeDefinition(
            name = "Unauthenticated time",
            description =
                    "Seconds that a connection may be without a call while no credential was"
                            + " accepted on it; then it is closed.",
            min = "1",
            max = "3600",
            required = false)
    int unauthenticatedSeconds() default 30;

    /** First message of a stream. */
    @AttributeDefinition(
            name = "First message",
            description =
                    "Seconds within which the first message of a RunStream must come; then the"
                            + " stream ends with DEADLINE_EXCEEDED.",
            min = "1",
            max = "3600",
            required = false)
    int firstMessageSeconds() default 30;

    /** Calls of a connection at once. */
    @AttributeDefinition(
            name = "Most streams",
            description = "Calls that one connection may have open at a time.",
            min = "1",
            max = "10000",
            required = false)
    int maxStreamsPerConnection() default 100;

    /** Handshake. */
    @AttributeDefinition(
            name = "Handshake time",
            description =
                    "Seconds that a new connection may take for TLS and the start of HTTP/2 before"
                            + " it is closed.",
            min = "1",
            max = "120",
            required = false)
    int handshakeSeconds() default 10;

    /** Pings to clients. */
    @AttributeDefinition(
            name = "Keepalive",
            description =
                    "Seconds without traffic after which a connection is pinged, to find out that"
                            + " its client is gone.",
            min = "10",
            max = "7200",
            required = false)
    int keepaliveSeconds() default 60;

    /** Answers to pings. */
    @AttributeDefinition(
            name = "Keepalive timeout",
            description = "Seconds that a client may take to answer a ping.",
            min = "1",
            max = "600",
            required = false)
    int keepaliveTimeoutSeconds() default 20;

    /** Pings of clients. */
    @AttributeDefinition(
            name = "Client keepalive",
            description =
                    "Seconds that must lie between two pings of a client; one that pings more"
                            + " often is disconnected.",
            min = "1",
            max = "7200",
            required = false)
    int clientKeepaliveSeconds() default 20;

    /** Connections without calls. */
    @AttributeDefinition(
            name = "Idle time",
            description = "Seconds without a call after which a connection is closed.",
            min = "10",
            max = "86400",
            required = false)
    int idleSeconds() default 1_800;

    /** Failed sign-ins. */
    @AttributeDefinition(
            name = "Failed sign-ins",
            description =
                    "Credentials that may fail in a minute from one address; after that failing ones"
                            + " are answered with RESOURCE_EXHAUSTED. Good ones are always taken.",
            min = "1",
            max = "10000",
            required = false)
    int failuresPerMinute() default 30;
}
