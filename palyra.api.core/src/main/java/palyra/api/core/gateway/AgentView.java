package palyra.api.core.gateway;

import java.util.List;
import palyra.api.Require;

/**
 * An agent: who answers, with which model, instructions and tools.
 *
 * @param agentId name of {@code [a-z0-9-]}, 1 to 64 characters
 * @param displayName what people call it; empty means the id
 * @param systemPrompt instructions for the model; may be empty; at most 65,536 characters
 * @param systemPromptSha256 digest of the instructions, lower-case hex; computed, ignored on input
 * @param provider id of the model provider; empty means the configured default
 * @param model model within the provider; empty means its default
 * @param tools names of the tools it may use; empty means none
 * @param test whether it is a test agent: its messages may carry scripts for the deterministic
 *     model
 * @param createdAtMillis unix time in milliseconds; ignored on input
 * @param updatedAtMillis unix time in milliseconds; ignored on input
 * @param modelProfile name of a configured model profile, which then says which models are asked in
 *     place of provider and model; empty for none
 * @param promptProfile name of a configured prompt profile, whose text then replaces the agent's
 *     own instructions; empty for none
 * @param policyProfile name of the profile by which policies decide about its calls, such as {@code
 *     coding}; empty for none
 * @param maxCalls tool calls that one of its runs may propose; 0 means as the gateway is
 *     configured, which also bounds it
 */
public record AgentView(
        String agentId,
        String displayName,
        String systemPrompt,
        String systemPromptSha256,
        String provider,
        String model,
        List<String> tools,
        boolean test,
        long createdAtMillis,
        long updatedAtMillis,
        String modelProfile,
        String promptProfile,
        String policyProfile,
        int maxCalls) {
    /** Most calls that an agent can name. */
    private static final int MOST_CALLS = 10_000;

    /** Creates an agent without profiles. */
    public AgentView(
            String agentId,
            String displayName,
            String systemPrompt,
            String systemPromptSha256,
            String provider,
            String model,
            List<String> tools,
            boolean test,
            long createdAtMillis,
            long updatedAtMillis) {
        this(
                agentId,
                displayName,
                systemPrompt,
                systemPromptSha256,
                provider,
                model,
                tools,
                test,
                createdAtMillis,
                updatedAtMillis,
                "",
                "");
    }

    /** Creates an agent without a policy profile, with the calls that the gateway allows. */
    public AgentView(
            String agentId,
            String displayName,
            String systemPrompt,
            String systemPromptSha256,
            String provider,
            String model,
            List<String> tools,
            boolean test,
            long createdAtMillis,
            long updatedAtMillis,
            String modelProfile,
            String promptProfile) {
        this(
                agentId,
                displayName,
                systemPrompt,
                systemPromptSha256,
                provider,
                model,
                tools,
                test,
                createdAtMillis,
                updatedAtMillis,
                modelProfile,
                promptProfile,
                "",
                0);
    }

    /** Checks and copies. */
    public AgentView {
        Require.that(
                agentId != null && agentId.matches("[a-z0-9]([a-z0-9-]{0,62}[a-z0-9])?"),
                "agent id '" + agentId + "' is not usable: 1 to 64 of a-z, 0-9 and - inside");
        displayName = Require.orEmpty(displayName).isEmpty() ? agentId : displayName;
        systemPrompt = Require.orEmpty(systemPrompt);
        Require.that(
                systemPrompt.length() <= 65_536,
                "the system prompt has "
                        + systemPrompt.length()
                        + " characters; at most 65536 are taken");
        Require.that(
                maxCalls >= 0 && maxCalls <= MOST_CALLS,
                "the calls of a run of agent '"
                        + agentId
                        + "' are "
                        + maxCalls
                        + ": use 0 to "
                        + MOST_CALLS
                        + ", 0 for what the gateway is configured with");
        systemPromptSha256 = Require.orEmpty(systemPromptSha256);
        provider = Require.orEmpty(provider);
        model = Require.orEmpty(model);
        tools = List.copyOf(tools);
        modelProfile = profile("model", modelProfile);
        promptProfile = profile("prompt", promptProfile);
        policyProfile = profile("policy", policyProfile);
    }

    /**
     * Returns this agent with what its registry computes.
     *
     * @param sha256 digest of the instructions, lower-case hex; empty without instructions
     * @param createdAt unix time in milliseconds
     * @param updatedAt unix time in milliseconds
     */
    public AgentView withComputed(String sha256, long createdAt, long updatedAt) {
        return new AgentView(
                agentId,
                displayName,
                systemPrompt,
                sha256,
                provider,
                model,
                tools,
                test,
                createdAt,
                updatedAt,
                modelProfile,
                promptProfile,
                policyProfile,
                maxCalls);
    }

    private static String profile(String what, String name) {
        String given = Require.orEmpty(name);
        Require.that(
                given.matches("([A-Za-z0-9][A-Za-z0-9._-]{0,63})?"),
                what
                        + " profile '"
                        + (given.length() <= 64 ? given : given.substring(0, 64) + "…")
                        + "' is not usable: 1 to 64 letters, digits and . _ - inside");
        return given;
    }
}
