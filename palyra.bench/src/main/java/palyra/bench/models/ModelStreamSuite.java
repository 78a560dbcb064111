package palyra.bench.models;

import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import palyra.bench.Setting;
import palyra.bench.Suite;
import palyra.bench.grpc.GrpcClient;
import palyra.bench.grpc.Product;
import palyra.bench.report.Figure;
import palyra.bench.report.Goal;
import palyra.bench.report.Latencies;
import palyra.bench.report.Measure;
import palyra.bench.report.Report;
import palyra.shared.hash.Ulids;
import palyra.transport.grpc.internal.wire.common.CanonicalId;
import palyra.transport.grpc.internal.wire.common.MessageContent;
import palyra.transport.grpc.internal.wire.common.MessageEnvelope;
import palyra.transport.grpc.internal.wire.common.ModelToken;
import palyra.transport.grpc.internal.wire.common.RunStreamEvent;
import palyra.transport.grpc.internal.wire.common.RunStreamRequest;

/**
 * What the product adds to the answer of a model server: from the moment at which the server sends
 * a token to the moment at which a gRPC client has it, through egress client, provider, engine and
 * transport, beside a plain socket that reads the same answer. And how long the first token takes
 * from the message, with its policy, its records and the connection, beside the server's own time.
 */
public final class ModelStreamSuite implements Suite {
    private static final int TOKENS = 500;
    private static final long THINK_MILLIS = 50;
    private static final long PACE_MILLIS = 4;
    private static final double GOAL_ADDED_P50 = 1;
    private static final String PEER = "a socket at the server";

    private final Ulids ids = new Ulids();
    private final List<Latencies> client = new ArrayList<>();
    private final List<Latencies> socket = new ArrayList<>();
    private final List<Double> clientFirst = new ArrayList<>();
    private final List<Double> socketFirst = new ArrayList<>();

    @Override
    public String name() {
        return "models";
    }

    @Override
    public void run(Setting setting, Report report) throws Exception {
        Path folder = setting.folder("models");
        try (TokenServer server = new TokenServer(TOKENS, THINK_MILLIS, PACE_MILLIS);
                Product product =
                        Product.start(setting.dist(), folder, server.asDefaultProvider());
                GrpcClient stream = new GrpcClient(product.endpoint("grpc"), product.token(), 1)) {
            for (int run = -1; run < setting.runs(); run++) {
                ReceivedTokens plain = BareStream.read(server, TOKENS);
                keep(run, plain, server, socket, socketFirst);
                ReceivedTokens ours = through(stream);
                keep(run, ours, server, client, clientFirst);
            }
        }
        Setting.delete(folder);
        report.add(figure("p50", 50, new Goal.None()));
        report.add(figure("p99", 99, new Goal.None()));
        report.add(added());
        report.add(
                new Figure(
                        "models.first-token",
                        new Measure("ms", clientFirst),
                        PEER,
                        new Measure("ms", socketFirst),
                        new Goal.None()));
    }

    /** The one before 0 warms up. */
    private static void keep(
            int run,
            ReceivedTokens heard,
            TokenServer server,
            List<Latencies> tokens,
            List<Double> first) {
        if (run >= 0) {
            tokens.add(heard.since(server));
            first.add(heard.firstMillis());
        }
    }

    private Figure figure(String name, int percent, Goal goal) {
        return new Figure(
                "models.token-" + name,
                new Measure("ms", client.stream().map(run -> run.millis(percent)).toList()),
                PEER,
                new Measure("ms", socket.stream().map(run -> run.millis(percent)).toList()),
                goal);
    }

    private Figure added() {
        List<Double> added = new ArrayList<>();
        for (int run = 0; run < client.size(); run++) {
            added.add(client.get(run).millis(50) - socket.get(run).millis(50));
        }
        return new Figure(
                "models.token-added-p50",
                new Measure("ms", added),
                PEER,
                new Measure("ms", socket.stream().map(run -> run.millis(50)).toList()),
                new Goal.AtMost(GOAL_ADDED_P50));
    }

    private ReceivedTokens through(GrpcClient client) throws IOException, InterruptedException {
        String runId = ids.next();
        CanonicalId id = CanonicalId.newBuilder().setUlid(runId).build();
        RunStreamRequest request =
                RunStreamRequest.newBuilder()
                        .setV(1)
                        .setRunId(id)
                        .setSessionKey("models-" + runId)
                        .setInput(
                                MessageEnvelope.newBuilder()
                                        .setV(1)
                                        .setEnvelopeId(id)
                                        .setContent(MessageContent.newBuilder().setText("Speak.")))
                        .build();
        ReceivedTokens heard = new ReceivedTokens(TOKENS);
        StreamObserver<RunStreamRequest> requests = client.stub().runStream(new Reader(heard));
        requests.onNext(request);
        requests.onCompleted();
        heard.await("the client");
        return heard;
    }

    /** A client that counts the characters of the answer. */
    private record Reader(ReceivedTokens heard) implements StreamObserver<RunStreamEvent> {
        @Override
        public void onNext(RunStreamEvent event) {
            if (event.hasModelToken()) {
                ModelToken token = event.getModelToken();
                long chars = token.getOffset() + token.getToken().length();
                heard.upTo((int) (chars / TokenServer.TOKEN_CHARS));
            }
        }

        @Override
        public void onError(Throwable problem) {
            heard.failed(problem.toString());
        }

        @Override
        public void onCompleted() {
            heard.failed("the run ended");
        }
    }
}
