package palyra.itests.process;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;
import static org.junit.Assert.fail;

import com.fasterxml.jackson.databind.JsonNode;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import palyra.bench.grpc.Conversation;
import palyra.bench.grpc.GrpcClient;
import palyra.bench.grpc.GrpcLoad;
import palyra.itests.Dist;
import palyra.itests.OneTry;
import palyra.itests.Wait;
import palyra.transport.grpc.internal.wire.common.CanonicalId;
import palyra.transport.grpc.internal.wire.gateway.ListRunsRequest;
import palyra.transport.grpc.internal.wire.gateway.ListRunsResponse;

/**
 * Each bundle of the product is replaced four times with {@code palyra swap} (fifty in the full
 * form), while gRPC clients send 50 messages a second and follow every one to its end: none is lost
 * or answered twice, no event comes twice or is left out, and nothing of the old bundles stays.
 */
public class SurvivalIT {
    private static final boolean FULL = Boolean.getBoolean("palyra.test.full");

    /** Three after the first at least: one thread left by each is more than may be on its way. */
    private static final int ROUNDS = Integer.getInteger("palyra.test.swaps", FULL ? 50 : 4);

    private static final int MESSAGES_PER_SECOND = 50;

    /**
     * A machine that is too busy for the rate gets fewer messages, not a longer and longer queue.
     */
    private static final int MOST_OPEN = 250;

    private static final int CONNECTIONS = 8;
    private static final int SESSIONS = 100;
    private static final int WARM_UP = 100;
    private static final Duration PATIENCE = Duration.ofSeconds(150);

    /** Longer than the launcher waits before it clears notes of Felix. */
    private static final Duration REST = Duration.ofSeconds(25);

    /** The last two are for other platforms, so that nothing of them runs here. */
    private static final Set<String> NEVER_SWAPPED =
            Set.of(
                    "palyra.api",
                    "palyra.api.core",
                    "palyra.sandbox.tierc.macos",
                    "palyra.sandbox.tierc.windows");

    @Rule public final OneTry once = new OneTry();
    @Rule public final TemporaryFolder temp = new TemporaryFolder();

    private GatewayProcess gateway;
    private String token;
    private String endpoint;

    @Before
    public void start() throws Exception {
        Path folder = temp.getRoot().toPath();
        Path home = Dist.copy(folder.resolve("home"));
        gateway = GatewayProcess.start(home, folder.resolve("state")).awaitReady();
        CommandClient commands = gateway.client();
        commands.run("agents", "create", "load", "--test", "true", "--tool", "palyra.echo").ok();
        JsonNode issued =
                commands.run(
                                "access",
                                "token-create",
                                "load",
                                "--principal",
                                "user:load",
                                "--group",
                                "operator",
                                "--json")
                        .ok()
                        .json();
        token = issued.path("secret").asText();
    }

    @After
    public void stop() {
        gateway.close();
    }

    /** Returns our bundles that ship and may change while everything runs. */
    private static List<String> swapped() {
        return Dist.bundles().stream()
                .map(jar -> jar.getFileName().toString().replaceFirst("-[0-9].*", ""))
                .filter(name -> name.startsWith("palyra.") && !name.startsWith("palyra.lib."))
                .filter(name -> !NEVER_SWAPPED.contains(name))
                .toList();
    }

    @Test
    public void everyBundleIsReplacedUnderLoad() throws Exception {
        List<String> bundles = swapped();
        assertTrue(bundles.toString(), bundles.size() >= 12);
        assertTrue("what decides is replaced too", bundles.contains("palyra.policy"));
        endpoint = gateway.ready().path("endpoints").path("grpc").asText();
        try (GrpcClient client = new GrpcClient(endpoint, token, CONNECTIONS)) {
            Set<String> sent = new HashSet<>(replaceAll(client, bundles, 1, 1));
            // What is there once and stays, such as a copy of each bundle that was replaced.
            Belongings once = atRest();
            sent.addAll(replaceAll(client, bundles, 2, ROUNDS));
            assertEquals("runs of the journal", sent, runs(client));
            gateway.client().run("tape", "verify", "--all").ok();
            gateway.client().run("doctor").ok();
            nothingStays(once);
        }
    }

    /** Replaces each bundle once in each round, under load; returns the runs that were made. */
    private Set<String> replaceAll(GrpcClient client, List<String> bundles, int from, int to)
            throws Exception {
        String name = "round-" + from;
        try (GrpcLoad load = new GrpcLoad(client, name, SESSIONS, Conversation.withTools("load"))) {
            load.start(MESSAGES_PER_SECOND, MOST_OPEN);
            Wait.until("the first answers", PATIENCE, () -> load.ended() >= WARM_UP, () -> "");
            for (int round = from; round <= to; round++) {
                for (String bundle : bundles) {
                    swap(bundle, round);
                    assertEquals(List.of(), load.breaches());
                }
            }
            everythingWasAnswered(load);
            System.out.println("SurvivalIT: rounds " + from + " to " + to + ", " + load.summary());
            return load.runs();
        }
    }

