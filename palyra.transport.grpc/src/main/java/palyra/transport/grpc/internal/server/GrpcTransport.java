package palyra.transport.grpc.internal.server;

import io.grpc.BindableService;
import java.net.InetSocketAddress;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.ops.Finding;
import palyra.api.core.ops.LoopView;
import palyra.api.core.ops.Metric;
import palyra.shared.connection.ConnectionSlots;
import palyra.shared.files.Descriptors;
import palyra.shared.loop.LoopSpec;
import palyra.shared.loop.SupervisedTimer;
import palyra.transport.grpc.internal.Seams;

/**
 * Keeps a server as it is configured: starts it, restarts it politely when that is needed, tries
 * again what failed, looks after TLS files and the credentials of open streams. All of it on one
 * thread of its own. Thread-safe.
 */
public final class GrpcTransport implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(GrpcTransport.class);
    private static final long TICK_MILLIS = 2_000;

    /** How late clients that watch the standard health service may learn of a change. */
    private static final long READINESS_MILLIS = 5_000;

    private static final long APPLY_MILLIS = 3_000;
    private static final long CLOSE_MILLIS = 30_000;

    private final Seams seams;
    private final ServerStart starts;
    private final Announcement announcement;
    private final CallCounts counts = new CallCounts();
    private final SignInLimiter signIns = new SignInLimiter(1, GrpcTransport::millis);
    private final ConnectionSlots places =
            new ConnectionSlots(
                    "gRPC", GrpcConfiguration.PID, Descriptors.limit(), Descriptors::forGrpc);
    private final InstantSource clock;
    private final StreamSweep sweep;
    private final ConnectionSweep connectionSweep;
    private final SupervisedTimer keeper =
            new SupervisedTimer(LoopSpec.of("palyra-grpc", "palyra.transport.grpc"));

    private volatile GrpcServer server; // written by the keeper alone; null while down
    private volatile Finding problem; // why it is down; null when it is not, or not asked to be up
    private ServerSettings settings; // only on the keeper; null while none are usable
    private boolean closing; // guarded by this
    private boolean again; // only on the keeper: whether trying again may help

    /** Told where the server listens: first when the transport is made, then by the keeper. */
    public interface Announcement {
        /** It will listen, or fail, in a moment. */
        void opening();

        /** It listens at this URI. */
        void listening(String uri);

        /** It does not listen, for this reason. */
        void failed(String why);

        /** It does not listen any more. */
        void gone();
    }

    /**
     * Creates a transport that listens nowhere yet.
     *
     * @param services creates the services, again for each server
     * @param memory remembers the port beyond this object; empty without a state folder
     */
    public GrpcTransport(
            Seams seams,
            Supplier<List<BindableService>> services,
            Optional<PortMemory> memory,
            Announcement announcement) {
        this(seams, services, memory, announcement, InstantSource.system());
    }

    /** As the public one; {@code clock} tells whether certificates are valid. */
    GrpcTransport(
            Seams seams,
            Supplier<List<BindableService>> services,
            Optional<PortMemory> memory,
            Announcement announcement,
            InstantSource clock) {
        this.seams = seams;
        this.clock = clock;
        connectionSweep = new ConnectionSweep(clock);
        this.announcement = announcement;
        starts = new ServerStart(() -> parts(services.get()), memory);
        announcement.opening();
        sweep = new StreamSweep(seams.streams(), GrpcTransport::millis);
        keeper.every(TICK_MILLIS, TimeUnit.MILLISECONDS, this::tick);
        keeper.every(READINESS_MILLIS, TimeUnit.MILLISECONDS, this::mirrorReadiness);
    }

    private GrpcServer.Parts parts(List<BindableService> services) {
        return new GrpcServer.Parts(
                services,
                new Authentication(seams.access(), signIns, clock),
                counts,
                seams.streams(),
                places,
                GrpcTransport::millis);
    }

    private static long millis() {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime());
    }

    /**
     * Goes over to other settings; waits a little for it, so that it has usually happened when this
     * returns. Never throws: invalid settings become a finding.
     *
     * @param reading reads the settings; throws when they are invalid
     */
    public synchronized void apply(Callable<ServerSettings> reading) {
        Future<?> applied = submit(reading);
        try {
            applied.get(APPLY_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            LOG.debug("The gRPC port is still being changed.", e);
        }
    }

    /** As {@link #apply}, and does not wait: the announcement tells when it has happened. */
    public synchronized void begin(Callable<ServerSettings> reading) {
        submit(reading);
    }

    private Future<?> submit(Callable<ServerSettings> reading) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        keeper.soon(
                () -> {
                    try {
                        over(reading);
                    } finally {
                        done.complete(null);
                    }
                });
        if (keeper.isClosed()) {
            done.complete(null);
        }
        return done;
    }

    private void over(Callable<ServerSettings> reading) {
        ServerSettings wanted;
        try {
            wanted = reading.call();
        } catch (Exception e) {
            settings = null;
            announcement.opening();
            stop();
            down(e, false);
            return;
        }
        boolean keeps = server != null && !settings.restartsFor(wanted);
        settings = wanted;
        signIns.perMinute(wanted.failuresPerMinute());
        if (keeps) {
            server.connections().bound(places.of(wanted.connections().most()), wanted.shares());
        } else {
            again = true; // unless it is found out that it does not help
            announcement.opening();
            stop();
            start();
        }
    }

    private void start() {
        try {
            // This thread sees a change from here on afterwards.
            server = starts.start(settings, seams.ready());
            problem = null;
            String uri = server.uri();
            LOG.info("gRPC listens at {}.", uri);
            announcement.listening(uri);
        } catch (PalyraException e) {
            down(e, e.code() != ErrorCode.DENIED);
        } catch (RuntimeException | LinkageError e) {
            LOG.error("The gRPC port cannot be opened.", e);
            down(e, true);
        }
    }

    private void down(Throwable why, boolean tryAgain) {
        again = tryAgain;
        Finding found = PortFinding.of(why);
        if (!found.equals(problem)) {
            // For the file alone: the start report and palyra doctor tell it to people.
            LOG.info("{} The gateway works on without its gRPC port.", found.message());
        }
        problem = found;
        announcement.failed(found.message());
    }

    private void stop() {
        GrpcServer running = server;
        if (running != null) {
            server = null;
            running.close();
        }
    }

    private void tick() {
        if (server != null) {
            sweep.run();
            server.poll(connectionSweep);
        } else if (settings != null && again) {
            start();
        }
    }

    /**
     * Notes that readiness may have changed, so that clients that watch the standard health service
     * learn of it at once. Returns at once.
     */
    public void readinessChanged() {
        keeper.soon(this::mirrorReadiness);
    }

    private void mirrorReadiness() {
        GrpcServer running = server;
        if (running != null) {
            running.mirrorReadiness();
        }
    }

    /** Returns how the thread is. */
    public LoopView loop() {
        return keeper.view();
    }

    /** Returns the current findings; never blocks. */
    public List<Finding> findings() {
        GrpcServer running = server;
        return running == null
                ? Optional.ofNullable(problem).stream().toList()
                : Stream.of(running.finding(), starts.finding(), places.finding())
                        .flatMap(Optional::stream)
                        .toList();
    }

    /** Returns the present values; never blocks. */
    public List<Metric> metrics() {
        GrpcServer running = server;
        List<Metric> metrics = new ArrayList<>(counts.metrics());
        metrics.add(
                Metric.gauge(
                        "palyra_grpc_connections",
                        "Connections that are open.",
                        running == null ? 0 : running.connections().open()));
        metrics.add(
                Metric.counter(
                        "palyra_grpc_sign_ins_refused_total",
                        "Calls with a bad credential refused because too many had failed from their"
                                + " address.",
                        (double) signIns.refused()));
        return metrics;
    }

    /** Returns where it listens; empty while it does not. */
    public Optional<InetSocketAddress> address() {
        return Optional.ofNullable(server).map(GrpcServer::address);
    }

    /**
     * Stops listening, ends every call and thread. Waits for it, for some seconds at most. Closing
     * twice changes nothing.
     */
    @Override
    public void close() {
        synchronized (this) {
            if (!closing) {
                closing = true;
                keeper.soon(announcement::gone);
                keeper.soon(this::stop);
            }
        }
        if (!keeper.finish(CLOSE_MILLIS)) {
            LOG.warn("The gRPC port did not close in time.");
        }
    }
}
