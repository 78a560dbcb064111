package palyra.launcher;

import org.slf4j.LoggerFactory;
import palyra.shared.secrets.SecretShapes;

/**
 * The logging libraries. They are on the launcher's class path (manifest {@code Class-Path}) and
 * the framework exports them to every bundle. As bundles they would need a {@link
 * java.util.ServiceLoader} mediator that weaves classes, and the JVM's class data archive could
 * hold few of them: together a fifth of the start time.
 */
final class Logging {
    /** Must be the version in {@code lib/}; a test of the built folder compares them. */
    static final String SLF4J = "2.0.20";

    /** Older version under which SLF4J is exported as well, for libraries that require it. */
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
     * Sets logging up in parallel to the installation of the bundles, which saves about a tenth of
     * a start. System properties that the configuration uses are set before. The caller waits for
     * the thread before any bundle starts, because SLF4J returns substitute loggers until then.
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

    /** Waits until logging is set up: no logger may be requested before. */
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
