package palyra.bench.turn;

import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import palyra.api.core.gateway.Intake;
import palyra.api.core.journal.InboxRow;
import palyra.api.core.journal.Journal;
import palyra.api.core.journal.LiveFeed;
import palyra.api.core.journal.Operation;
import palyra.api.model.ModelProvider;
import palyra.api.run.Submission;
import palyra.api.run.SubmittedMessage;
import palyra.api.tape.TapeRecord;
import palyra.bench.journal.BenchStore;
import palyra.gateway.internal.agents.Agents;
import palyra.gateway.internal.engine.EngineHost;
import palyra.gateway.internal.seam.Services;
import palyra.gateway.internal.settings.EngineConfiguration;
import palyra.gateway.internal.settings.EngineSettings;
import palyra.models.internal.DeterministicModel;
import palyra.shared.hash.Ulids;
import palyra.shared.run.SubmissionCodec;

/**
 * The gateway without a framework: the real journal, keys, engine and a model, each with the
 * configuration it ships with. No access control: turns without tools ask it nothing, and what a
 * surface asks it is added to the message as the record it leaves behind.
 */
public final class LightProduct implements AutoCloseable {
    private static final long READY_SECONDS = 10;

    /** Whose messages they are. */
    public static final String PRINCIPAL = "user:bench";

    private static final Ulids IDS = new Ulids();
    private static final byte[] DECISION =
            "{\"action\":\"message.send\",\"effect\":\"allow\",\"principal\":\"user:bench\"}"
                    .getBytes(StandardCharsets.UTF_8);

    private final BenchStore store;
    private final EngineHost host;
    private final CountDownLatch ready = new CountDownLatch(1);

    /** Opens everything in a state folder and waits until the engine accepts messages. */
    public LightProduct(Path state, ModelProvider model) throws IOException, InterruptedException {
        this(state, model, READY_SECONDS);
    }

    /** As above, and waits for at most so long. */
    LightProduct(Path state, ModelProvider model, long readySeconds)
            throws IOException, InterruptedException {
        store = BenchStore.open(state);
        Services services = Services.unbound();
        services.journal().add(store.journal(), Map.of());
        services.feed().add(store.services(), Map.of());
        services.models().add(model, Map.of(ModelProvider.ID_PROPERTY, "deterministic"));
        EngineSettings settings = EngineSettings.from(defaults(EngineConfiguration.class));
        host =
                new EngineHost(
                        services,
                        new Agents(services.journal()),
                        () -> settings,
                        "bench/1",
                        new EngineHost.ReadyListener() {
                            @Override
                            public void ready() {
                                ready.countDown();
                            }

                            @Override
                            public void notReady() {
                                // only close ends it
                            }
                        });
        host.start();
        if (!ready.await(readySeconds, TimeUnit.SECONDS)) {
            close();
            throw new IOException("the engine was not ready within " + readySeconds + " s");
        }
    }

    /** Returns the model that ships, made as declarative services makes it. */
    public static ModelProvider deterministicModel() {
        try {
            Constructor<?> constructor = DeterministicModel.class.getConstructors()[0];
            Object configuration = defaults(constructor.getParameterTypes()[0]);
            return (ModelProvider) constructor.newInstance(configuration);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("the deterministic model cannot be made", e);
        }
    }

    /** Returns an annotation with its defaults, which is what an empty configuration is. */
    private static <A> A defaults(Class<A> type) {
        return type.cast(
                Proxy.newProxyInstance(
                        type.getClassLoader(),
                        new Class<?>[] {type},
                        (proxy, method, arguments) -> method.getDefaultValue()));
    }

    /** Sends a message in the session of this key, as a surface does. */
    public Submission submit(String sessionKey, String text) {
        SubmittedMessage message =
                new SubmittedMessage(
                        "shell", IDS.next(), "", sessionKey, "", "", "", text, "", false);
        InboxRow inbox =
                new InboxRow(
                        IDS.next(),
                        message.surface(),
                        message.dedupeKey(),
                        PRINCIPAL,
                        SubmissionCodec.messageBytes(message),
                        InboxRow.State.QUEUED,
                        "",
                        "",
                        0);
        Operation.Append decision =
                new Operation.Append(TapeRecord.JOURNAL_STREAM, "access_decision", 1, DECISION);
        return host.router().accept(inbox, message, List.of(decision));
    }

    /** Returns where messages are handed in. */
    public Intake intake() {
        return host.router();
    }

    /** Returns the journal. */
    public Journal journal() {
        return store.journal();
    }

    /** Returns the feed. */
    public LiveFeed feed() {
        return store.services();
    }

    @Override
    public void close() {
        host.close();
        store.close();
    }
}
