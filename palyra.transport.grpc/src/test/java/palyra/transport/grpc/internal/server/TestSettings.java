package palyra.transport.grpc.internal.server;

import java.io.IOException;
import java.io.InputStream;
import java.lang.annotation.Annotation;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.Map;

/** Configurations as the component runtime makes them: what is not set has its default. */
final class TestSettings {
    private final Map<String, Object> values = new HashMap<>();
    private final Path folder;

    TestSettings(Path folder) {
        this.folder = folder;
        set("port", 0);
    }

    final TestSettings set(String key, Object value) {
        values.put(key, value);
        return this;
    }

    /** Puts files of the test resources into the folder and names them. */
    TestSettings tls(String server) {
        copy(server + ".pem", "server.pem");
        copy(server + ".key", "server.key");
        return set("certificateFile", "server.pem").set("privateKeyFile", "server.key");
    }

    TestSettings clientCa(String authority, String mode) {
        copy(authority + ".pem", "clients.pem");
        return set("clientCaFile", "clients.pem").set("clientCertificates", mode);
    }

    void copy(String resource, String name) {
        write(name, resource(resource));
    }

    /** Replaces a file at once, as careful operators do; readable for its owner alone. */
    void write(String name, String content) {
        try {
            Path next = folder.resolve(name + ".next");
            Files.writeString(next, content);
            Files.setPosixFilePermissions(next, PosixFilePermissions.fromString("rw-------"));
            Files.move(next, folder.resolve(name), StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    static String resource(String name) {
        try (InputStream in = TestSettings.class.getResourceAsStream("/tls/" + name)) {
            return new String(in.readAllBytes(), java.nio.charset.StandardCharsets.US_ASCII);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    Path folder() {
        return folder;
    }

    GrpcConfiguration configuration() {
        Map<String, Object> now = Map.copyOf(values);
        return (GrpcConfiguration)
                Proxy.newProxyInstance(
                        getClass().getClassLoader(),
                        new Class<?>[] {GrpcConfiguration.class},
                        (proxy, method, arguments) ->
                                method.getName().equals("annotationType")
                                        ? (Class<? extends Annotation>) GrpcConfiguration.class
                                        : now.getOrDefault(
                                                method.getName(), method.getDefaultValue()));
    }

    ServerSettings read() {
        return ServerSettings.of(configuration(), folder);
    }
}
