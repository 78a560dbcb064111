package palyra.sandbox.internal.egress;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;

/** A server certificate for names of a test, made by the JDK's keytool. */
final class Certificates {
    private static final char[] PASSWORD = "changeit".toCharArray();

    /** By names: a JVM is started for each step of making one. */
    private static final Map<List<String>, Made> MADE = new HashMap<>();

    private record Made(byte[] pem, SSLContext context) {}

    final Path pem;
    private final SSLContext context;

    private Certificates(Path pem, SSLContext context) {
        this.pem = pem;
        this.context = context;
    }

    /** Returns one that is its own authority, the same for the same names. */
    static synchronized Certificates make(Path folder, String... names) throws Exception {
        Made made = MADE.get(List.of(names));
        if (made == null) {
            Certificates fresh = fresh(folder, names);
            made = new Made(Files.readAllBytes(fresh.pem), fresh.context);
            MADE.put(List.of(names), made);
        }
        return new Certificates(
                Files.write(folder.resolve("server.p12.pem"), made.pem()), made.context());
    }

    private static Certificates fresh(Path folder, String... names) throws Exception {
        Path store = folder.resolve("server.p12");
        StringBuilder alternatives = new StringBuilder("san=");
        for (String name : names) {
            alternatives.append(alternatives.length() > 4 ? "," : "").append("dns:").append(name);
        }
        pair(store, "s", "-ext", alternatives.toString(), "-ext", "bc=ca:true");
        return new Certificates(exported(store, "s"), serving(store));
    }

    /** Returns one that a good authority signed, and that is over. */
    static Certificates expired(Path folder, String name) throws Exception {
        Path store = folder.resolve("expired.p12");
        pair(store, "ca", "-ext", "bc=ca:true");
        pair(store, "s", "-ext", "san=dns:" + name, "-signer", "ca", "-startdate", "-40d");
        Path pem = exported(store, "ca");
        inStore(store, "-delete", "-alias", "ca");
        return new Certificates(pem, serving(store));
    }

    private static void pair(Path store, String alias, String... more) throws Exception {
        List<String> arguments =
                new java.util.ArrayList<>(
                        List.of(
                                "-genkeypair",
                                "-alias",
                                alias,
                                "-keyalg",
                                "EC",
                                "-validity",
                                "30"));
        arguments.addAll(List.of("-dname", "CN=" + alias, "-storetype", "PKCS12"));
        arguments.addAll(List.of(more));
        inStore(store, arguments.toArray(String[]::new));
    }

    private static Path exported(Path store, String alias) throws Exception {
        Path pem = store.resolveSibling(store.getFileName() + ".pem");
        inStore(store, "-exportcert", "-rfc", "-alias", alias, "-file", pem.toString());
        return pem;
    }

    private static void inStore(Path store, String... arguments) throws Exception {
        List<String> all = new java.util.ArrayList<>(List.of(arguments));
        all.addAll(List.of("-keystore", store.toString(), "-storepass", "changeit"));
        keytool(all.toArray(String[]::new));
    }

    private static SSLContext serving(Path store) throws Exception {
        KeyStore keys = KeyStore.getInstance(store.toFile(), PASSWORD);
        KeyManagerFactory factory =
                KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        factory.init(keys, PASSWORD);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(factory.getKeyManagers(), null, null);
        return context;
    }

    private static void keytool(String... arguments) throws IOException, InterruptedException {
        Path tool = Path.of(System.getProperty("java.home"), "bin", "keytool");
        List<String> command = new java.util.ArrayList<>(List.of(tool.toString()));
        command.addAll(List.of(arguments));
        Path log = Files.createTempFile("keytool", ".log");
        Process process =
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(log.toFile())
                        .start();
        if (process.waitFor() != 0) {
            throw new IOException("keytool failed: " + Files.readString(log));
        }
        Files.delete(log);
    }

    WebServer serve(WebServer.Script script) throws IOException {
        return new WebServer(serverSocket(), script);
    }

    SSLServerSocket serverSocket() throws IOException {
        return (SSLServerSocket)
                context.getServerSocketFactory()
                        .createServerSocket(0, 50, InetAddress.getLoopbackAddress());
    }

    /** Goes on with TLS as the server. */
    SSLSocket upgrade(Socket plain) throws IOException {
        SSLSocket socket =
                (SSLSocket)
                        context.getSocketFactory()
                                .createSocket(plain, "client", plain.getPort(), true);
        socket.setUseClientMode(false);
        return socket;
    }
}
