package palyra.sandbox.internal.egress;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.Require;
import palyra.api.core.access.Access;
import palyra.api.core.egress.EgressClient;
import palyra.api.core.egress.EgressContext;
import palyra.api.core.egress.EgressProxies;
import palyra.api.core.egress.EgressRequest;
import palyra.api.core.egress.EgressResponse;
import palyra.api.core.journal.Journal;
import palyra.api.core.ops.Finding;
import palyra.api.core.ops.LoopView;
import palyra.api.core.ops.Metric;
import palyra.sandbox.internal.run.OwnPorts;
import palyra.shared.gate.Gate;
import palyra.shared.loop.LoopSpec;
import palyra.shared.loop.SupervisedLoop;

/**
 * The way out, without OSGi. Everything that leaves the gateway goes through one {@link
 * OutboundConnections}. Thread-safe; {@link #close} cuts all and waits for every thread.
 */
final class EgressCore implements EgressClient, EgressProxies, AutoCloseable {
    private static final String AREA = "egress";
    private static final Duration DECIDED_AGAIN = Duration.ofSeconds(1);
    private static final long JOIN_MILLIS = 5_000;

    private final Parts parts;
    private final EgressCounts counts = new EgressCounts();
    private final DeadlineWatchdog watchdog = new DeadlineWatchdog();
    private final ConnectionLog log;

    /** Commands have names and lines of their own: what they hold up is not the gateway's. */
    private final DnsResolver names;

    private final DnsResolver namesOfCommands;
    private final OutboundConnections outboundConnections;
    private final OutboundConnections linesOfCommands;
    private final Sender sender;
    private final Tunnels tunnels;
    private final SupervisedLoop decidingAgain;
    private final SocketFolders folders;
    private final Set<ProxySocket> proxies = ConcurrentHashMap.newKeySet();
    private volatile EgressSettings settings;
    private volatile ClientTrust trusted;
    private volatile boolean closed;

    /**
     * What it works with.
     *
     * @param rule which addresses are of the public internet; {@link PublicAddresses} but in tests
     * @param resolver who looks names up
     */
    record Parts(
            Gate<Access> access,
            Gate<Journal> journal,
            OwnPorts ownPorts,
            Resolver resolver,
            AddressRule rule,
            Path stateFolder) {}

    EgressCore(Parts parts, EgressSettings settings) {
        this.parts = parts;
        this.settings = settings;
        trusted = ClientTrust.from(settings.extraCaFile());
        names = new DnsResolver(parts.resolver());
        namesOfCommands = new DnsResolver(parts.resolver());
        log = new ConnectionLog(parts.journal());
        outboundConnections = outboundConnections(names);
        linesOfCommands = outboundConnections(namesOfCommands);
        sender = new Sender(outboundConnections, watchdog, () -> trusted.tls());
        tunnels = new Tunnels(outboundConnections, watchdog, () -> trusted.tls());
        decidingAgain =
                SupervisedLoop.every(
                                LoopSpec.of("palyra-sandbox-egress-policy", "palyra.sandbox"),
                                DECIDED_AGAIN,
                                this::decideAgain)
                        .start();
        folders = new SocketFolders(parts.stateFolder());
        folders.sweep();
    }

    private OutboundConnections outboundConnections(DnsResolver resolving) {
        ConnectionAuthorizer authorizer =
                new ConnectionAuthorizer(
                        new EgressPolicy(parts.access()),
                        resolving,
                        parts.rule(),
                        parts.ownPorts(),
                        () -> settings.mayBePrivate(),
                        () -> settings.allowedRanges());
        return new OutboundConnections(authorizer, log, counts, () -> settings.maxConnections());
    }

    private void decideAgain() {
        outboundConnections.decideAgain();
        linesOfCommands.decideAgain();
    }

    /** Takes changed settings; they count for connections and proxies from now on. */
    void use(EgressSettings changed) {
        trusted = ClientTrust.from(changed.extraCaFile());
        settings = changed;
    }

    List<LoopView> loops() {
        return List.of(watchdog.loop(), log.loop(), decidingAgain.view());
    }

    @Override
    public EgressResponse send(EgressRequest request) {
        requireOpen();
        return sender.send(request);
    }

    @Override
    public EgressProxy open(EgressContext caller, List<AllowedHost> allowed, long maxBytes) {
        requireOpen();
        Require.present(caller, "on whose behalf a proxy is opened");
        Require.that(
                maxBytes > 0, "a proxy for " + maxBytes + " bytes was requested; use 1 or more");
        EgressSettings now = settings;
        List<HostPattern> patterns = allowed.stream().map(HostPattern::of).toList();
        ProxySocket.ProxyParts shared =
                new ProxySocket.ProxyParts(
                        caller,
                        patterns,
                        new ProxyQuota(
                                Math.min(maxBytes, now.proxyMaxBytes()), now.proxyMaxRequests()),
                        now.proxy(),
                        linesOfCommands,
                        watchdog,
                        new RefusedHosts());
        ProxySocket proxy = ProxySocket.open(folders.make(), shared, this::forget);
        proxies.add(proxy);
        counts.proxies.incrementAndGet();
        if (closed) {
            proxy.close();
            requireOpen();
        }
        return proxy;
    }

    /** Returns the way out of a bundle for what is no HTTP request; closing it cuts all of that. */
    BundleTunnels tunnelsOf(String bundle) {
        return new BundleTunnels(tunnels, bundle, this::requireOpen);
    }

    private void forget(ProxySocket proxy) {
        if (proxies.remove(proxy)) {
            counts.proxies.decrementAndGet();
        }
    }

    private void requireOpen() {
        if (closed) {
            throw new PalyraException(
                    ErrorCode.TOOL_UNAVAILABLE,
                    "Egress is shutting down; try again when it is available.");
        }
    }

    List<Metric> metrics() {
        return counts.metrics();
    }

    List<Finding> findings() {
        List<Finding> findings = new ArrayList<>();
        trusted.problem()
                .ifPresent(
                        problem ->
                                findings.add(
                                        finding(
                                                Finding.Severity.ERROR,
                                                problem,
                                                "Set extraCaFile in "
                                                        + EgressConfiguration.PID
                                                        + ".json.")));
        if (log.lost() > 0) {
            findings.add(
                    finding(
                            Finding.Severity.ERROR,
                            log.lost() + " events of connections could not be recorded.",
                            "Run palyra doctor to find out why the journal rejected them."));
        }
        if (!folders.fits()) {
            findings.add(
                    finding(
                            Finding.Severity.ERROR,
                            "The path of the state folder is too long for the sockets of proxies,"
                                    + " so sandboxed commands have no network.",
                            "Move the state folder to a path of at most 79 bytes."));
        }
        if (!parts.access().isPresent()) {
            findings.add(
                    finding(
                            Finding.Severity.WARNING,
                            "The access service that decides about connections is missing, so"
                                    + " all are refused.",
                            "Start the bundle palyra.access."));
        }
        return findings;
    }

    private static Finding finding(Finding.Severity severity, String message, String remedy) {
        return new Finding(severity, AREA, message, remedy);
    }

    @Override
    public void close() {
        closed = true;
        proxies.forEach(ProxySocket::close);
        outboundConnections.close();
        linesOfCommands.close();
        decidingAgain.close(JOIN_MILLIS);
        watchdog.close();
        names.close();
        namesOfCommands.close();
        log.close();
    }
}
