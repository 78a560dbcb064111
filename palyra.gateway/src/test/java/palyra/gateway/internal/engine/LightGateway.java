package palyra.gateway.internal.engine;

import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import palyra.api.access.DecisionSource;
import palyra.api.access.Permit;
import palyra.api.access.Principal;
import palyra.api.access.PrincipalKind;
import palyra.api.core.access.Authorized;
import palyra.api.core.gateway.AgentView;
import palyra.api.core.journal.CommandRow;
import palyra.api.core.journal.InboxRow;
import palyra.api.core.journal.Journal;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.RunRow;
import palyra.api.core.journal.Unit;
import palyra.api.core.journal.VerificationReport;
import palyra.api.model.ModelProvider;
import palyra.api.run.Submission;
import palyra.api.run.SubmittedMessage;
import palyra.api.tape.TapeEvent;
import palyra.api.tape.TapeRecord;
import palyra.api.tool.Tool;
import palyra.gateway.internal.agents.Agents;
import palyra.gateway.internal.budget.BudgetMeter;
import palyra.gateway.internal.engine.memory.MemoryPool;
import palyra.gateway.internal.seam.Services;
import palyra.gateway.internal.settings.EngineSettings;
import palyra.gateway.internal.settings.ModelSettings;
import palyra.journal.internal.JournalFactory;
import palyra.journal.internal.JournalSettings;
import palyra.journal.internal.SqliteJournal;
import palyra.keys.internal.BootKeys;
import palyra.shared.hash.Ulids;
import palyra.shared.run.SubmissionCodec;
import palyra.shared.tape.TapeCodec;
import palyra.testing.access.FakeAccess;
import palyra.testing.wait.Await;
import palyra.tools.internal.executor.BuiltinExecutor;

/**
 * The gateway without a framework: real journal, keys and tool executor on a real folder, a
 * scripted model and an open-handed access. What is given in stays open when it is closed, as in a
 * swap of the gateway alone.
 */
final class LightGateway implements AutoCloseable {
    static final Principal ALICE =
            new Principal("user:alice", PrincipalKind.USER, Set.of(), Set.of(), "test");

    private static final Ulids IDS = new Ulids();

    private volatile Surroundings around;
    final BudgetMeter budgets = new BudgetMeter();
    final Services services;
    final Agents agents;
    final EngineHost host;
    private final Journal journal;
    private volatile boolean ready;

    /** Everything around a gateway. */
    static final class Surroundings implements AutoCloseable {
        final BootKeys keys;
        final SqliteJournal opened;
        final BuiltinExecutor executor = newExecutor();

        /** What is configured about models. */
        volatile ModelSettings models = ModelSettings.NONE;

        /** What the runs of its gateways share. */
        volatile MemoryPool memory = new MemoryPool();

        Surroundings(Path state, String boot, Tool... tools) {
            this.keys = BootKeys.open(state, Optional.empty());
            this.opened =
                    JournalFactory.open(
                            JournalSettings.under(state, boot), keys, InstantSource.system());
            for (int i = 0; i < tools.length; i++) {
                add(tools[i], Map.of("service.id", (long) i));
            }
        }

        /** Offers one more tool. */
        void add(Tool tool, Map<String, ?> properties) {
            call(executor, "addTool", new Class<?>[] {Tool.class, Map.class}, tool, properties);
        }

        Journal journal() {
            return opened;
        }

        /** Nothing that is stored was changed, and every run is what a run may be. */
        void assertVerified() {
            VerificationReport report = opened.verifyAll(() -> false);
            if (!report.intact()
                    || !report.judgement().legal()
                    || report.judgement().unjudged() > 0) {
                throw new AssertionError(report.toString());
            }
        }

        @Override
        public void close() {
            call(executor, "close", new Class<?>[0]);
            opened.close();
        }
    }

