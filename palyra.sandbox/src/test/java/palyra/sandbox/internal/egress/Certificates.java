package palyra.sandbox.internal.egress;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;

/** A server certificate for names of a test, made by the JDK's keytool. */
final class Certificates {
    private static final char[] PASSWORD = "changeit".toCharArray();

    final Path pem;
    private final SSLContext context;

    private Certificates(Path pem, SSLContext context) {
        this.pem = pem;
        this.context = context;
    }

    static Certificates make(Path folder, String... names) throws Exception {
        Path store = folder.resolve("server.p12");
        Path pem = folder.resolve("server.pem");
        StringBuilder alternatives = new StringBuilder("san=");
        for (String name : names) {
            alternatives.append(alternatives.length() > 4 ? "," : "").append("dns:").append(name);
        }
        keytool(
                "-genkeypair",
                "-alias",
                "s",
                "-keyalg",
                "EC",
                "-dname",
                "CN=test",
                "-ext",
                alternatives.toString(),
                "-ext",
                "bc=ca:true",
                "-validity",
                "30",
                "-storetype",
                "PKCS12",
                "-keystore",
                store.toString(),
                "-storepass",
                "changeit");
        keytool(
                "-exportcert",
                "-rfc",
                "-alias",
                "s",
                "-keystore",
                store.toString(),
                "-storepass",
                "changeit",
                "-file",
                pem.toString());
        KeyStore keys = KeyStore.getInstance(store.toFile(), PASSWORD);
        KeyManagerFactory factory =
                KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        factory.init(keys, PASSWORD);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(factory.getKeyManagers(), null, null);
        return new Certificates(pem, context);
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
        SSLServerSocket server =
                (SSLServerSocket)
                        context.getServerSocketFactory()
                                .createServerSocket(0, 50, InetAddress.getLoopbackAddress());
        return new WebServer(server, script);
    }
}
