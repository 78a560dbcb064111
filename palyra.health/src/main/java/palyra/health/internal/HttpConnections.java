package palyra.health.internal;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.apache.felix.http.jetty.ConnectorFactory;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.io.ssl.SslConnection;
import org.eclipse.jetty.server.AbstractConnector;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.thread.Scheduler;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Modified;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.core.ops.Finding;
import palyra.api.core.ops.FindingSource;
import palyra.api.core.ops.Metric;
import palyra.api.core.ops.MetricSource;
import palyra.shared.connection.ConnectionLimits;
import palyra.shared.connection.ConnectionSlots;
import palyra.shared.connection.Networks;
import palyra.shared.files.Descriptors;
import palyra.shared.http.ConnectionCredential;

/**
 * Limits the connections of the HTTP server by {@link ConnectionLimits}; the server itself accepts
 * as many as the process has descriptors. Gets hold of the server by offering a connector that is
 * never used: Felix has no other way. Thread-safe.
 */
@Component(
        service = {ConnectorFactory.class, MetricSource.class, FindingSource.class},
        configurationPid = HttpAuthorizer.PID,
        immediate = true)
public final class HttpConnections
        implements ConnectorFactory,
                Connection.Listener,
                HttpConfiguration.Customizer,
                MetricSource,
                FindingSource {
    private static final Logger LOG = LoggerFactory.getLogger(HttpConnections.class);
    private static final long SWEEP_MILLIS = 1_000;

    private final ConnectionSlots places;
    private final ConnectionLimits<HttpConnection> bounds;
    private final Map<Connection, HttpConnection> open = new ConcurrentHashMap<>();
    private final Set<AbstractConnector> watched = ConcurrentHashMap.newKeySet();
    private final LongAdder refused = new LongAdder();
    private boolean sweeping; // guarded by this: a sweep is scheduled
    private volatile boolean over;

    /** Called by the component runtime. */
    @Activate
    public HttpConnections(HealthConfiguration configuration) {
        this(
                HttpLimits.of(configuration),
                new ConnectionSlots(
                        "HTTP", HttpAuthorizer.PID, Descriptors.limit(), Descriptors::forHttp),
                () -> TimeUnit.NANOSECONDS.toMillis(System.nanoTime()));
    }

    HttpConnections(HttpLimits limits, ConnectionSlots places, LongSupplier millis) {
        this.places = places;
        bounds = new ConnectionLimits<>(limits.within(places), millis);
    }

    /** Called by the component runtime. */
    @Modified
    public void modified(HealthConfiguration configuration) {
        bounds.limits(HttpLimits.of(configuration).within(places));
    }

    /** Called by the component runtime. */
    @Deactivate
    public void deactivate() {
        over = true;
        watched.forEach(this::leave);
        open.keySet().forEach(connection -> connection.removeEventListener(this));
    }

    @Override
    public Connector createConnector(Server server) {
        watched.clear(); // connectors of a previous server are closed
        for (Connector each : server.getConnectors()) {
            if (each instanceof AbstractConnector connector) {
                watch(connector);
            }
        }
        return new UnusedConnector(server);
    }

    /**
     * A connector that opens no port. When the server starts with this factory present, Felix lists
     * an endpoint for each connector and fails for one that is no {@link ServerConnector}, so this
     * one is of that type and names the address of the server's own.
     */
    private static final class UnusedConnector extends ServerConnector {
        private final ServerConnector own; // null when the server has none

        UnusedConnector(Server server) {
            super(server, new HttpConnectionFactory());
            own =
                    Stream.of(server.getConnectors())
                            .filter(ServerConnector.class::isInstance)
                            .map(ServerConnector.class::cast)
                            .findFirst()
                            .orElse(null);
        }

        @Override
        protected void doStart() {}

        @Override
        protected void doStop() {}

        @Override
        public String getHost() {
            return own == null ? super.getHost() : own.getHost();
        }

        @Override
        public int getPort() {
            return own == null ? super.getPort() : own.getPort();
        }

        @Override
        public String getDefaultProtocol() {
            return own == null ? super.getDefaultProtocol() : own.getDefaultProtocol();
        }
    }

    private void watch(AbstractConnector connector) {
        watched.add(connector);
        connector.addBean(this, false);
        configurations(connector).forEach(each -> each.addCustomizer(this));
        connector.getConnectedEndPoints().stream()
                .sorted(Comparator.comparingLong(EndPoint::getCreatedTimeStamp))
                .map(EndPoint::getConnection)
                .filter(connection -> connection != null && !open.containsKey(connection))
                .forEach(this::takeOver);
    }

    /** Adds a connection that was opened before this component, for example during an update. */
    private void takeOver(Connection connection) {
        connection.addEventListener(this);
        onOpened(connection);
    }

    private void leave(AbstractConnector connector) {
        connector.removeBean(this);
        configurations(connector).forEach(each -> each.getCustomizers().remove(this));
    }

    private static List<HttpConfiguration> configurations(AbstractConnector connector) {
        return connector.getConnectionFactories().stream()
                .filter(HttpConfiguration.ConnectionFactory.class::isInstance)
                .map(HttpConfiguration.ConnectionFactory.class::cast)
                .map(HttpConfiguration.ConnectionFactory::getHttpConfiguration)
                .distinct()
                .toList();
    }

    @Override
    public void onOpened(Connection connection) {
        if (connection instanceof SslConnection) {
            return; // counted as what it carries
        }
        EndPoint end = connection.getEndPoint();
        HttpConnection arriving =
                new HttpConnection(this, end, Networks.of(end.getRemoteSocketAddress()));
        if (open.putIfAbsent(connection, arriving) == null) {
            bounds.admit(arriving).forEach(this::refuse);
            sweepLater();
        }
    }

    @Override
    public void onClosed(Connection connection) {
        HttpConnection closed = open.remove(connection);
        if (closed != null) {
            bounds.forget(closed);
        }
    }

    private void refuse(HttpConnection leaving) {
        refused.increment();
        leaving.close();
    }

    /** Marks a connection as in use from the head of a request to its end. */
    @Override
    public Request customize(Request request, HttpFields.Mutable headers) {
        HttpConnection connection = open.get(request.getConnectionMetaData().getConnection());
        if (connection != null) {
            request.setAttribute(ConnectionCredential.ATTRIBUTE, connection);
            bounds.used(connection, 1);
            Request.addCompletionListener(request, failure -> bounds.used(connection, -1));
        }
        return request;
    }

    /** Records an accepted credential; see {@link HttpConnection}. */
    void accepted(HttpConnection connection, String credential) {
        bounds.accepted(connection, credential).ifPresent(this::refuse);
    }

    /** Records a request without an accepted credential. */
    void distrust(HttpConnection connection) {
        bounds.distrust(connection);
    }

    private synchronized void sweepLater() {
        if (sweeping || over || open.isEmpty()) {
            return;
        }
        watched.stream()
                .map(AbstractConnector::getScheduler)
                .filter(Scheduler::isRunning)
                .findFirst()
                .ifPresent(
                        scheduler -> {
                            scheduler.schedule(this::sweep, SWEEP_MILLIS, TimeUnit.MILLISECONDS);
                            sweeping = true;
                        });
    }

    private void sweep() {
        try {
            bounds.overdue().forEach(HttpConnection::close);
        } catch (RuntimeException e) {
            LOG.warn("HTTP connections without a request could not be closed.", e);
        }
        synchronized (this) {
            sweeping = false;
        }
        sweepLater();
    }

    int open() {
        return bounds.open();
    }

    @Override
    public List<Metric> metrics() {
        return List.of(
                Metric.gauge("palyra_http_connections", "HTTP connections that are open.", open()),
                Metric.counter(
                        "palyra_http_connections_refused_total",
                        "HTTP connections refused because there were too many.",
                        (double) refused.sum()));
    }

    @Override
    public List<Finding> findings() {
        return places.finding().stream().toList();
    }
}
