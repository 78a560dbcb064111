package palyra.itests.stories;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.ops4j.pax.exam.Configuration;
import org.ops4j.pax.exam.Option;
import org.ops4j.pax.exam.junit.PaxExam;
import org.ops4j.pax.exam.spi.reactors.ExamReactorStrategy;
import org.ops4j.pax.exam.spi.reactors.PerClass;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import palyra.api.PalyraException;
import palyra.api.core.egress.EgressConnection;
import palyra.api.core.egress.EgressContext;
import palyra.api.core.egress.EgressTunnelRequest;
import palyra.api.core.egress.EgressTunnelRequest.Security;
import palyra.api.core.egress.EgressTunnelRequest.TunnelLimits;
import palyra.api.core.egress.EgressTunnels;
import palyra.api.tape.TapeRecord;
import palyra.itests.Dist;
import palyra.itests.Wait;

/**
 * A tunnel of a connector in the running product: what allows it may go at any moment, and then it
 * goes, with a record that says why.
 */
@RunWith(PaxExam.class)
@ExamReactorStrategy(PerClass.class)
public class TunnelIT extends PolicedHouse {
    private static final String SANDBOX = "palyra.story.jar.palyra.sandbox";

    private ServerSocket server;
    private Path configuration;

    @Configuration
    public Option[] configuration() {
        return ProductOptions.product(
                org.ops4j.pax.exam.CoreOptions.systemProperty(SANDBOX)
                        .value(Dist.bundle("palyra.sandbox").toUri().toString()));
    }

    @Before
    public void listen() throws Exception {
        server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread.ofPlatform().daemon().name("story-peer").start(this::echo);
        configuration = house.state().resolve("conf/palyra.sandbox.egress.json");
        Files.writeString(
                configuration, "{\"allowPrivate\": [\"127.0.0.1:" + server.getLocalPort() + "\"]}");
    }

    private void echo() {
        try {
            while (true) {
                Socket socket = server.accept();
                Thread.ofVirtual().start(() -> echo(socket));
            }
        } catch (IOException e) {
            // the story is over
        }
    }

    private static void echo(Socket socket) {
        try (socket) {
            socket.getInputStream().transferTo(socket.getOutputStream());
        } catch (IOException e) {
            // the tunnel was cut
        }
    }

    @After
    public void stopListening() throws IOException {
        Files.delete(configuration);
        server.close();
    }

    /** Opens a tunnel for a bundle as soon as the gateway lets it. */
    private EgressConnection open(BundleContext bundle) throws Exception {
        AtomicReference<EgressConnection> opened = new AtomicReference<>();
        AtomicReference<Exception> last = new AtomicReference<>();
        Wait.until(
                "a tunnel to be opened",
                PATIENCE,
                () -> {
                    try {
                        opened.set(connect(bundle));
                        return true;
                    } catch (PalyraException | NullPointerException e) {
                        last.set(e);
                        return false;
                    }
                },
                () -> last.get().toString());
        opened.get().out().write(7);
        assertEquals(7, opened.get().in().read());
        return opened.get();
    }

    private EgressConnection connect(BundleContext bundle) {
        EgressTunnels tunnels =
                bundle.getService(house.context().getServiceReference(EgressTunnels.class));
        return tunnels.connect(
                new EgressTunnelRequest(
                        new EgressContext("service:story:main", Set.of(), "", "", "", "connector"),
                        "127.0.0.1",
                        server.getLocalPort(),
                        Security.PLAIN,
                        List.of(),
                        TunnelLimits.DEFAULT));
    }

    private static String end(EgressConnection connection) {
        try {
            return "it is open and read " + connection.in().read();
        } catch (IOException e) {
            return connection.closed().orElse("it is open");
        }
    }

    private JsonNode recorded(String why) throws Exception {
        AtomicReference<JsonNode> found = new AtomicReference<>();
        Wait.until(
                "a record of the end: " + why,
                () -> {
                    records(TapeRecord.JOURNAL_STREAM, "network_closed").stream()
                            .filter(event -> event.path("reason").asText().startsWith(why))
                            .forEach(found::set);
                    return found.get() != null;
                });
        return found.get();
    }

    @Test
    public void aPolicyThatForbidsItCutsIt() throws Exception {
        EgressConnection connection = open(house.context());
        save(
                "no-way-out.cedar",
                "@id(\"story_no_way_out\")\n@reason(\"A story.\")\nforbid (principal, action =="
                        + " Action::\"network.connect\", resource is Host);\n");
        String why = end(connection);
        assertTrue(why, why.startsWith("it is allowed no more: "));
        JsonNode record = recorded("it is allowed no more: ");
        assertEquals("cut", record.path("outcome").asText());
        assertEquals("CONNECT", record.path("method").asText());
        assertEquals("service:story:main", record.path("principal").asText());
        assertEquals("1", record.path("bytesUp").asText());
    }

    @Test
    public void aSwapOfTheSandboxCutsItAndTheNextOneOpensAgain() throws Exception {
        EgressConnection connection = open(house.context());
        try (InputStream jar = URI.create(System.getProperty(SANDBOX)).toURL().openStream()) {
            House.update(house.bundle("palyra.sandbox"), jar);
        }
        assertEquals("egress was shut down", end(connection));
        assertEquals("cut", recorded("egress was shut down").path("outcome").asText());
        open(house.context()).close();
    }

    @Test
    public void aSwapOfAccessControlLeavesItOpen() throws Exception {
        EgressConnection connection = open(house.context());
        house.bundle("palyra.access").stop();
        house.bundle("palyra.access").start();
        house.awaitReady();
        connection.out().write(8);
        assertEquals(8, connection.in().read());
        connection.close();
    }

    @Test
    public void theBundleThatOpenedItTakesItAlong() throws Exception {
        Bundle other =
                house.context()
                        .installBundle("story:tunnels", new TestBundle("story.tunnels").jar());
        try {
            other.start();
            EgressConnection ofOther = open(other.getBundleContext());
            EgressConnection ours = open(house.context());
            other.stop();
            String why = end(ofOther);
            assertEquals("the bundle story.tunnels stopped, or gave the service back", why);
            assertEquals("cut", recorded(why).path("outcome").asText());
            ours.out().write(9);
            assertEquals(9, ours.in().read());
            ours.close();
        } finally {
            other.uninstall();
        }
    }
}
