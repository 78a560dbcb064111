package palyra.sandbox.tierc.linux.internal;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Environment variables by which the programs of toolchains find the proxy and the certificates of
 * the host: not all of them read the usual {@code https_proxy}, and some bring certificates of
 * their own, among which those of an organisation are missing.
 */
final class Toolchains {
    private static final List<Path> CERTIFICATES =
            List.of(
                    Path.of("/etc/ssl/certs/ca-certificates.crt"),
                    Path.of("/etc/pki/tls/certs/ca-bundle.crt"));

    private static final List<String> CERTIFICATE_VARIABLES =
            List.of(
                    "SSL_CERT_FILE",
                    "CURL_CA_BUNDLE",
                    "GIT_SSL_CAINFO",
                    "NODE_EXTRA_CA_CERTS",
                    "REQUESTS_CA_BUNDLE",
                    "PIP_CERT",
                    "CARGO_HTTP_CAINFO");

    private Toolchains() {}

    /**
     * Returns the variables for a proxy that listens on a port of the loopback.
     *
     * @param direct whether the loopback itself is reached without the proxy
     */
    static Map<String, String> environment(int port, boolean direct) {
        Map<String, String> environment = new TreeMap<>();
        environment.put("NODE_USE_ENV_PROXY", "1");
        environment.put("CARGO_HTTP_PROXY", "http://127.0.0.1:" + port);
        String java = java(port, direct);
        environment.put("PALYRA_JAVA_OPTIONS", java);
        environment.put("GRADLE_OPTS", java);
        environment.put(
                "MAVEN_OPTS",
                java
                        + " -Daether.connector.http.useSystemProperties=true"
                        + " -Daether.transport.apache.useSystemProperties=true");
        certificates()
                .ifPresent(
                        file ->
                                CERTIFICATE_VARIABLES.forEach(
                                        name -> environment.put(name, file.toString())));
        return environment;
    }

    /** See the networking properties of the JDK. */
    private static String java(int port, boolean direct) {
        return "-Dhttp.proxyHost=127.0.0.1 -Dhttp.proxyPort="
                + port
                + " -Dhttps.proxyHost=127.0.0.1 -Dhttps.proxyPort="
                + port
                + " -Dhttp.nonProxyHosts="
                + (direct ? "localhost|127.*|[::1]|0.0.0.0|sandbox" : "");
    }

    private static Optional<Path> certificates() {
        return CERTIFICATES.stream().filter(Files::isRegularFile).findFirst();
    }
}
