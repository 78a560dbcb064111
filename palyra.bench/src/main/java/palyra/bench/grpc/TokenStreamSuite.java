package palyra.bench.grpc;

import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import palyra.api.core.journal.FeedItem;
import palyra.api.core.journal.LiveFeed;
import palyra.api.run.Submission;
import palyra.bench.Setting;
import palyra.bench.Suite;
import palyra.bench.report.Figure;
import palyra.bench.report.Goal;
import palyra.bench.report.Latencies;
import palyra.bench.report.Measure;
import palyra.bench.report.Report;
import palyra.bench.turn.LightProduct;
import palyra.bench.turn.StampingModel;
import palyra.transport.grpc.internal.wire.common.CanonicalId;
import palyra.transport.grpc.internal.wire.common.ModelToken;
import palyra.transport.grpc.internal.wire.common.RunStreamEvent;
import palyra.transport.grpc.internal.wire.common.RunStreamRequest;

/**
 * How long a streamed token takes from the model's hand to a gRPC client over loopback, beside the
 * same token on its way to a listener of the live feed in the process: one turn of a thousand small
 * tokens, as a fast model sends them. What the way over gRPC adds is taken token by token.
 */
public final class TokenStreamSuite implements Suite {
    private static final int TOKENS = 1_000;
    private static final long PACE_NANOS = TimeUnit.MILLISECONDS.toNanos(2);
    private static final long PATIENCE_SECONDS = 60;
    private static final double GOAL_ADDED_P50 = 1;
    private static final String PEER = "the live feed in the process";

    private final List<Latencies> client = new ArrayList<>();
    private final List<Latencies> feed = new ArrayList<>();
    private final List<Latencies> added = new ArrayList<>();

    @Override
    public String name() {
        return "grpc.token";
    }

    @Override
    public void run(Setting setting, Report report) throws Exception {
        Path folder = setting.folder("grpc-token");
        StampingModel model = new StampingModel(TOKENS, PACE_NANOS);
        try (LightProduct product = new LightProduct(folder, model);
                LoopbackGateway gateway = new LoopbackGateway(product);
                GrpcClient stream = new GrpcClient(gateway.uri(), "palyra_bench", 1)) {
            for (int i = -1; i < setting.runs(); i++) {
                turn(product, model, stream, i);
            }
        }
        Setting.delete(folder);
        report.add(figure("p50", 50, client, new Goal.None()));
        report.add(figure("p99", 99, client, new Goal.None()));
        report.add(figure("added-p50", 50, added, new Goal.AtMost(GOAL_ADDED_P50)));
        report.add(figure("added-p99", 99, added, new Goal.None()));
    }

    private Figure figure(String name, int percent, List<Latencies> ours, Goal goal) {
        return new Figure(
                "grpc.token-" + name,
                new Measure("ms", ours.stream().map(run -> run.millis(percent)).toList()),
                PEER,
                new Measure("ms", feed.stream().map(run -> run.millis(percent)).toList()),
                goal);
    }

    /** One turn that both listen to from its first token to its last; the one before 0 warms up. */
    private void turn(LightProduct product, StampingModel model, GrpcClient stream, int number)
            throws IOException, InterruptedException {
        model.hold();
        Submission accepted = product.submit("session-" + number, "Speak.");
        ReceivedTokens fed = new ReceivedTokens(TOKENS);
        Reader reader = new Reader();
        try (LiveFeed.Subscription ignored =
                product.feed().subscribe(accepted.runId(), item -> hear(item, fed))) {
            reader.attach(stream, accepted.runId());
            model.follow();
            fed.await("the live feed");
            reader.heard.await("the client");
        }
        reader.awaitEnd();
        if (number >= 0) {
            client.add(reader.heard.since(model));
            feed.add(fed.since(model));
            added.add(reader.heard.after(fed));
        }
    }

    private static void hear(FeedItem item, ReceivedTokens heard) {
        if (item instanceof FeedItem.LiveText text) {
            heard.hear(text.offset(), text.text().length());
        }
    }

    /** A client that follows one run. */
    private static final class Reader implements StreamObserver<RunStreamEvent> {
        private final ReceivedTokens heard = new ReceivedTokens(TOKENS);
        private final CompletableFuture<Void> begun = new CompletableFuture<>();
        private final CompletableFuture<Void> ended = new CompletableFuture<>();

        /** Attaches and waits until the turn has begun for the client too. */
        void attach(GrpcClient client, String runId) throws IOException, InterruptedException {
            StreamObserver<RunStreamRequest> requests = client.stub().runStream(this);
            requests.onNext(
                    RunStreamRequest.newBuilder()
                            .setV(1)
                            .setRunId(CanonicalId.newBuilder().setUlid(runId))
                            .build());
            requests.onCompleted();
            await(begun, "the turn to begin");
        }

        void awaitEnd() throws IOException, InterruptedException {
            await(ended, "the run to end");
        }

        private static void await(CompletableFuture<Void> step, String what)
                throws IOException, InterruptedException {
            try {
                step.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
            } catch (ExecutionException | TimeoutException e) {
                throw new IOException("the client waited for " + what, e);
            }
        }

        @Override
        public void onNext(RunStreamEvent event) {
            if (event.hasModelToken()) {
                ModelToken token = event.getModelToken();
                heard.hear(token.getOffset(), token.getToken().length());
            } else if (event.getJournalEvent().getRecordType().equals("turn_started")) {
                begun.complete(null);
            }
        }

        @Override
        public void onError(Throwable problem) {
            begun.completeExceptionally(problem);
            ended.completeExceptionally(problem);
        }

        @Override
        public void onCompleted() {
            ended.complete(null);
        }
    }
}
