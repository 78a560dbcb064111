package palyra.models.internal.openai;

import org.junit.jupiter.api.AfterEach;
import palyra.api.model.ModelProvider;
import palyra.api.model.ModelRequest;
import palyra.models.internal.Conversations;
import palyra.testing.http.FaultServer;
import palyra.testing.http.LoopbackEgress;
import palyra.testing.model.ModelProviderContract;
import palyra.testing.model.RemoteDialect;

class OpenAiModelTest extends ModelProviderContract {
    private final OpenAiStage stage = new OpenAiStage();
    private final LoopbackEgress egress = new LoopbackEgress();
    private final FaultServer server =
            FaultServer.open()
                    .otherwise(
                            exchange -> {
                                exchange.stream().send(stage.opening(), stage.text("Grüße 🙂"));
                                if (exchange.request().body().contains("wait without end")) {
                                    exchange.stall();
                                }
                                exchange.send(stage.ending(false), stage.closing());
                            });

    @AfterEach
    void close() {
        server.close();
        egress.close();
    }

    @Override
    protected ModelProvider open() {
        return stage.open(
                new RemoteDialect.Setup(
                        server.url(), "", 60_000, 90_000, 10, 1_000, egress, null, null));
    }

    @Override
    protected void withdraw(ModelProvider provider) {
        stage.close(provider);
    }

    @Override
    protected ModelRequest shortRequest(String requestId) {
        return Conversations.saying(requestId, "hello");
    }

    @Override
    protected ModelRequest lastingRequest(String requestId) {
        return Conversations.saying(requestId, "wait without end");
    }
}
