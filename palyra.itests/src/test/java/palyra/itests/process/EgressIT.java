package palyra.itests.process;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.junit.AfterClass;
import org.junit.BeforeClass;
import org.junit.Test;
import palyra.itests.Wait;

/**
 * What commands and agents reach from the product's own sandboxes. Servers of this test stand for
 * the world: an operator's setting lets the gateway connect to these ports of this host at all, as
 * for a model server, and a policy permits some of them.
 */
public class EgressIT {
    private static final Duration PATIENCE = Duration.ofSeconds(120);
    private static final String GREETING = "hello from outside";
    private static final String PASSWORD = "test-only";

    private static final List<HttpServer> SERVERS = new ArrayList<>();
    private static final List<String> KEYS = new CopyOnWriteArrayList<>();
    private static Path folder;
    private static UnprivilegedGateway gateway;
    private static int permitted;
    private static int permittedTls;
    private static int forbidden;

    @BeforeClass
    public static void start() throws Exception {
        folder =
                Files.createTempDirectory(
                        Path.of("/tmp"),
                        "palyra-egress",
                        PosixFilePermissions.asFileAttribute(
                                PosixFilePermissions.fromString("rwxr-xr-x")));
        permitted = serve(HttpServer.create());
        permittedTls = serve(tls());
        forbidden = serve(HttpServer.create());
        gateway =
                UnprivilegedGateway.install()
                        .up(
                                "--set",
                                "palyra.policy:disabledDefaults=sensitive_tools_need_approval",
                                "--set",
                                "palyra.sandbox.egress:allowPrivate="
                                        + String.join(
                                                ",",
                                                place(permitted),
                                                place(permittedTls),
                                                place(forbidden)));
        gateway.run("policy", "apply", policies().toString()).ok();
        gateway.run("agents", "create", "reader", "--test", "true", "--tool", "palyra.http.fetch")
                .ok();
        proven();
    }

    private static void proven() throws Exception {
        Wait.until(
                "the tiers to be proven",
                PATIENCE,
                () ->
                        gateway.run("sandbox", "run", "--tier", "b", "--", "true").exit() == 0
                                && gateway.run("sandbox", "run", "--tier", "c", "--", "true").exit()
                                        == 0,
                () -> "not proven");
    }

    @AfterClass
    public static void stop() throws Exception {
        SERVERS.forEach(server -> server.stop(0));
        if (gateway != null) {
            gateway.close();
        }
        for (String name : List.of("policies/egress.cedar", "policies", "own.p12", "")) {
            Files.deleteIfExists(folder.resolve(name));
        }
    }

    private static String place(int port) {
        return "localhost:" + port;
    }

