package palyra.sandbox.internal.egress;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import palyra.api.core.egress.EgressProxies.AllowedHost;
import palyra.api.core.egress.EgressProxies.EgressProxy;

/** A proxy, a server and the policy between them. */
abstract class ProxyFixture {
    Stage stage;
    WebServer server;
    EgressProxy proxy;

    @BeforeEach
    void set() throws IOException {
        stage = new Stage();
        server =
                WebServer.start(
                        (head, in, out) -> {
                            String body =
                                    head.contains("Content-Length: 4")
                                            ? new String(
                                                    in.readNBytes(4), StandardCharsets.US_ASCII)
                                            : "hello";
                            out.write(WebServer.answer(200, "Connection: keep-alive", body));
                        });
        proxy = open("allowed.test:" + server.port());
    }

    @AfterEach
    void strike() throws IOException {
        stage.close();
        server.close();
        Stage.awaitNoThreads();
    }

    EgressProxy open(String... allowed) {
        return open(1L << 30, allowed);
    }

    EgressProxy open(long maxBytes, String... allowed) {
        List<AllowedHost> hosts = List.of(allowed).stream().map(AllowedHost::parse).toList();
        return stage.core.open(Stage.ANNA, hosts, maxBytes);
    }

    String url(String host) {
        return "http://" + host + ":" + server.port() + "/";
    }
}
