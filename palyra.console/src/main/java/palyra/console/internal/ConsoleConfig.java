package palyra.console.internal;

import org.osgi.service.metatype.annotations.AttributeDefinition;
import org.osgi.service.metatype.annotations.ObjectClassDefinition;

/** What an operator can set about the console. */
@ObjectClassDefinition(name = "Palyra console", description = "The web console.")
public @interface ConsoleConfig {
    /** The configuration's name. */
    String PID = "palyra.console";

    /** Idle end. */
    @AttributeDefinition(
            name = "Session idle minutes",
            description =
                    "How long a session lasts without an action of its person. It counts for"
                            + " sessions begun later.",
            min = "1",
            max = "10080",
            required = false)
    int sessionIdleMinutes() default 30;

    /** Absolute end. */
    @AttributeDefinition(
            name = "Session hours",
            description = "How long a session lasts at most. It counts for sessions begun later.",
            min = "1",
            max = "720",
            required = false)
    int sessionHours() default 12;

    /** Whether passwords count. */
    @AttributeDefinition(
            name = "Password sign-in",
            description =
                    "Whether people may sign in with a password, and set one. With false, passkeys"
                            + " alone count.",
            required = false)
    boolean passwordSignIn() default true;

    /** Addresses behind a proxy. */
    @AttributeDefinition(
            name = "Public URLs",
            description =
                    "Addresses under which a proxy with TLS offers the console, each as"
                            + " https://host or https://host:port without a path. The proxy passes"
                            + " the Host header on. Requests for other hosts than these, localhost"
                            + " and addresses in digits are refused.",
            required = false)
    String[] publicUrls() default {};

    /** Proxies that say the truth. */
    @AttributeDefinition(
            name = "Trusted proxies",
            description =
                    "Addresses of proxies whose last entry in X-Forwarded-For is taken as the"
                            + " browser's address, for limits and records.",
            required = false)
    String[] trustedProxies() default {};
}
