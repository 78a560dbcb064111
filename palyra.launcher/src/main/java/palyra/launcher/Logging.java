package palyra.launcher;

import org.slf4j.LoggerFactory;
import palyra.shared.secrets.SecretShapes;

/**
 * The logging libraries, which lie on the launcher's own class path (the launcher's jar names them)
 * and which the framework lends to every bundle. As bundles they would need a mediator for {@link
 * java.util.ServiceLoader} that rewrites classes while they are loaded, and the JVM's start-up
 * cache could keep little of them: together a fifth of a start.
 */
final class Logging {
    /** Must be the version in {@code lib/}; a test of the built folder compares them. */
    static final String SLF4J = "2.0.20";

    /** As which older version SLF4J also offers itself, for libraries that ask for one. */
    private static final String OLDER_SLF4J = "1.7.36";

    private Logging() {}

    /** What the framework exports beside the JDK: the API and nothing of its implementation. */
    static String packages() {
        return String.join(
                ",",
                export("org.slf4j", SLF4J),
                export("org.slf4j.event", SLF4J),
                export("org.slf4j.helpers", SLF4J),
                export("org.slf4j.spi", SLF4J),
                export("org.slf4j", OLDER_SLF4J),
                export("org.slf4j.helpers", OLDER_SLF4J));
    }

    /**
     * Sets logging up beside the installation of the bundles: reading its configuration takes about
     * a tenth of what the framework's thread has to do in a start. System properties that the
     * configuration uses are set before. The caller waits for the thread before any bundle starts,
     * because SLF4J hands out makeshift loggers meanwhile.
     */
    static Thread begin() {
        Thread thread = new Thread(Logging::setUp, "palyra-logging");
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    private static void setUp() {
        LoggerFactory.getILoggerFactory();
        SecretShapes.standard(); // the first line would wait for them
    }

    /** Waits until logging is set up: nobody may ask for a logger meanwhile. */
    static void await(Thread setUp) throws LaunchException {
        try {
            setUp.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new LaunchException(
                    ExitCode.FAILED, "the start was interrupted before any bundle started", e);
        }
    }

    private static String export(String name, String version) {
        return name + ";version=\"" + version + "\"";
    }
}
