package palyra.health.internal;

import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;
import org.apache.felix.http.jetty.ConnectorFactory;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.IdleTimeout;
import org.eclipse.jetty.io.ssl.SslConnection;
import org.eclipse.jetty.server.AbstractConnector;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.LocalConnector;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.util.thread.Scheduler;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Modified;
import palyra.api.Require;
import palyra.api.core.ops.Finding;
import palyra.api.core.ops.FindingSource;
import palyra.api.core.ops.Metric;
import palyra.api.core.ops.MetricSource;
import palyra.shared.files.Descriptors;

/**
 * Bounds the connections of the HTTP server, which itself takes as many as the process has
 * descriptors. A connection without a request gives way to a further one, that without one for
 * longest first; while every connection has a request, a further one is closed. The server is
 * reached as the maker of a connector that nothing can connect to: Felix offers no other way.
 * Thread-safe.
 */
@Component(
        service = {ConnectorFactory.class, MetricSource.class, FindingSource.class},
        configurationPid = Doorkeeper.PID,
        immediate = true)
public final class HttpConnections
        implements ConnectorFactory, Connection.Listener, MetricSource, FindingSource {
    /** A request's head must be whole within this time. */
    private static final long HEAD_MILLIS = 15_000;

    private final OptionalLong descriptors;
    private final long headMillis;
    private final Set<Connection> open = new HashSet<>(); // guarded by this
    private final Set<AbstractConnector> watched = new HashSet<>(); // guarded by this
    private final LongAdder closed = new LongAdder();
    private volatile int wanted;

    /** Called by the component runtime. */
    @Activate
    public HttpConnections(HealthConfiguration configuration) {
        this(configuration.maxConnections(), Descriptors.limit(), HEAD_MILLIS);
    }

    HttpConnections(int wanted, OptionalLong descriptors, long headMillis) {
        this.wanted = checked(wanted);
        this.descriptors = descriptors;
        this.headMillis = headMillis;
    }

    private static int checked(int connections) {
        Require.that(
                connections >= 1 && connections <= 100_000,
                "maxConnections is " + connections + ": give 1 to 100000");
        return connections;
    }

    /** Called by the component runtime. */
    @Modified
    public void modified(HealthConfiguration configuration) {
        wanted = checked(configuration.maxConnections());
    }

    /** Called by the component runtime. */
    @Deactivate
    public synchronized void deactivate() {
        watched.forEach(connector -> connector.removeBean(this));
        watched.clear();
    }

    private long most() {
        return descriptors.isEmpty()
                ? wanted
                : Math.min(wanted, Descriptors.forHttp(descriptors.getAsLong()));
    }

    @Override
    public synchronized Connector createConnector(Server server) {
        for (Connector each : server.getConnectors()) {
            if (each instanceof AbstractConnector connector) {
                connector.addBean(this, false);
                watched.add(connector);
            }
        }
        return new LocalConnector(server);
    }

    @Override
    public void onOpened(Connection connection) {
        if (connection instanceof SslConnection) {
            return; // counted as what it carries
        }
        leaving(connection)
                .ifPresent(
                        other -> {
                            closed.increment();
                            other.getEndPoint().close();
                        });
        scheduler().ifPresent(s -> requireHead(s, connection));
    }

    /** Adds a connection and returns the one that gives way to it. */
    private synchronized Optional<Connection> leaving(Connection arriving) {
        open.add(arriving);
        if (open.size() <= most()) {
            return Optional.empty();
        }
        Connection leaves =
                open.stream()
                        .filter(other -> other != arriving)
                        .filter(other -> other.getEndPoint().isFillInterested())
                        .max(Comparator.comparingLong(HttpConnections::idleMillis))
                        .orElse(arriving);
        open.remove(leaves);
        return Optional.of(leaves);
    }

    private static long idleMillis(Connection connection) {
        return connection.getEndPoint() instanceof IdleTimeout timed ? timed.getIdleFor() : 0;
    }

    private synchronized Optional<Scheduler> scheduler() {
        return watched.stream().map(AbstractConnector::getScheduler).findFirst();
    }

    private void requireHead(Scheduler scheduler, Connection connection) {
        scheduler.schedule(
                () -> {
                    if (connection.getMessagesIn() == 0 && isOpen(connection)) {
                        closed.increment();
                        connection.getEndPoint().close();
                    }
                },
                headMillis,
                TimeUnit.MILLISECONDS);
    }

    private synchronized boolean isOpen(Connection connection) {
        return open.contains(connection);
    }

    @Override
    public synchronized void onClosed(Connection connection) {
        open.remove(connection);
    }

    synchronized int open() {
        return open.size();
    }

    @Override
    public List<Metric> metrics() {
        return List.of(
                Metric.gauge(
                        "palyra_http_connections", "HTTP connections that are open.", open()),
                Metric.counter(
                        "palyra_http_connections_closed_total",
                        "HTTP connections that gave way, or sent no request in time.",
                        (double) closed.sum()));
    }

    @Override
    public List<Finding> findings() {
        int configured = wanted;
        long most = most();
        return Stream.of(
                        new Finding(
                                Finding.Severity.WARNING,
                                "http",
                                "HTTP takes "
                                        + most
                                        + " connections and not "
                                        + configured
                                        + ": the process may have "
                                        + descriptors.orElse(0)
                                        + " files open, and most of them are kept for files of the"
                                        + " gateway.",
                                "Raise the limit of open files (LimitNOFILE of the service, ulimit"
                                        + " -n), or lower maxConnections of palyra.health."))
                .filter(finding -> most < configured)
                .toList();
    }
}
