package palyra.sandbox.internal.egress;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import palyra.api.ErrorCode;
import palyra.api.core.access.Access;
import palyra.api.core.egress.EgressContext;
import palyra.api.core.egress.EgressRequest;
import palyra.api.core.egress.EgressRequest.EgressLimits;
import palyra.api.core.journal.Journal;
import palyra.api.core.ops.Endpoint;
import palyra.api.core.ops.Ops;
import palyra.sandbox.internal.run.OwnPorts;
import palyra.shared.gate.Gate;
import palyra.testing.access.FakeAccess;
import palyra.testing.access.FakeAccess.Use;
import palyra.testing.wait.Await;

/**
 * The way out with fakes around it. Names are what the test says; loopback counts as public unless
 * the test asks for the real rule.
 */
final class Stage implements AutoCloseable {
    static final EgressContext ANNA =
            new EgressContext(
                    "user:anna", Set.of("viewer"), "main", "run-1", "call-1", "palyra.http.fetch");
    static final AddressRule LOOPBACK_IS_PUBLIC =
            address ->
                    address.isLoopbackAddress()
                            ? Optional.empty()
                            : new PublicAddresses().refusal(address);
    static final ProxyLimits PROXY = new ProxyLimits(32, 10_000, 10_000, 60_000);

    final FakeAccess access = new FakeAccess(Use.READ);
    final ConnectionJournal journal = new ConnectionJournal();
    final Map<String, List<String>> names = new ConcurrentHashMap<>();
    final List<String> lookedUp = new java.util.concurrent.CopyOnWriteArrayList<>();
    final Gate<Access> accessGate = new Gate<>("Access control", ErrorCode.POLICY_UNAVAILABLE, 0);
    final Gate<Journal> journalGate = new Gate<>("The journal", ErrorCode.JOURNAL_UNAVAILABLE, 0);
    final Access accessService = access;
    final OwnPorts ownPorts = new OwnPorts();
    private final Endpoint endpoint = new Endpoint() {};
    final Path state;
    final EgressCore core;

    Stage() throws IOException {
        this(LOOPBACK_IS_PUBLIC, settings("", PROXY));
    }

    Stage(AddressRule rule, EgressSettings settings) throws IOException {
        state = Files.createTempDirectory("pe");
        names.put("allowed.test", List.of("127.0.0.1"));
        names.put("other.test", List.of("127.0.0.1"));
        names.put("third.test", List.of("127.0.0.1"));
        accessGate.add(accessService, Map.of());
        journalGate.add(journal.store, Map.of());
        core =
                new EgressCore(
                        new EgressCore.Parts(
                                accessGate, journalGate, ownPorts, this::addresses, rule, state),
                        settings);
    }

    static EgressSettings settings(String extraCaFile, ProxyLimits proxy, String... mayBePrivate) {
        return new EgressSettings(
                java.util.Arrays.stream(mayBePrivate)
                        .map(palyra.api.core.egress.EgressProxies.AllowedHost::parse)
                        .map(HostPattern::of)
                        .toList(),
                List.of(),
                extraCaFile,
                256,
                1L << 30,
                1_000,
                proxy);
    }

    static EgressSettings settings(List<String> ranges) {
        return new EgressSettings(
                List.of(),
                ranges.stream().map(AddressRange::parse).toList(),
                "",
                256,
                1L << 30,
                1_000,
                PROXY);
    }

    private List<InetAddress> addresses(String name) throws UnknownHostException {
        lookedUp.add(name);
        List<String> texts = names.get(name);
        if (texts == null) {
            throw new UnknownHostException(name);
        }
        List<InetAddress> addresses = new java.util.ArrayList<>();
        for (String text : texts) {
            addresses.add(InetAddress.getByName(text));
        }
        return addresses;
    }

    void listensOn(String uri) {
        ownPorts.put(endpoint, Map.of(Ops.ENDPOINT_URI, uri));
    }

    static EgressRequest get(String url) {
        return EgressRequest.get(ANNA, url);
    }

    /** Returns a request of no tool's call: what becomes of it is read by operators. */
    static EgressRequest ofModel(String url) {
        return EgressRequest.get(
                new EgressContext("user:anna", Set.of("viewer"), "main", "run-1", "", "model"),
                url);
    }

    static EgressRequest get(String url, EgressLimits limits) {
        return new EgressRequest(ANNA, "GET", url, Map.of(), Map.of(), new byte[0], limits);
    }

    static EgressLimits limits(int response, int total, int idle, long maxBytes, int redirects) {
        return new EgressLimits(10_000, response, total, idle, maxBytes, redirects, Set.of());
    }

    /** Returns threads of this bundle that live. */
    static List<String> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> name.startsWith("palyra-sandbox-"))
                .sorted()
                .toList();
    }

    /** Waits until every thread is given back. */
    static void awaitNoThreads() {
        Await.until("no threads", Duration.ofSeconds(30), () -> threads().isEmpty());
    }

    @Override
    public void close() {
        core.close();
        SocketFolders.remove(state);
    }
}
