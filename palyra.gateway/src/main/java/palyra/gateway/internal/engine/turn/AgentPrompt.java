package palyra.gateway.internal.engine.turn;

import java.util.List;
import palyra.api.PalyraException;
import palyra.api.core.gateway.AgentRegistry.ModelPrompt;
import palyra.api.core.gateway.AgentView;
import palyra.api.tool.ToolDescriptor;
import palyra.gateway.internal.seam.Services;
import palyra.gateway.internal.settings.EngineSettings;
import palyra.gateway.internal.settings.ModelSettings;
import palyra.gateway.internal.settings.PromptProfile;
import palyra.shared.sealed.SecretReaches;
import palyra.shared.secrets.PlaceholderNumbers;
import palyra.shared.tool.ToolMentions;

/**
 * What a model is told before a conversation: its instructions, where its tools work, and the tools
 * themselves. Stateless.
 */
public final class AgentPrompt {
    private AgentPrompt() {}

    /**
     * Who is told it.
     *
     * @param latest the agent as it is now
     * @param started the agent as the run started with it, whose tools count
     * @param principal on whose behalf the run is
     * @param channel by which its message came; empty for none
     */
    record Reader(AgentView latest, AgentView started, String principal, String channel) {}

    /**
     * Returns what the next run of an agent would tell its model now.
     *
     * @throws PalyraException as {@link #instructions}
     */
    public static ModelPrompt of(
            Services services, EngineSettings now, AgentView agent, String principal) {
        return new ModelPrompt(
                instructions(services, now, new Reader(agent, agent, principal, "")),
                now.callsOf(agent) == 0 ? List.of() : tools(services, agent));
    }

    /** Returns the tools on offer that an agent has, as it is told of them. */
    static List<ToolDescriptor> tools(Services services, AgentView agent) {
        return ToolMentions.offered(services.tools().catalogue(), agent.tools());
    }

    /**
     * Returns the instructions, without secrets: the operator's own are checked too, as they go to
     * a third party's server.
     *
     * @throws PalyraException MODEL_UNAVAILABLE when its prompt profile is absent; KEYS_UNAVAILABLE
     *     while the vault is away that they are compared with
     */
    static String instructions(Services services, EngineSettings now, Reader reader) {
        String own = own(reader.latest(), services.spending().settings());
        String environment =
                now.asking().describesEnvironment()
                        ? Environment.of(
                                services.environment(),
                                reader.latest(),
                                reader.started(),
                                now.callsOf(reader.started()))
                        : "";
        String all =
                own.isEmpty() || environment.isEmpty()
                        ? own + environment
                        : own + "\n\n" + environment;
        return services.secrets()
                .redactor()
                .within(
                        SecretReaches.ofInstructions(
                                reader.principal(), reader.started().agentId(), reader.channel()))
                .text(all, PlaceholderNumbers.fresh());
    }

    private static String own(AgentView agent, ModelSettings models) {
        if (agent.promptProfile().isEmpty()) {
            return agent.systemPrompt();
        }
        PromptProfile profile = models.prompts().get(agent.promptProfile());
        if (profile == null) {
            throw ModelFallbackChain.absent(
                    "prompt", agent.agentId(), agent.promptProfile(), models);
        }
        return profile.read();
    }
}
