package palyra.gateway.internal.engine.turn;

import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import palyra.api.PalyraException;
import palyra.api.core.gateway.AgentView;
import palyra.gateway.internal.settings.EngineSettings;
import palyra.gateway.internal.settings.ModelSettings;
import palyra.gateway.internal.settings.ModelTarget;

/** Why the runs of an agent would find no model now. Pure. */
public final class ModelObstacle {
    private ModelObstacle() {}

    /**
     * Returns the reason with its remedy; empty when one of the agent's providers is there.
     *
     * @param present whether a provider of that id is there
     */
    public static Optional<String> of(
            AgentView agent,
            ModelSettings models,
            EngineSettings settings,
            Predicate<String> present) {
        ModelFallbackChain chain;
        try {
            chain = ModelFallbackChain.of(agent, models, settings.defaultProvider());
        } catch (PalyraException e) {
            return Optional.of(e.getMessage());
        }
        if (chain.targets().stream().map(ModelTarget::provider).anyMatch(present)) {
            return Optional.empty();
        }
        return Optional.of(
                "Agent '"
                        + agent.agentId()
                        + "' asks model provider "
                        + chain.targets().stream()
                                .map(target -> "'" + target.provider() + "'")
                                .distinct()
                                .collect(Collectors.joining(" or "))
                        + ", which is not there: its runs wait "
                        + settings.unavailableWaitMillis()
                        + " ms (unavailableWaitMillis) and fail. Configure it in"
                        + " conf/palyra.models.openai~ID.json or"
                        + " conf/palyra.models.anthropic~ID.json, or choose another: palyra agents"
                        + " update "
                        + agent.agentId()
                        + " --provider ID.");
    }
}
