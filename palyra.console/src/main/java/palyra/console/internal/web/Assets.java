package palyra.console.internal.web;

import static java.util.Map.entry;

import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Scripts, styles and images of the console. Each address has a digest of its content, so that a
 * browser keeps a file until it changes, also over a swap of the console. Immutable.
 */
public final class Assets {
    private static final String FOLDER = "/palyra/console/static/";
    private static final int DIGEST_CHARACTERS = 16;

    private static final String CSS = "text/css; charset=utf-8";
    private static final String SCRIPT = "text/javascript; charset=utf-8";

    /** Every file that is served, and its type. Nothing else is. */
    private static final Map<String, String> FILES =
            Map.ofEntries(
                    entry("console.css", CSS),
                    entry("run.css", CSS),
                    entry("console.js", SCRIPT),
                    entry("connection.js", SCRIPT),
                    entry("drafts.js", SCRIPT),
                    entry("run.js", SCRIPT),
                    entry("passkey.js", SCRIPT),
                    entry("icon.svg", "image/svg+xml"),
                    entry("vendor/htmx.min.js", SCRIPT),
                    entry("vendor/hx-sse.min.js", SCRIPT),
                    entry("vendor/hx-csp.min.js", SCRIPT));

    private record Asset(String type, byte[] content, String path) {}

    private final Map<String, Asset> byName = new LinkedHashMap<>();
    private final Map<String, Asset> byPath = new LinkedHashMap<>();

    /** Reads the files of this bundle. */
    public Assets() {
        FILES.forEach(
                (name, type) -> {
                    byte[] content = read(name);
                    String path = digest(content) + "/" + name;
                    Asset asset = new Asset(type, content, path);
                    byName.put(name, asset);
                    byPath.put(path, asset);
                });
    }

    private static byte[] read(String name) {
        try (InputStream in = Assets.class.getResourceAsStream(FOLDER + name)) {
            if (in == null) {
                throw new IllegalStateException("the bundle has no file " + FOLDER + name);
            }
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String digest(byte[] content) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(content);
            return HexFormat.of().formatHex(hash).substring(0, DIGEST_CHARACTERS);
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every JDK has SHA-256", e);
        }
    }

    /** Returns the address of a file by its name, such as {@code console.css}. */
    public String path(String name) {
        return "/console/static/" + byName.get(name).path();
    }

    /** Answers with a file; 404 for one that is not there, or had another content. */
    void serve(Exchange exchange) throws IOException {
        HttpServletResponse response = exchange.response();
        Asset asset = byPath.get(exchange.segment("file"));
        if (asset == null) {
            response.setStatus(HttpServletResponse.SC_NOT_FOUND);
            return;
        }
        response.setContentType(asset.type());
        response.setHeader("Cache-Control", "public, max-age=31536000, immutable");
        response.setContentLength(asset.content().length);
        if (!exchange.request().getMethod().equals("HEAD")) {
            response.getOutputStream().write(asset.content());
        }
    }
}
