package palyra.itests.process;

import static org.junit.Assert.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.rules.ExternalResource;
import org.junit.rules.TemporaryFolder;
import palyra.itests.Dist;
import palyra.itests.Wait;

/** One run of the client in node against a gateway process of its own. */
public final class NodeRun extends ExternalResource {
    private static final int MAX_MESSAGE_BYTES = 1_048_576;
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String BY_CERTIFICATE = "service:node-certificate";

    private final TemporaryFolder temp = new TemporaryFolder();
    private final boolean tls;
    private final ObjectNode settings = CommandClient.JSON.createObjectNode();
    private final ObjectNode tokens = settings.putObject("tokens");
    private final ObjectNode principals = settings.putObject("principals");
    private String leaver;
    private NodeClient.Outcome outcome;

    /**
     * Prepares one.
     *
     * @param tls whether over TLS, the operator with a client certificate instead of a token
     */
    NodeRun(boolean tls) {
        this.tls = tls;
    }

    @Override
    protected void before() throws Throwable {
        temp.create();
        List<String> options = new ArrayList<>();
        set(options, "port", "0");
        set(options, "maxMessageBytes", Integer.toString(MAX_MESSAGE_BYTES));
        set(options, "failuresPerMinute", "10000"); // the client tries many bad ones
        if (tls) {
            secure(options);
        }
        NodeClient client = NodeClient.install();
        Path state = temp.getRoot().toPath().resolve("state");
        Files.writeString(
                Files.createDirectories(state.resolve("conf"))
                        .resolve("palyra.channels.route~node.json"),
                "{\"connectors\":[\"grpc:ruled\"],\"mentionPatterns\":[\"helper\"],"
                        + "\"broadcast\":\"mention_only\",\"responsePrefix\":\"bot: \"}");
        try (GatewayProcess gateway =
                GatewayProcess.start(Dist.folder(), state, options.toArray(String[]::new))) {
            gateway.awaitReady();
            describe(gateway);
            outcome = client.run(settings, what -> please(gateway, what));
        }
    }

    @Override
    protected void after() {
        temp.delete();
    }

    NodeClient.Outcome outcome() {
        return outcome;
    }

    private static void set(List<String> options, String key, String value) {
        options.addAll(List.of("--set", "palyra.transport.grpc:" + key + "=" + value));
    }

    private void secure(List<String> options) throws Exception {
        Path folder = temp.newFolder("tls").toPath();
        TestCertificates certificates = new TestCertificates(folder);
        TestCertificates.Identity authority = certificates.authority("authority");
        TestCertificates.Identity other = certificates.authority("other");
        TestCertificates.Identity server = certificates.signed("server", "authority");
        Map<String, TestCertificates.Identity> clients =
                Map.of(
                        "operator", certificates.signed("operator", "authority"),
                        "unnamed", certificates.signed("unnamed", "authority"),
                        "stranger", certificates.signed("stranger", "other"));
        set(options, "certificateFile", server.certificate().toString());
        set(options, "privateKeyFile", server.key().toString());
        set(options, "clientCaFile", authority.certificate().toString());
        options.addAll(
                List.of(
                        "--set",
                        "palyra.access:certificates="
                                + clients.get("operator").sha256()
                                + "="
                                + BY_CERTIFICATE
                                + ";operator"));
        ObjectNode described = settings.putObject("tls");
        described.put("ca", authority.certificate().toString());
        described.put("otherCa", other.certificate().toString());
        ObjectNode identities = described.putObject("identities");
        clients.forEach(
                (name, identity) ->
                        identities
                                .putObject(name)
                                .put("certificate", identity.certificate().toString())
                                .put("key", identity.key().toString()));
        principals.put("certificate", BY_CERTIFICATE);
    }

    private void describe(GatewayProcess gateway) throws Exception {
        URI endpoint = endpoint(gateway);
        assertEquals(tls ? "grpcs" : "grpc", endpoint.getScheme());
        settings.put("target", endpoint.getHost() + ":" + endpoint.getPort());
        settings.put("protos", Dist.folder().resolve("proto").toString());
        settings.put("maxMessageBytes", MAX_MESSAGE_BYTES);
        token(gateway, "operator", "--group", "operator");
        token(gateway, "second", "--group", "integrator");
        token(gateway, "viewer", "--group", "viewer");
        leaver = token(gateway, "leaver", "--group", "integrator");
        token(
                gateway,
                "speaker",
                "--group",
                "integrator",
                "--scope",
                "access.speak_for",
                "--scope",
                "run.*");
    }

    /** The port may open a moment after the gateway is ready to work. */
    private static URI endpoint(GatewayProcess gateway) throws Exception {
        String[] uri = {""};
        Wait.until(
                "the gRPC port",
                PATIENCE,
                () -> {
                    JsonNode status = gateway.client().run("status", "--json").ok().json();
                    uri[0] = status.path("endpoints").path("grpc").asText();
                    return !uri[0].isEmpty();
                },
                gateway::console);
        return URI.create(uri[0]);
    }

    private String token(GatewayProcess gateway, String name, String... further)
            throws IOException {
        String principal = "service:node-" + name;
        List<String> argv = new ArrayList<>(List.of("access", "token-create", name, "--json"));
        argv.addAll(List.of("--principal", principal));
        argv.addAll(List.of(further));
        JsonNode made = gateway.client().run(argv.toArray(String[]::new)).ok().json();
        tokens.put(name, made.path("secret").asText());
        principals.put(name, principal);
        return made.path("tokenId").asText();
    }

    private void please(GatewayProcess gateway, String what) throws IOException {
        if (!what.equals("revoke leaver")) {
            throw new AssertionError("the client asks for something unknown: " + what);
        }
        gateway.client().run("access", "token-revoke", leaver).ok();
    }
}
