package palyra.gateway.internal.engine.turn;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import palyra.api.PalyraException;
import palyra.api.core.gateway.AgentView;
import palyra.api.model.ModelMessage;
import palyra.api.model.ModelRequest;
import palyra.api.tape.TapeEvent;
import palyra.api.tool.ToolDescriptor;
import palyra.gateway.internal.budget.Reservation;
import palyra.gateway.internal.budget.ReservationEstimator;
import palyra.gateway.internal.engine.run.RunContext;
import palyra.gateway.internal.fold.ResultImages;
import palyra.gateway.internal.fold.RunHistory;
import palyra.gateway.internal.seam.ModelProviders;
import palyra.gateway.internal.seam.Services;
import palyra.gateway.internal.settings.EngineSettings;
import palyra.gateway.internal.settings.ModelSettings;
import palyra.gateway.internal.settings.ModelTarget;
import palyra.shared.hash.Digests;

/**
 * Plans attempts of turns from the configuration at that moment: which model is used, what it is
 * shown, what it may cost. Used by one thread.
 */
public final class TurnPlanner {
    private final RunContext run;
    private final Services services;
    private final Supplier<EngineSettings> settings;

    public TurnPlanner(RunContext run, Services services, Supplier<EngineSettings> settings) {
        this.run = run;
        this.services = services;
        this.settings = settings;
    }

    /**
     * What an attempt is to be like.
     *
     * @param target model to ask, when it is still one that the agent may ask; empty for the first
     * @param windowTokens tokens that the messages are held to; 0 for what the profile says
     */
    public record Aim(Optional<ModelTarget> target, long windowTokens) {
        public static final Aim FRESH = new Aim(Optional.empty(), 0);

        /** Goes on where the attempt before stood. */
        static Aim same(TapeEvent.TurnStarted before) {
            return new Aim(
                    Optional.of(new ModelTarget(before.provider(), before.model())),
                    before.windowTokens());
        }
    }

    boolean isPresent(ModelTarget target) {
        return services.models().isPresent(target.provider());
    }

    /**
     * Plans an attempt of the turn that {@code history} asks for.
     *
     * @throws PalyraException MODEL_UNAVAILABLE when a profile is absent; KEYS_UNAVAILABLE while
     *     the vault is away that its instructions are compared with; RESOURCE_EXHAUSTED when a
     *     budget cannot be applied
     */
    public TurnPlan plan(RunHistory history, int turn, int attempt, Aim aim, long contextSeq) {
        EngineSettings now = settings.get();
        ModelSettings models = services.spending().settings();
        AgentView agent = run.latest().get();
        ModelFallbackChain chain = ModelFallbackChain.of(agent, models, now.defaultProvider());
        ModelTarget target =
                aim.target()
                        .filter(chain.targets()::contains)
                        .orElseGet(() -> chain.first(this::isPresent));
        int budget = Math.max(0, now.callsOf(run.agent()) - history.callsProposed());
        List<ToolDescriptor> tools =
                budget == 0 ? List.of() : AgentPrompt.tools(services, run.agent());
        TokenEstimator tokens = new TokenEstimator(now.asking().bytesPerToken());
        String prompt =
                AgentPrompt.instructions(
                        services,
                        now,
                        new AgentPrompt.Reader(
                                agent, run.agent(), run.principal(), run.caller().channel()));
        ContextWindow.Fitted shown =
                new ContextWindow(tokens, room(chain, aim, tokens.ofTools(tools)))
                        .fit(prompt, run.earlier(), conversation(history, target));
        ModelRequest request =
                new ModelRequest(
                        run.runId() + "/" + turn + "/" + attempt,
                        run.runId(),
                        target.model(),
                        shown.messages(),
                        tools,
                        run.agent().test(),
                        System.currentTimeMillis() + now.turnTimeoutMillis(),
                        run.caller(),
                        chain.maxOutputTokens(),
                        chain.options());
        Reservation reservation =
                ReservationEstimator.of(
                        models,
                        run.caller(),
                        request.requestId(),
                        run.runId(),
                        target,
                        shown.size() + tokens.ofTools(tools),
                        chain.maxOutputTokens() > 0
                                ? chain.maxOutputTokens()
                                : now.asking().reserveOutputTokens(),
                        Instant.now());
        boolean reserved = !reservation.id().isEmpty();
        TapeEvent.TurnStarted started =
                new TapeEvent.TurnStarted(
                        turn,
                        attempt,
                        run.agent().agentId(),
                        target.provider(),
                        target.model(),
                        RequestDigest.of(request),
                        RequestDigest.of(tools),
                        prompt.isEmpty() ? "" : Digests.sha256Hex(prompt),
                        budget,
                        contextSeq,
                        chain.profile(),
                        agent.promptProfile(),
                        leftOut(shown, aim),
                        aim.windowTokens(),
                        reservation.id(),
                        reserved ? reservation.amount().tokens() : 0,
                        reserved ? reservation.amount().costMicros() : 0);
        return new TurnPlan(started, request, target, chain.after(target), reservation);
    }

    private List<ModelMessage> conversation(RunHistory history, ModelTarget target) {
        List<ModelMessage> all = history.conversation();
        boolean sees = services.models().sees(target.provider(), target.model());
        return sees ? all : ResultImages.unseen(all);
    }

    /**
     * Returns whether one of the models that an agent may ask sees images, or cannot be asked now.
     */
    public static boolean mayBeSeen(AgentView agent, Services services, EngineSettings settings) {
        ModelProviders models = services.models();
        try {
            return ModelFallbackChain.of(
                            agent, services.spending().settings(), settings.defaultProvider())
                    .targets()
                    .stream()
                    .anyMatch(
                            target ->
                                    !models.isPresent(target.provider())
                                            || models.sees(target.provider(), target.model()));
        } catch (PalyraException e) {
            return true; // its profile is away
        }
    }

    /** Returns how many tokens the messages may have. */
    private static long room(ModelFallbackChain chain, Aim aim, long ofTools) {
        if (aim.windowTokens() > 0) {
            return aim.windowTokens();
        }
        return chain.contextTokens() == 0
                ? Long.MAX_VALUE
                : Math.max(1, chain.contextTokens() - chain.maxOutputTokens() - ofTools);
    }

    private static String leftOut(ContextWindow.Fitted shown, Aim aim) {
        return shown.leftOut().isEmpty() && aim.windowTokens() > 0
                ? "nothing could be left out to fit " + aim.windowTokens() + " tokens"
                : shown.leftOut();
    }
}
