package palyra.sandbox.internal.egress;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.core.egress.EgressProxies.AllowedHost;
import palyra.api.core.egress.EgressProxies.EgressProxy;

/** A server with a certificate, and a proxy in front of it. */
abstract class TlsFixture {
    static final Duration LONG = Duration.ofSeconds(30);

    @TempDir static Path folder;
    static Certificates certificates;

    Stage stage;
    WebServer server;
    EgressProxy proxy;

    @BeforeAll
    static void makeCertificates() throws Exception {
        certificates = Certificates.make(folder, "allowed.test", "evil.test");
    }

    @BeforeEach
    void set() throws IOException {
        stage =
                new Stage(
                        Stage.LOOPBACK_IS_PUBLIC,
                        Stage.settings(certificates.pem.toString(), Stage.PROXY));
        server =
                certificates.serve(
                        (head, in, out) -> {
                            out.write(WebServer.answer(200, "", "secured"));
                            out.flush();
                        });
        proxy =
                stage.core.open(
                        Stage.ANNA,
                        List.of(new AllowedHost("allowed.test", server.port())),
                        1L << 30);
    }

    @AfterEach
    void strike() throws IOException {
        stage.close();
        server.close();
        Stage.awaitNoThreads();
    }

    String place(String host) {
        return host + ":" + server.port();
    }
}
