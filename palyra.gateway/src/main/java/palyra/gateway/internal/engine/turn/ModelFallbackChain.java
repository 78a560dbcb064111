package palyra.gateway.internal.engine.turn;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.gateway.AgentView;
import palyra.gateway.internal.settings.ModelProfile;
import palyra.gateway.internal.settings.ModelSettings;
import palyra.gateway.internal.settings.ModelTarget;

/**
 * The models that a turn may use, in order of preference. Pure.
 *
 * @param profile name of the profile that lists them; empty when the agent names a model itself
 * @param contextTokens tokens of a request with its answer; 0 means without bound
 * @param maxOutputTokens most tokens of an answer; 0 means the provider's default
 */
record ModelFallbackChain(
        String profile,
        List<ModelTarget> targets,
        long contextTokens,
        int maxOutputTokens,
        Map<String, String> options) {
    /**
     * Returns the chain of an agent.
     *
     * @throws PalyraException MODEL_UNAVAILABLE when its profile is not there
     */
    static ModelFallbackChain of(AgentView agent, ModelSettings settings, String defaultProvider) {
        if (agent.modelProfile().isEmpty()) {
            String provider = agent.provider().isEmpty() ? defaultProvider : agent.provider();
            return new ModelFallbackChain(
                    "", List.of(new ModelTarget(provider, agent.model())), 0, 0, Map.of());
        }
        ModelProfile profile = settings.models().get(agent.modelProfile());
        if (profile == null) {
            throw absent("model", agent.agentId(), agent.modelProfile(), settings);
        }
        return new ModelFallbackChain(
                profile.name(),
                profile.targets(),
                profile.contextTokens(),
                profile.maxOutputTokens(),
                profile.options());
    }

    /** Returns the refusal of a profile that an agent names and that is not configured. */
    static PalyraException absent(
            String kind, String agentId, String name, ModelSettings settings) {
        Optional<String> why = settings.whyBroken(kind + " profile", name);
        return new PalyraException(
                ErrorCode.MODEL_UNAVAILABLE,
                "Agent '"
                        + agentId
                        + "' uses "
                        + kind
                        + " profile '"
                        + name
                        + "', which "
                        + why.map(reason -> "cannot be used: " + reason)
                                .orElse(
                                        "is not configured; add conf/palyra.gateway."
                                                + kind
                                                + "~"
                                                + name
                                                + ".json or choose another."));
    }

    /** Returns the target that a turn begins with: the first that is present, else the first. */
    ModelTarget first(Predicate<ModelTarget> present) {
        return targets.stream().filter(present).findFirst().orElse(targets.get(0));
    }

    /** Returns what comes after a target; nothing when it is not one of these. */
    List<ModelTarget> after(ModelTarget target) {
        int at = targets.indexOf(target);
        return at < 0 ? List.of() : targets.subList(at + 1, targets.size());
    }
}
