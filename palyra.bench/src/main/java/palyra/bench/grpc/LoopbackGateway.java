package palyra.bench.grpc;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import palyra.api.ErrorCode;
import palyra.api.access.DecisionSource;
import palyra.api.access.Permit;
import palyra.api.access.Principal;
import palyra.api.access.PrincipalKind;
import palyra.api.core.access.Access;
import palyra.api.core.access.AccessRequest;
import palyra.api.core.gateway.Intake;
import palyra.api.core.journal.Journal;
import palyra.api.core.journal.LiveFeed;
import palyra.api.run.Runs;
import palyra.bench.turn.LightProduct;
import palyra.front.internal.FrontSettings;
import palyra.front.internal.RunFront;
import palyra.shared.gate.Gate;
import palyra.shared.hash.Ulids;
import palyra.transport.grpc.internal.Seams;
import palyra.transport.grpc.internal.server.GrpcTransport;
import palyra.transport.grpc.internal.server.ServerSettings;
import palyra.transport.grpc.internal.service.GatewayServiceImpl;

/**
 * The real front and the real gRPC transport before a product without a framework, on a free port
 * of loopback. Access control knows one principal and lets it read: it is asked when a stream
 * begins, never for a token.
 */
final class LoopbackGateway implements AutoCloseable {
    private static final long OPEN_SECONDS = 60;
    private static final int MESSAGE_BYTES = 4_194_304;
    private static final long FIRST_MESSAGE_MILLIS = 30_000;
    private static final Principal READER =
            new Principal(
                    LightProduct.PRINCIPAL,
                    PrincipalKind.USER,
                    Set.of("operator"),
                    Set.of(),
                    "bench");

    private final RunFront front;
    private final GrpcTransport transport;
    private final String uri;

    LoopbackGateway(LightProduct product) throws IOException, InterruptedException {
        Access access = access();
        front =
                new RunFront(
                        access,
                        gate(Journal.class, product.journal()),
                        gate(LiveFeed.class, product.feed()),
                        gate(Intake.class, product.intake()),
                        FrontSettings.defaults());
        Seams seams = Seams.empty(() -> true);
        seams.runs().add(elsewhere(front), Map.of());
        seams.access().add(access, Map.of());
        seams.journal().add(product.journal(), Map.of());
        CompletableFuture<String> open = new CompletableFuture<>();
        transport =
                new GrpcTransport(
                        seams,
                        () -> List.of(new GatewayServiceImpl(seams, () -> FIRST_MESSAGE_MILLIS)),
                        Optional.empty(),
                        new Opened(open));
        transport.apply(LoopbackGateway::settings);
        uri = await(open);
    }

    /** What the transport ships with, on any free port. */
    private static ServerSettings settings() {
        return new ServerSettings(
                "127.0.0.1",
                0,
                Optional.empty(),
                MESSAGE_BYTES,
                new ServerSettings.ConnectionSettings(512, 100, 10, 60, 20, 20, 1_800),
                new ServerSettings.Shares(512, 512, 10_000, 30),
                30,
                (int) TimeUnit.MILLISECONDS.toSeconds(FIRST_MESSAGE_MILLIS));
    }

    private static <S> Gate<S> gate(Class<S> type, S service) {
        Gate<S> gate = new Gate<>(type.getSimpleName(), ErrorCode.GATEWAY_UNAVAILABLE, 1_000);
        gate.add(service, Map.of());
        return gate;
    }

    /**
     * Bundles have their own copies of the gate; here all share one, which refuses a lease within
     * the lease of another caller. So the front is called on other threads. Calls are, what a
     * followed run tells is not: a token takes the way that it takes in the product.
     */
    private static Runs elsewhere(Runs front) {
        return (Runs)
                Proxy.newProxyInstance(
                        Runs.class.getClassLoader(),
                        new Class<?>[] {Runs.class},
                        (proxy, method, arguments) -> {
                            FutureTask<Object> call =
                                    new FutureTask<>(() -> method.invoke(front, arguments));
                            Thread.ofVirtual().name("bench-front").start(call);
                            try {
                                return call.get();
                            } catch (ExecutionException e) {
                                throw e.getCause() instanceof InvocationTargetException refused
                                        ? refused.getCause()
                                        : e.getCause();
                            }
                        });
    }

    private static Access access() {
        Ulids ids = new Ulids();
        return (Access)
                Proxy.newProxyInstance(
                        Access.class.getClassLoader(),
                        new Class<?>[] {Access.class},
                        (proxy, method, arguments) ->
                                switch (method.getName()) {
                                    case "authenticate" -> READER;
                                    case "authorizeRead" ->
                                            permit(ids.next(), (AccessRequest) arguments[0]);
                                    case "hashCode" -> System.identityHashCode(proxy);
                                    case "equals" -> proxy == arguments[0];
                                    case "toString" -> "access of the benchmarks";
                                    default ->
                                            throw new UnsupportedOperationException(
                                                    method.getName());
                                });
    }

    private static Permit permit(String id, AccessRequest asked) {
        return new Permit(
                id,
                asked.principal(),
                asked.action(),
                asked.resource(),
                DecisionSource.BUILT_IN_RULES,
                "",
                System.currentTimeMillis());
    }

    private String await(CompletableFuture<String> open) throws IOException, InterruptedException {
        try {
            return open.get(OPEN_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            close();
            throw new IOException("the gRPC port did not open", e);
        }
    }

    /** Returns where it listens. */
    String uri() {
        return uri;
    }

    @Override
    public void close() {
        transport.close();
        front.close();
    }

    /** Hears where the port is. */
    private record Opened(CompletableFuture<String> uri) implements GrpcTransport.Announcement {
        @Override
        public void opening() {
            // is waited for
        }

        @Override
        public void listening(String where) {
            uri.complete(where);
        }

        @Override
        public void failed(String why) {
            uri.completeExceptionally(new IOException(why));
        }

        @Override
        public void gone() {
            // at the end
        }
    }
}
