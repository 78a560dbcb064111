package palyra.gateway.internal.engine;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import palyra.api.core.journal.RunRow;
import palyra.api.model.ModelRequest;
import palyra.api.run.RunState;
import palyra.gateway.internal.settings.EngineSettings;
import palyra.models.internal.http.AnswerWriter;
import palyra.models.internal.http.Dialect;
import palyra.models.internal.http.Endpoint;
import palyra.models.internal.http.HttpModel;
import palyra.models.internal.http.ModelSeams;
import palyra.models.internal.http.ToolNames;
import palyra.models.internal.http.TurnFailure;
import palyra.models.internal.sse.SseEvent;
import palyra.testing.access.FakeAccess;
import palyra.testing.http.LoopbackEgress;
import palyra.testing.wait.Await;

/**
 * A gateway in a process of its own, for {@link FloodTest}: it asks the model server at the given
 * address, as the product does, for several floods at once and for a normal answer meanwhile, and
 * prints how each ended. Started again on the same state it goes on with what is left.
 */
final class FloodedGateway {
    private static final Set<RunState> GOING = Set.of(RunState.ACCEPTED, RunState.RUNNING);
    private static final Duration PATIENCE = Duration.ofMinutes(4);

    private FloodedGateway() {}

    /** The least that a server can be told and say. */
    private record PlainDialect() implements Dialect {
        @Override
        public String path() {
            return "/ask";
        }

        @Override
        public Map<String, String> headers() {
            return Map.of();
        }

        @Override
        public Map<String, String> keyHeaders(String key) {
            return Map.of();
        }

        @Override
        public byte[] body(ModelRequest request, ToolNames names) {
            return JsonNodeFactory.instance
                    .objectNode()
                    .put("said", request.messages().getLast().text())
                    .toString()
                    .getBytes(StandardCharsets.UTF_8);
        }

        @Override
        public AnswerReader reader(AnswerWriter writer) {
            return new AnswerReader() {
                @Override
                public void event(SseEvent event) throws TurnFailure {
                    JsonNode said = writer.object(event);
                    if (said.has("exhaust")) {
                        throw new OutOfMemoryError("of the test");
                    }
                    writer.text(said.path("text").asText());
                    writer.thought(said.path("thought").asText());
                    if (said.has("input")) {
                        writer.call(
                                -1, "", said.path("tool").asText(), said.path("input").asText());
                    }
                    if (said.path("end").asBoolean()) {
                        writer.finish("stop");
                    }
                }

                @Override
                public void whole(JsonNode answer) {
                    throw new UnsupportedOperationException("the server streams");
                }

                @Override
                public boolean complete() {
                    return false;
                }
            };
        }
    }

    /** Returns a provider that asks the server at {@code url}. */
    static HttpModel model(String url, LoopbackEgress egress) {
        return model(url, egress, 1_000, 1_000);
    }

    /** As above, with a circuit that opens after so many failures for so long. */
    static HttpModel model(
            String url, LoopbackEgress egress, int breakerFailures, int breakerOpenMillis) {
        ModelSeams seams = new ModelSeams();
        seams.egress().add(egress, Map.of());
        Endpoint endpoint =
                new Endpoint(
                        "plain",
                        Endpoint.baseUrl(url, false),
                        null,
                        "some-model",
                        Map.of(),
                        new Endpoint.Times(20_000, 120_000, 120_000, 0),
                        64,
                        breakerFailures,
                        breakerOpenMillis,
                        List.of());
        return new HttpModel(endpoint, new PlainDialect(), seams);
    }

    static EngineSettings settings() {
        return new EngineSettings(
                64, 1_000, 4, 8, 3, 1_500, 600_000, 600_000, 20, 10_000, 50, 1_024, "scripted");
    }

    /** Arguments: state folder, address of the server, number of floods, what they ask for. */
    public static void main(String[] args) {
        LoopbackEgress egress = new LoopbackEgress();
        try (LightGateway.Surroundings around =
                        new LightGateway.Surroundings(Path.of(args[0]), "boot");
                HttpModel model = model(args[1], egress);
                LightGateway gateway =
                        new LightGateway(
                                around,
                                model,
                                "boot/1",
                                real -> real,
                                FakeAccess.forTools(),
                                settings())) {
            List<String> floods =
                    new ArrayList<>(
                            around.journal().runsIn(GOING, "", "", 100).stream()
                                    .map(RunRow::runId)
                                    .toList());
            gateway.awaitReady();
            for (int i = floods.size(); i < Integer.parseInt(args[2]); i++) {
                floods.add(
                        gateway.submit(
                                        Wanted.saying(args[3])
                                                .in("flood " + i + " " + System.nanoTime())
                                                .message())
                                .runId());
            }
            Await.until(
                    "the floods to be asked for",
                    PATIENCE,
                    () -> gateway.host.startedRuns() >= floods.size());
            String normal = gateway.submit(Wanted.saying("hello").in("normal").message()).runId();
            RunRow answered = ended(around, normal);
            System.out.println(
                    "normal " + answered.state() + " beside " + gateway.host.activeRuns());
            for (String flood : floods) {
                RunRow row = ended(around, flood);
                System.out.println("flood " + row.state() + " " + row.reason());
            }
            Await.until("the workers to let go", () -> gateway.host.activeRuns() == 0);
            System.out.println("held " + gateway.services.memory().used());
        } finally {
            egress.close();
        }
        System.exit(0);
    }

    private static RunRow ended(LightGateway.Surroundings around, String runId) {
        return Await.value(
                "run " + runId + " to end",
                PATIENCE,
                () -> around.journal().run(runId).filter(row -> row.state().terminal()));
    }
}
