package palyra.launcher;

import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Properties of the framework and its bundles. */
final class FrameworkProperties {
    private static final String HTTP_IDLE_MILLIS = "30000";
    private static final String HTTP_HEAD_BYTES = "16384";

    /** For the largest file that the console takes; each address bounds what it reads itself. */
    private static final String HTTP_BODY_BYTES = Long.toString(17L << 20);

    private static final int BOOT_ID_BYTES = 16;

    private FrameworkProperties() {}

    /**
     * @param startNanos {@link System#nanoTime()} at the start of this process
     * @param startMillis the same instant in unix milliseconds
     */
    static Map<String, String> of(
            Options options, StateFolder state, long startNanos, long startMillis) {
        Map<String, String> properties = new LinkedHashMap<>();
        addFramework(properties, state);
        addProduct(properties, options, state);
        addHttp(properties, options);
        addWebConsole(properties);
        properties.put("palyra.boot.id", bootId());
        properties.put("palyra.start.nanos", Long.toString(startNanos));
        properties.put("palyra.start.millis", Long.toString(startMillis));
        return properties;
    }

    private static void addFramework(Map<String, String> properties, StateFolder state) {
        properties.put("org.osgi.framework.storage", state.sub(StateFolder.CACHE).toString());
        properties.put("org.osgi.framework.storage.clean", "onFirstInit");
        properties.put(
                "org.osgi.framework.startlevel.beginning",
                Integer.toString(BundleSet.PRODUCT_LEVEL));
        // Bundles see the JDK through imports; of the launcher's class path only logging.
        properties.put("org.osgi.framework.system.packages.extra", Logging.packages());
        properties.put("org.osgi.framework.bootdelegation", "");
        properties.put("felix.bootdelegation.implicit", "false");
        // Each start passes all configuration again, so no copy on disk is needed.
        properties.put("felix.cm.pm", "memory");
        properties.put("felix.log.level", "1");
        properties.put("ds.loglevel", "2");
    }

    private static void addProduct(
            Map<String, String> properties, Options options, StateFolder state) {
        properties.put("palyra.home", options.home().toString());
        properties.put("palyra.state", state.path().toString());
        properties.put("palyra.workspaces", options.workspaces().toString());
        properties.put("palyra.conf.shipped", options.home().resolve("conf").toString());
        properties.put("palyra.conf", state.sub("conf").toString());
        properties.put("palyra.conf.overrides", String.join("\n", options.overrides()));
        properties.put("palyra.safe", Boolean.toString(options.safe()));
    }

    /**
     * Felix's Web Console is no part of the product. Where an operator adds it, it answers only
     * while palyra.console guards it; its own user and password never count.
     */
    private static void addWebConsole(Map<String, String> properties) {
        properties.put("felix.webconsole.security.providers", "palyra.console");
        properties.put("felix.webconsole.manager.root", "/console/felix");
    }

    private static void addHttp(Map<String, String> properties, Options options) {
        properties.put("org.apache.felix.http.host", "127.0.0.1");
        properties.put("org.osgi.service.http.port", Integer.toString(options.httpPort()));
        properties.put("org.apache.felix.http.enable", "true");
        properties.put("org.apache.felix.https.enable", "false");
        properties.put("org.apache.felix.http.jetty.sendServerHeader", "false");
        // Bounds of one connection; how many there may be is bounded by palyra.health.
        properties.put("org.apache.felix.http.timeout", HTTP_IDLE_MILLIS);
        properties.put("org.apache.felix.http.jetty.headerBufferSize", HTTP_HEAD_BYTES);
        properties.put("org.apache.felix.http.jetty.requestSizeLimit", HTTP_BODY_BYTES);
    }

    /** What libraries read from the JVM itself. */
    static Map<String, String> system(Options options, StateFolder state) {
        Map<String, String> properties = new LinkedHashMap<>();
        properties.put("org.sqlite.tmpdir", state.sub("tmp").toString());
        properties.put("java.io.tmpdir", state.sub("tmp").toString());
        properties.put("palyra.logs", state.sub("logs").toString());
        properties.put(
                "java.util.logging.config.file",
                options.home().resolve("conf").resolve("jul.properties").toString());
        properties.put(
                "logback.configurationFile",
                options.home().resolve("conf").resolve("logback.xml").toUri().toString());
        return properties;
    }

    /** Names of the properties that bundles may rely on, for the documentation test. */
    static List<String> promised() {
        return List.of(
                "palyra.home",
                "palyra.state",
                "palyra.workspaces",
                "palyra.conf.shipped",
                "palyra.conf",
                "palyra.conf.overrides",
                "palyra.safe",
                "palyra.boot.id",
                "palyra.start.nanos",
                "palyra.start.millis");
    }

    private static String bootId() {
        byte[] id = new byte[BOOT_ID_BYTES];
        new SecureRandom().nextBytes(id);
        return HexFormat.of().formatHex(id);
    }
}