    private static int serve(HttpServer server) throws Exception {
        server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 16);
        server.createContext(
                "/",
                exchange -> {
                    String key = exchange.getRequestHeaders().getFirst("X-Key");
                    if (key != null) {
                        KEYS.add(exchange.getLocalAddress().getPort() + " " + key);
                    }
                    String said = GREETING + (key == null ? "" : ", your key is " + key);
                    byte[] body = said.getBytes(StandardCharsets.UTF_8);
                    exchange.getResponseHeaders().set("Content-Type", "text/plain");
                    exchange.sendResponseHeaders(200, body.length);
                    exchange.getResponseBody().write(body);
                    exchange.close();
                });
        server.start();
        SERVERS.add(server);
        return server.getAddress().getPort();
    }

    private static HttpsServer tls() throws Exception {
        Path keys = folder.resolve("own.p12");
        List<String> keytool =
                List.of(
                        Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                        "-genkeypair",
                        "-alias",
                        "own",
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=localhost",
                        "-storetype",
                        "PKCS12",
                        "-keystore",
                        keys.toString(),
                        "-storepass",
                        PASSWORD);
        Process made = new ProcessBuilder(keytool).inheritIO().start();
        assertTrue("keytool has an end", made.waitFor(60, TimeUnit.SECONDS));
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(keys)) {
            store.load(in, PASSWORD.toCharArray());
        }
        KeyManagerFactory managers = KeyManagerFactory.getInstance("SunX509");
        managers.init(store, PASSWORD.toCharArray());
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(managers.getKeyManagers(), null, null);
        HttpsServer server = HttpsServer.create();
        server.setHttpsConfigurator(new HttpsConfigurator(context));
        return server;
    }

    private static Path policies() throws Exception {
        Path policies = Files.createDirectory(folder.resolve("policies"));
        Files.writeString(
                policies.resolve("egress.cedar"),
                """
                @id("it_reaches_two_places")
                permit (
                  principal in Group::"operator",
                  action == Action::"network.connect",
                  resource == Host::"localhost"
                )
                when
                {
                  context has call && context has port && [%d, %d].contains(context.port)
                };
                """
                        .formatted(permitted, permittedTls));
        return policies;
    }

    private static CommandClient.Result curl(int allowed, String... arguments) throws Exception {
        List<String> argv = new ArrayList<>(List.of("sandbox", "run", "--tier", "c", "--json"));
        argv.addAll(List.of("--egress", "strict"));
        if (allowed > 0) {
            argv.addAll(List.of("--allow", place(allowed)));
        }
        argv.addAll(List.of("--", "curl", "--silent", "--show-error", "--max-time", "60"));
        argv.addAll(List.of(arguments));
        return gateway.run(argv.toArray(String[]::new));
    }

    /** What a command line does not show: neither guards nor the question before the start. */
    private static void hidden(String name, int port) throws Exception {
        String line = "url = \"http://" + place(port) + "/\"\n";
        CommandClient.Result written =
                gateway.runWith(
                        line, "sandbox", "run", "--tier", "b", "--stdin", "--", "tee", name);
        assertEquals(written.toString(), line, written.out());
    }

    private static List<JsonNode> connections(int port) throws Exception {
        List<JsonNode> found = new ArrayList<>();
        for (JsonNode record : gateway.run("tape", "show", "journal", "--json").ok().lines()) {
            if (record.path("type").asText().equals("network_connect")
                    && record.path("content").path("port").asInt() == port) {
                found.add(record.path("content"));
            }
        }
        return found;
    }

    private static void connected(int port, String purpose, String verdict) throws Exception {
        Wait.until(
                "the journal to have the connection",
                PATIENCE,
                () ->
                        connections(port).stream()
                                .anyMatch(
                                        each ->
                                                each.path("purpose").asText().equals(purpose)
                                                        && each.path("verdict")
                                                                .asText()
                                                                .equals(verdict)),
                () -> "nothing");
    }

    @Test
    public void aCommandReachesWhatPolicyPermitsThroughTheProxy() throws Exception {
        JsonNode plain = curl(permitted, "http://" + place(permitted) + "/").ok().json();
        assertEquals(plain.toString(), GREETING, plain.path("stdout").asText());
        assertTrue(plain.path("enforcement").asText().contains("network=proxy"));
        String secure = "https://" + place(permittedTls) + "/";
        JsonNode tunnel = curl(permittedTls, "--insecure", secure).ok().json();
        assertEquals(tunnel.toString(), GREETING, tunnel.path("stdout").asText());
        connected(permitted, "palyra.process.run", "allow");
        connected(permittedTls, "palyra.process.run", "allow");
    }

    @Test
    public void whatNoPolicyPermitsIsRefusedBeforeTheStart() throws Exception {
        JsonNode refused = curl(forbidden, "http://" + place(forbidden) + "/").json();
        assertEquals(refused.toString(), "none", refused.path("executor").asText());
        assertTrue(refused.path("problem").asText().contains(place(forbidden)));
        assertTrue(connections(forbidden).stream().noneMatch(each -> allowed(each)));
    }

    private static boolean allowed(JsonNode connection) {
        return connection.path("verdict").asText().equals("allow");
    }

    @Test
    public void whatIsNotOnTheListIsRefusedByTheProxyAlthoughNobodySawItBefore() throws Exception {
        hidden("seen", permitted);
        hidden("unseen", forbidden);
        JsonNode control = curl(permitted, "-K", "seen").ok().json();
        assertEquals(control.toString(), GREETING, control.path("stdout").asText());
        JsonNode denied = curl(permitted, "-K", "unseen").json();
        assertFalse(denied.toString(), denied.path("stdout").asText().contains(GREETING));
        assertTrue(denied.toString(), denied.path("stdout").asText().contains("not among"));
        connected(forbidden, "palyra.process.run", "deny");
    }

    @Test
    public void withoutAListThereIsNoNetworkAtAll() throws Exception {
        hidden("alone", permitted);
        CommandClient.Result cut = curl(0, "-K", "alone");
        assertEquals(cut.toString(), 7, cut.exit());
        assertTrue(cut.toString(), cut.out().contains("network=offline"));
    }

    /**
     * The bundle of the sandboxes starts while nothing listens for gRPC, so nobody told it that
     * port; then the port opens under commands that have the host's network.
     */
    @Test
    public void aPortThatOpensLaterEndsWhatCouldReachIt() throws Exception {
        stopped("palyra.transport.grpc");
        stopped("palyra.sandbox");
        started("palyra.sandbox");
        proven();
        List<CommandClient.Result> ended = new ArrayList<>();
        Thread call =
                Thread.ofPlatform()
                        .start(
                                () -> {
                                    try {
                                        ended.add(open("touch begun; exec sleep 7070"));
                                    } catch (Exception e) {
                                        throw new IllegalStateException(e);
                                    }
                                });
        Path begun = gateway.workspace("operator").resolve("begun");
        Wait.until("the command to run", PATIENCE, () -> Files.exists(begun), ended::toString);
        started("palyra.transport.grpc");
        call.join(PATIENCE.toMillis());
        assertEquals("the command that ran has an end", 1, ended.size());
        JsonNode killed = ended.get(0).json();
        assertEquals(killed.toString(), "KILLED", killed.path("outcome").asText());
        assertTrue(killed.path("problem").asText().contains("opened another port"));
        assertTrue(killed.path("enforcement").asText().contains("own-ports=fixed,new-ends"));
        nextIsKeptFromIt();
    }

    private static void nextIsKeptFromIt() throws Exception {
        String status = gateway.run("status").out();
        Matcher grpc = Pattern.compile("grpc://127\\.0\\.0\\.1:([0-9]+)").matcher(status);
        assertTrue(status, grpc.find());
        CommandClient.Result refused = connect(Integer.parseInt(grpc.group(1)));
        assertFalse(refused.toString(), refused.out().contains("REACHED"));
        CommandClient.Result control = connect(forbidden);
        assertTrue(control.toString(), control.out().contains("REACHED"));
    }

    private static CommandClient.Result connect(int port) throws Exception {
        return open("exec 3<>/dev/tcp/127.0.0.1/" + port + " && echo REACHED");
    }

    /** Runs a script in Tier B with the network of the host. */
    private static CommandClient.Result open(String script) throws Exception {
        return gateway.run(
                "sandbox",
                "run",
                "--tier",
                "b",
                "--egress",
                "none",
                "--allow-interpreters",
                "--json",
                "--",
                "bash",
                "-c",
                script);
    }

    private static void stopped(String bundle) throws Exception {
        gateway.run("gogo", "stop " + id(bundle)).ok();
    }

    private static void started(String bundle) throws Exception {
        gateway.run("gogo", "start " + id(bundle)).ok();
    }

    private static String id(String bundle) throws Exception {
        String all = gateway.run("bundles").ok().out();
        return all.lines()
                .filter(line -> line.endsWith(" " + bundle))
                .map(line -> line.split(" ", 2)[0])
                .findFirst()
                .orElseThrow(() -> new AssertionError("no " + bundle + " in " + all));
    }

    @Test
    public void anAgentFetchesWhatPolicyPermitsAndNothingElse() throws Exception {
        JsonNode fetched = fetch(permitted);
        assertEquals(fetched.toString(), "SUCCEEDED", fetched.path("outcome").asText());
        assertTrue(fetched.toString(), fetched.path("outputJson").asText().contains(GREETING));
        connected(permitted, "palyra.http.fetch", "allow");
        JsonNode denied = fetch(forbidden);
        assertEquals(denied.toString(), "FAILED", denied.path("outcome").asText());
        assertTrue(denied.toString(), denied.path("error").asText().contains(place(forbidden)));
        connected(forbidden, "palyra.http.fetch", "deny");
    }

    @Test
    public void aSecretGoesToItsServerAndIsSeenByNobodyElse() throws Exception {
        String value = "value-of-a-key-" + System.nanoTime();
        gateway.runWith(value, "vault", "put", "global/it_fetch").ok();
        JsonNode fetched =
                fetch(permitted, ",\"secret_headers\":{\"X-Key\":\"vault:global/it_fetch\"}");
        assertEquals(fetched.toString(), "SUCCEEDED", fetched.path("outcome").asText());
        assertEquals(List.of(permitted + " " + value), List.copyOf(KEYS));
        String output = fetched.path("outputJson").asText();
        assertTrue(output, output.contains("your key is"));
        assertFalse("the server's echo of it is not shown", output.contains(value));
        String journal = gateway.run("tape", "show", "journal", "--json").ok().out();
        assertTrue("its use is recorded", journal.contains("vault_secret_used"));
        assertFalse("without its value", journal.contains(value));

        JsonNode none = fetch(permitted, ",\"secret_headers\":{\"X-Key\":\"vault:global/none\"}");
        assertEquals(none.toString(), "FAILED", none.path("outcome").asText());
        assertTrue(none.toString(), none.path("error").asText().contains("vault:global/none"));
    }

    private static JsonNode fetch(int port) throws Exception {
        return fetch(port, "");
    }

    private static JsonNode fetch(int port, String more) throws Exception {
        String script =
                "#!palyra-script\n{\"turns\":[[{\"call\":{\"tool\":\"palyra.http.fetch\","
                        + "\"input\":{\"url\":\"http://"
                        + place(port)
                        + "/\""
                        + more
                        + "}}}],[{\"say\":\"done\"}]]}";
        JsonNode asked = gateway.runWith(script, "ask", "--json", "--agent", "reader", "-").json();
        for (JsonNode record :
                gateway.run("tape", "show", asked.path("runId").asText(), "--json").ok().lines()) {
            if (record.path("type").asText().equals("tool_call_output")) {
                return record.path("content");
            }
        }
        throw new AssertionError("no output of a tool: " + asked);
    }
}