    /** What is held when nothing goes any more. */
    private Belongings atRest() throws Exception {
        Belongings least = Belongings.of(gateway.pid());
        long since = System.nanoTime();
        while (System.nanoTime() - since < REST.toNanos()) {
            Thread.sleep(1_000);
            Belongings now = Belongings.of(gateway.pid());
            if (now.allLoaders() < least.allLoaders()) {
                since = System.nanoTime();
                least = now;
            }
        }
        return least;
    }

    private void everythingWasAnswered(GrpcLoad load) throws Exception {
        assertEquals(List.of(), List.copyOf(load.finish(PATIENCE.toSeconds())));
        assertEquals(List.of(), load.breaches());
        assertEquals(load.sent(), load.ended());
    }

    private void swap(String bundle, int round) throws Exception {
        Path jar =
                RebuiltBundle.write(
                        Dist.bundle(bundle),
                        temp.getRoot().toPath().resolve(bundle + ".jar"),
                        Map.of("Palyra-Round", Integer.toString(round)),
                        entry -> false);
        JsonNode begun = insist("swap", bundle, jar.toString(), "--json").json();
        String operation = begun.path("operationId").asText();
        Wait.until(
                bundle + " to be replaced",
                PATIENCE,
                () ->
                        !List.of("", "PLANNED", "UPDATING", "WAITING", "ROLLING_BACK")
                                .contains(phase(operation)),
                () -> phase(operation));
        String ended = phase(operation);
        if (!ended.equals("SUCCEEDED")) {
            fail(bundle + " was not replaced: " + status(operation) + gateway.console());
        }
        if (bundle.equals("palyra.transport.grpc")) {
            theAddressStays();
        }
    }

    /** Where clients find it, as the gateway says itself; empty while it does not listen. */
    private String endpoint() throws Exception {
        JsonNode status = insist("status", "--json").json();
        return status.path("endpoints").path("grpc").asText();
    }

    /** The port was any free one; clients that know it come back to it. */
    private void theAddressStays() throws Exception {
        Wait.until("the gRPC endpoint", PATIENCE, () -> !endpoint().isEmpty(), gateway::console);
        assertEquals("where clients find it", endpoint, endpoint());
    }

    private String phase(String operation) {
        try {
            return CommandClient.JSON.readTree(status(operation)).path("outcome").asText();
        } catch (IOException e) {
            return ""; // the shell itself is being replaced
        }
    }

    private String status(String operation) throws IOException {
        CommandClient.Result status = gateway.client().run("swap", "status", operation, "--json");
        return status.out().isBlank() ? "{}" : status.out();
    }

    /** Asks again while the shell, or what it needs, is away. */
    private CommandClient.Result insist(String... argv) throws Exception {
        List<CommandClient.Result> last = new ArrayList<>();
        Wait.until(
                String.join(" ", argv),
                PATIENCE,
                () -> {
                    try {
                        last.add(0, gateway.client().run(argv));
                    } catch (IOException e) {
                        return false;
                    }
                    return last.get(0).exit() != 69;
                },
                () -> last.isEmpty() ? "no answer" : last.get(0).toString());
        if (last.get(0).exit() != 0) {
            fail(String.join(" ", argv) + ": " + last.get(0) + gateway.console());
        }
        return last.get(0);
    }

    private static Set<String> runs(GrpcClient client) throws Exception {
        Set<String> ids = new HashSet<>();
        ListRunsRequest.Builder request = ListRunsRequest.newBuilder().setV(1).setLimit(500);
        ListRunsResponse page = page(client, request.build());
        while (page.getRunsCount() > 0) {
            page.getRunsList().forEach(run -> ids.add(run.getRunId().getUlid()));
            if (!page.hasNextBeforeRunId()) {
                break;
            }
            CanonicalId next = page.getNextBeforeRunId();
            page = page(client, request.setBeforeRunId(next).build());
        }
        return ids;
    }

    private static ListRunsResponse page(GrpcClient client, ListRunsRequest request)
            throws StatusRuntimeException {
        return client.blocking().listRuns(request);
    }

    private void nothingStays(Belongings before) throws Exception {
        List<List<String>> last = new ArrayList<>(List.of(List.of()));
        Wait.until(
                "what the old bundles held to be gone",
                PATIENCE,
                () -> {
                    last.set(0, Belongings.of(gateway.pid()).moreThan(before));
                    return last.get(0).isEmpty();
                },
                () -> String.join("\n", last.get(0)));
    }
}
