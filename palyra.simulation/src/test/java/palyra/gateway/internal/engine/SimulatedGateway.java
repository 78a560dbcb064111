package palyra.gateway.internal.engine;

import java.lang.reflect.Field;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Supplier;
import palyra.api.PalyraException;
import palyra.api.core.access.Access;
import palyra.api.core.access.Authorized;
import palyra.api.core.gateway.AgentView;
import palyra.api.core.gateway.Intake;
import palyra.api.core.journal.InboxRow;
import palyra.api.core.journal.Journal;
import palyra.api.core.journal.LiveFeed;
import palyra.api.core.journal.Operation;
import palyra.api.core.keys.Keys;
import palyra.api.core.tools.ToolExecutor;
import palyra.api.model.ModelProvider;
import palyra.api.run.ResolvedSession;
import palyra.api.run.SessionQuery;
import palyra.api.run.Submission;
import palyra.api.run.SubmittedMessage;
import palyra.gateway.internal.agents.Agents;
import palyra.gateway.internal.budget.BudgetMeter;
import palyra.gateway.internal.engine.run.RunLog;
import palyra.gateway.internal.seam.Services;
import palyra.gateway.internal.settings.EngineSettings;
import palyra.gateway.internal.settings.ModelSettings;
import palyra.shared.hash.Ulids;

/** The real gateway without the framework; its seams are bound and unbound by hand. */
public final class SimulatedGateway implements Intake, AutoCloseable {
    /** Name of the provider that agents ask. */
    public static final String PROVIDER = "simulated";

    private final Services services;
    private final Agents agents;
    private final EngineHost host;
    private volatile boolean ready;

    /** Starts a gateway to which nothing but these is bound yet. */
    public SimulatedGateway(
            String owner, Access access, Keys keys, ModelProvider model, int maxActiveRuns) {
        services = Services.unbound(() -> ModelSettings.NONE, new BudgetMeter());
        services.access().add(access, Map.of());
        services.keys().add(keys, Map.of());
        services.models().add(model, Map.of(ModelProvider.ID_PROPERTY, PROVIDER));
        agents = new Agents(services.journal());
        EngineSettings settings = settings(maxActiveRuns);
        host =
                new EngineHost(
                        services,
                        agents,
                        () -> settings,
                        owner,
                        new EngineHost.ReadyListener() {
                            @Override
                            public void ready() {
                                ready = true;
                            }

                            @Override
                            public void notReady() {
                                ready = false;
                            }
                        });
        host.start();
    }

    private static EngineSettings settings(int maxActiveRuns) {
        return new EngineSettings(
                maxActiveRuns, 1_000, 4, 8, 3, 5_000, 60_000, 600_000, 5, 5_000, 20, 64, PROVIDER);
    }

    /** Ids made by statics rise over the life of the JVM: a seed begins without that past. */
    public static void forgetIds() {
        try {
            for (Class<?> type :
                    List.of(RunLog.class, Class.forName("palyra.shared.outcome.Commits"))) {
                Field ids = type.getDeclaredField("IDS");
                ids.setAccessible(true);
                Field last = Ulids.class.getDeclaredField("lastMillis");
                last.setAccessible(true);
                last.setLong(ids.get(null), 0);
            }
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A journal arrives. */
    public void bind(Journal journal, LiveFeed feed) {
        services.journal().add(journal, Map.of());
        services.feed().add(feed, Map.of());
    }

    /** A journal goes. */
    public void unbind(Journal journal, LiveFeed feed) {
        services.feed().remove(feed);
        services.journal().remove(journal);
    }

    /** An executor of tools arrives. */
    public void bind(ToolExecutor tools) {
        services.tools().add(tools, Map.of());
    }

    /** An executor of tools goes. */
    public void unbind(ToolExecutor tools) {
        services.tools().remove(tools);
    }

    /** Returns whether it takes messages. */
    public boolean isReady() {
        return ready;
    }

    /** Lets the default agent use these tools. */
    public void offer(Authorized permit, List<String> tools) {
        agents.update(
                permit,
                new AgentView(agents.defaultAgentId(), "", "", "", "", "", tools, false, 0, 0));
    }

    /** Returns what is set aside, one sentence each. */
    public List<String> setAside() {
        return host.setbacks().stream().map(Object::toString).toList();
    }

    @Override
    public Submission accept(InboxRow inbox, SubmittedMessage message, List<Operation> records) {
        return beside(() -> host.router().accept(inbox, message, records));
    }

    @Override
    public ResolvedSession resolveSession(
            String principal, SessionQuery query, List<Operation> records) {
        return beside(() -> host.router().resolveSession(principal, query, records));
    }

    /**
     * A gate knows what its own bundle leases on a thread. Front and gateway are two bundles and
     * know nothing of each other's; here they share the class, so they get a thread each.
     */
    private static <T> T beside(Supplier<T> call) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        Thread.ofVirtual()
                .start(
                        () -> {
                            try {
                                answer.complete(call.get());
                            } catch (Throwable e) {
                                answer.completeExceptionally(e);
                            }
                        });
        try {
            return answer.get();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        } catch (ExecutionException e) {
            switch (e.getCause()) {
                case PalyraException refusal -> throw refusal;
                case Error error -> throw error;
                default -> throw new IllegalStateException(e.getCause());
            }
        }
    }

    @Override
    public int activeRuns() {
        return host.activeRuns();
    }

    @Override
    public void close() {
        host.close();
    }
}
