package palyra.sandbox.tierc.macos.internal.sbpl;

import java.util.Map;

/**
 * One thing that a process wants to do.
 *
 * @param operation operation, never with a star
 * @param facts what filters look at: {@code path}, {@code vnode}, {@code target}, {@code global},
 *     {@code sysctl}, {@code remote}, {@code local}
 */
public record Query(String operation, Map<String, String> facts) {
    /** A file of the ordinary kind. */
    public static Query file(String operation, String path) {
        return new Query(operation, Map.of("path", path, "vnode", "REGULAR-FILE"));
    }

    /** Something in the file system that is no ordinary file. */
    public static Query node(String operation, String path, String vnode) {
        return new Query(operation, Map.of("path", path, "vnode", vnode));
    }

    /** A connection, such as to {@code localhost:80} or {@code 192.0.2.1:443}. */
    public static Query connect(String remote) {
        return new Query("network-outbound", Map.of("remote", remote));
    }

    /** A connection to a Unix socket. */
    public static Query unix(String path) {
        return new Query("network-outbound", Map.of("path", path, "vnode", "SOCKET"));
    }

    /** A port to listen on. */
    public static Query bind(String local) {
        return new Query("network-bind", Map.of("local", local));
    }

    /** A service of the system. */
    public static Query mach(String name) {
        return new Query("mach-lookup", Map.of("global", name));
    }

    /** A value of the kernel. */
    public static Query sysctl(String name) {
        return new Query("sysctl-read", Map.of("sysctl", name));
    }

    /** A signal or look at a process: {@code same-sandbox}, {@code self} or {@code others}. */
    public static Query process(String operation, String target) {
        return new Query(operation, Map.of("target", target));
    }

    /** Something without an object. */
    public static Query plain(String operation) {
        return new Query(operation, Map.of());
    }
}
