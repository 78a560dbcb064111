package palyra.itests.process;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * Registries of npm, Maven and Python on a port of the loopback, each with one small package as
 * such registries serve it.
 */
final class Registry implements AutoCloseable {
    private final Map<String, byte[]> files = new TreeMap<>();
    private final Queue<String> asked = new ConcurrentLinkedQueue<>();
    private final HttpServer server;

    private Registry(HttpServer server) {
        this.server = server;
    }

    /** Serves the packages; the folder is for making them. */
    static Registry start(Path folder) throws Exception {
        HttpServer server =
                HttpServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0), 16);
        Registry registry = new Registry(server);
        registry.npm(folder);
        registry.maven();
        registry.python();
        server.setExecutor(Executors.newCachedThreadPool());
        server.createContext("/", registry::answer);
        server.start();
        return registry;
    }

    private void answer(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath();
        asked.add(path);
        byte[] file = files.get(path);
        if (file == null) {
            exchange.sendResponseHeaders(404, -1);
        } else {
            String type = path.endsWith("/") ? "text/html" : "application/octet-stream";
            exchange.getResponseHeaders()
                    .set("Content-Type", path.equals("/npm/tiny") ? "application/json" : type);
            exchange.sendResponseHeaders(200, file.length);
            exchange.getResponseBody().write(file);
        }
        exchange.close();
    }

    private void npm(Path folder) throws Exception {
        Path files = Files.createDirectories(folder.resolve("package"));
        Files.writeString(
                files.resolve("package.json"),
                "{\"name\":\"tiny\",\"version\":\"1.0.0\",\"main\":\"index.js\"}");
        Files.writeString(files.resolve("index.js"), "module.exports = 'tiny of npm';\n");
        Path archive = folder.resolve("tiny.tgz");
        Process tar =
                new ProcessBuilder(
                                "tar",
                                "-C",
                                folder.toString(),
                                "-czf",
                                archive.toString(),
                                "package")
                        .inheritIO()
                        .start();
        if (tar.waitFor() != 0) {
            throw new AssertionError("tar ended with " + tar.exitValue());
        }
        byte[] bytes = Files.readAllBytes(archive);
        put("/npm/tiny/-/tiny-1.0.0.tgz", bytes);
        String integrity =
                "sha512-"
                        + Base64.getEncoder()
                                .encodeToString(MessageDigest.getInstance("SHA-512").digest(bytes));
        put(
                "/npm/tiny",
                """
                {"name":"tiny","dist-tags":{"latest":"1.0.0"},"versions":{"1.0.0":{
                "name":"tiny","version":"1.0.0","main":"index.js",
                "dist":{"tarball":"%s/npm/tiny/-/tiny-1.0.0.tgz","integrity":"%s"}}}}
                """
                        .formatted(url(), integrity));
    }

    private void maven() throws Exception {
        String pom =
                """
                <project><modelVersion>4.0.0</modelVersion><groupId>%s</groupId>\
                <artifactId>%s</artifactId><version>%s</version><packaging>%s</packaging></project>
                """;
        put("/maven/test/parent/1/parent-1.pom", pom.formatted("test", "parent", "1", "pom"));
        put("/maven/test/tiny/1/tiny-1.pom", pom.formatted("test", "tiny", "1", "jar"));
        put("/maven/test/tiny/1/tiny-1.jar", zip(Map.of("tiny.txt", "tiny of maven")));
        // Maven adds this one to every extension.
        String utils = "/maven/org/codehaus/plexus/plexus-utils/1.1/plexus-utils-1.1";
        put(utils + ".pom", pom.formatted("org.codehaus.plexus", "plexus-utils", "1.1", "jar"));
        put(utils + ".jar", zip(Map.of("utils.txt", "none")));
    }

    private void python() throws Exception {
        String wheel = "tiny-1.0-py3-none-any.whl";
        put(
                "/simple/tiny/",
                "<html><body><a href=\"" + wheel + "\">" + wheel + "</a></body></html>");
        put(
                "/simple/tiny/" + wheel,
                zip(
                        Map.of(
                                "tiny.py",
                                "SAYS = 'tiny of python'\n",
                                "tiny-1.0.dist-info/METADATA",
                                "Metadata-Version: 2.1\nName: tiny\nVersion: 1.0\n",
                                "tiny-1.0.dist-info/WHEEL",
                                "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag:"
                                        + " py3-none-any\n",
                                "tiny-1.0.dist-info/RECORD",
                                "tiny.py,,\ntiny-1.0.dist-info/METADATA,,\n"
                                        + "tiny-1.0.dist-info/WHEEL,,\ntiny-1.0.dist-info/RECORD,,\n")));
    }

    private static byte[] zip(Map<String, String> entries) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
            for (Map.Entry<String, String> entry : new TreeMap<>(entries).entrySet()) {
                zip.putNextEntry(new ZipEntry(entry.getKey()));
                zip.write(entry.getValue().getBytes(StandardCharsets.UTF_8));
            }
        }
        return bytes.toByteArray();
    }

    /** Serves a file, and its digest as repositories of Maven do. */
    private void put(String path, byte[] content) throws Exception {
        files.put(path, content);
        StringBuilder hex = new StringBuilder();
        for (byte one : MessageDigest.getInstance("SHA-1").digest(content)) {
            hex.append("%02x".formatted(one));
        }
        files.put(path + ".sha1", hex.toString().getBytes(StandardCharsets.US_ASCII));
    }

    private void put(String path, String content) throws Exception {
        put(path, content.getBytes(StandardCharsets.UTF_8));
    }

    /** Returns host and port. */
    String place() {
        return "127.0.0.1:" + port();
    }

    int port() {
        return server.getAddress().getPort();
    }

    String url() {
        return "http://" + place();
    }

    /** Returns the paths that it was asked for, in order. */
    List<String> asked() {
        return List.copyOf(asked);
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
