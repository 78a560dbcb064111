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
                            + " its owner and group alone; relative to the state folder.",
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
            description = "Connections at one time; a further one is closed at once.",
            min = "1",
            max = "100000",
            required = false)
    int maxConnections() default 512;

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
                    "Credentials that may fail in a minute from one address; after that only those"
                            + " that worked before are looked at.",
            min = "1",
            max = "10000",
            required = false)
    int failuresPerMinute() default 30;
}