    /** What declarative services does: it calls methods that are nobody else's business. */
    private static void call(Object target, String method, Class<?>[] types, Object... arguments) {
        try {
            Method found = target.getClass().getDeclaredMethod(method, types);
            found.setAccessible(true);
            found.invoke(target, arguments);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    private static BuiltinExecutor newExecutor() {
        try {
            Class<?> type = Class.forName("palyra.tools.internal.executor.ToolsConfiguration");
            return BuiltinExecutor.class.cast(
                    BuiltinExecutor.class.getConstructor(type).newInstance(defaults(type)));
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    static EngineSettings settings() {
        return new EngineSettings(
                8, 1_000, 4, 8, 3, 1_500, 60_000, 60_000, 20, 1_000, 20, 64, "scripted");
    }

    LightGateway(Surroundings around, ModelProvider model, String owner) {
        this(around, model, owner, UnaryOperator.identity(), FakeAccess.forTools());
    }

    LightGateway(
            Surroundings around,
            ModelProvider model,
            String owner,
            UnaryOperator<Journal> wrap,
            FakeAccess access) {
        this(around, model, owner, wrap, access, settings());
    }

    LightGateway(
            Surroundings around,
            ModelProvider model,
            String owner,
            UnaryOperator<Journal> wrap,
            FakeAccess access,
            EngineSettings settings) {
        this.around = around;
        this.services = Services.unbound(() -> around.models, budgets, around.memory);
        this.agents = new Agents(services.journal());
        this.journal = wrap.apply(around.journal());
        services.journal().add(journal, Map.of());
        services.feed().add(around.opened, Map.of());
        services.keys().add(around.keys, Map.of());
        if (access != null) {
            services.access().add(access, Map.of());
        }
        if (model != null) {
            services.models().add(model, scripted());
        }
        services.tools().add(around.executor, Map.of());
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

    static Map<String, Object> scripted() {
        return Map.of(ModelProvider.ID_PROPERTY, "scripted");
    }

    LightGateway awaitReady() {
        Await.until("the gateway to be ready", () -> ready);
        return this;
    }

    boolean isReady() {
        return ready;
    }

    /** Lets the default agent use this model profile and these tools. */
    LightGateway profiled(String modelProfile, String promptProfile, String... tools) {
        return update(
                new AgentView(
                        agents.defaultAgentId(),
                        "",
                        "",
                        "",
                        "",
                        "",
                        List.of(tools),
                        false,
                        0,
                        0,
                        modelProfile,
                        promptProfile));
    }

    /** Lets the default agent use these tools. */
    LightGateway offering(String... tools) {
        String id = agents.defaultAgentId();
        return update(new AgentView(id, "", "", "", "", "", List.of(tools), false, 0, 0));
    }

    /** Gives the default agent these instructions. */
    LightGateway instructed(String instructions) {
        String id = agents.defaultAgentId();
        return update(new AgentView(id, "", instructions, "", "", "", List.of(), false, 0, 0));
    }

    private LightGateway update(AgentView wanted) {
        Permit permit =
                new Permit(
                        IDS.next(),
                        ALICE,
                        "agent.update",
                        "",
                        DecisionSource.BUILT_IN_RULES,
                        "",
                        System.currentTimeMillis());
        Operation.Append record =
                new Operation.Append(
                        "journal", "access_decision", 1, "{}".getBytes(StandardCharsets.UTF_8));
        agents.update(new Authorized(permit, record), wanted);
        return this;
    }

    Submission submit(String text) {
        return submit(SubmittedMessage.of("shell", text));
    }

    Submission submit(SubmittedMessage message) {
        return host.router().accept(inbox(message), message, List.of());
    }

    static InboxRow inbox(SubmittedMessage message) {
        return inbox(message, SubmissionCodec.messageBytes(message));
    }

    static InboxRow inbox(SubmittedMessage message, byte[] payload) {
        return new InboxRow(
                IDS.next(),
                message.surface(),
                message.dedupeKey(),
                ALICE.id(),
                payload,
                InboxRow.State.QUEUED,
                "",
                "",
                0);
    }

    void cancel(String runId) {
        CommandRow command =
                new CommandRow(
                        IDS.next(),
                        CommandRow.CANCEL_RUN,
                        runId,
                        ALICE.id(),
                        "{\"reason\":\"enough\"}".getBytes(StandardCharsets.UTF_8),
                        false,
                        "",
                        0);
        journal.commit(Unit.of(new Operation.PutCommand(command)));
    }

    RunRow ended(String runId) {
        return ended(journal, runId);
    }

    static RunRow ended(Journal journal, String runId) {
        return Await.value(
                "run " + runId + " to end",
                Duration.ofSeconds(20),
                () -> journal.run(runId).filter(row -> row.state().terminal()));
    }

    List<TapeEvent> tape(String runId) {
        return tape(journal, runId);
    }

    static List<TapeEvent> tape(Journal journal, String runId) {
        List<TapeEvent> events = new ArrayList<>();
        for (TapeRecord record : journal.tape(runId, 0, 1_000)) {
            events.add(TapeCodec.event(record));
        }
        return events;
    }

    List<String> types(String runId) {
        return tape(runId).stream().map(TapeCodec::type).toList();
    }

    <T extends TapeEvent> List<T> records(String runId, Class<T> type) {
        return tape(runId).stream().filter(type::isInstance).map(type::cast).toList();
    }

    /**
     * Returns an annotation with its defaults, as declarative services makes it of an empty
     * configuration.
     */
    static <A> A defaults(Class<A> type) {
        return type.cast(
                Proxy.newProxyInstance(
                        type.getClassLoader(),
                        new Class<?>[] {type},
                        (proxy, method, args) -> method.getDefaultValue()));
    }

    @Override
    public void close() {
        host.close();
    }
}
