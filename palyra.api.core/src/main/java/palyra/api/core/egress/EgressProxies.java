package palyra.api.core.egress;

import java.util.List;
import org.osgi.annotation.versioning.ProviderType;
import palyra.api.Require;

/** Opens proxies for single sandboxed commands. Thread-safe. */
@ProviderType
public interface EgressProxies {
    /**
     * Opens a proxy on a Unix socket of its own. The socket is the identity: a process that reaches
     * it acts for {@code who}, so its folder is bound into one sandbox only.
     *
     * @param allowed what may be reached through it at all; policy decides on each connection
     *     besides
     * @param maxBytes bytes that all its connections may carry in both directions together
     * @throws palyra.api.PalyraException TOOL_UNAVAILABLE when no socket can be opened
     */
    EgressProxy open(EgressContext who, List<AllowedHost> allowed, long maxBytes);

    /** A proxy that is open. */
    interface EgressProxy extends AutoCloseable {
        /** Returns the folder, mode 0700, that contains the socket {@code e.sock}. */
        String folder();

        /**
         * Returns what it refused so far, each host and port once: one sentence each, oldest first,
         * at most 16. They may be shown to a model.
         */
        List<String> refusals();

        /** Returns whether it still takes connections. */
        boolean alive();

        /** Cuts all connections and removes the folder. May be called again. */
        @Override
        void close();
    }

    /**
     * A host that may be reached.
     *
     * @param host host name in lower case, or {@code *.example.test} for every name below
     * @param port TCP port
     */
    record AllowedHost(String host, int port) {
        /** Checks. */
        public AllowedHost {
            Require.text(host, "host");
            Require.that(
                    port > 0 && port < 65_536, "port " + port + " is out of range: use 1 to 65535");
        }

        /**
         * Returns whether another one is this host, or one below it for a wildcard, with the same
         * port; names are compared as they are written.
         */
        public boolean covers(AllowedHost other) {
            boolean below =
                    host.startsWith("*.")
                            && other.host.length() > host.length() - 1
                            && other.host.endsWith(host.substring(1));
            return port == other.port && (below || host.equals(other.host));
        }

        /** Reads {@code HOST} (port 443) or {@code HOST:PORT}. INVALID_ARGUMENT otherwise. */
        public static AllowedHost parse(String text) {
            Require.text(text, "host");
            int colon = text.lastIndexOf(':');
            String port = colon < 0 ? "443" : text.substring(colon + 1);
            Require.that(port.matches("[0-9]{1,5}"), "'" + text + "' is no HOST or HOST:PORT");
            String host = colon < 0 ? text : text.substring(0, colon);
            return new AllowedHost(host.toLowerCase(java.util.Locale.ROOT), Integer.parseInt(port));
        }
    }
}
