package palyra.transport.openai.internal;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.access.Principal;
import palyra.api.core.access.AccessRequest;
import palyra.api.core.gateway.AgentView;
import palyra.transport.openai.internal.http.RefusedException;

/** Agents as models: those that a caller may ask. Thread-safe. */
final class Models {
    /** The action that a caller needs, on each agent. */
    static final String ACTION = "openai.chat";

    private static final int MOST_NAMED = 50;

    private final Seams seams;

    Models(Seams seams) {
        this.seams = seams;
    }

    ObjectNode list(Principal principal) {
        ObjectNode body = JsonNodeFactory.instance.objectNode().put("object", "list");
        ArrayNode data = body.putArray("data");
        allowed(principal).forEach(agent -> data.add(model(agent)));
        return body;
    }

    ObjectNode one(Principal principal, String id) {
        return model(require(principal, id));
    }

    private static ObjectNode model(AgentView agent) {
        return JsonNodeFactory.instance
                .objectNode()
                .put("id", agent.agentId())
                .put("object", "model")
                .put("created", TimeUnit.MILLISECONDS.toSeconds(agent.createdAtMillis()))
                .put("owned_by", "palyra")
                .put("name", agent.displayName());
    }

    private List<AgentView> allowed(Principal principal) {
        List<AgentView> agents = seams.agents().call(registry -> registry.agents());
        return agents.stream().filter(agent -> refusal(principal, agent).isEmpty()).toList();
    }

    /** Returns why the principal may not ask an agent; POLICY_UNAVAILABLE without a decision. */
    private Optional<PalyraException> refusal(Principal principal, AgentView agent) {
        try {
            AccessRequest question =
                    AccessRequest.of(principal, ACTION, "agent:" + agent.agentId());
            seams.access()
                    .call(access -> access.authorizeRead(question))
                    .requireFor(ACTION, System.currentTimeMillis());
            return Optional.empty();
        } catch (PalyraException e) {
            if (e.code() == ErrorCode.DENIED) {
                return Optional.of(e);
            }
            throw e;
        }
    }

    /** Returns an agent that the principal may ask. */
    AgentView require(Principal principal, String id) {
        Optional<AgentView> agent =
                id.matches("[a-z0-9-]{1,64}")
                        ? seams.agents().call(registry -> registry.agent(id))
                        : Optional.empty();
        if (agent.isEmpty()) {
            throw RefusedException.notFound(
                    "model_not_found",
                    "model",
                    "There is no agent "
                            + (id.matches("[\\x21-\\x7e]{1,64}") ? "'" + id + "'" : "of that name")
                            + "; "
                            + named(allowed(principal)));
        }
        refusal(principal, agent.get())
                .ifPresent(
                        e -> {
                            throw RefusedException.of(e);
                        });
        return agent.get();
    }

    private static String named(List<AgentView> agents) {
        if (agents.isEmpty()) {
            return "and this token permits openai.chat on none that there is.";
        }
        return "model is one of: "
                + String.join(
                        ", ", agents.stream().limit(MOST_NAMED).map(AgentView::agentId).toList())
                + ".";
    }
}
