package palyra.gateway.internal.engine.turn;

import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.PalyraException;
import palyra.api.core.gateway.AgentView;
import palyra.api.core.tools.EnvironmentSource;
import palyra.shared.gate.Gate;

/** The part of the instructions that tells a model where its tools work. */
final class Environment {
    private static final Logger LOG = LoggerFactory.getLogger(Environment.class);

    private Environment() {}

    /**
     * Returns it; empty when nothing describes the agent's tools now. What fails to describe them
     * costs the description alone.
     *
     * @param latest the agent as it is now
     * @param started the agent as the run started with it, whose tools count
     * @param calls how many tool calls a run may propose
     */
    static String of(
            Gate<EnvironmentSource> source, AgentView latest, AgentView started, int calls) {
        String described;
        try {
            EnvironmentSource.Reader reader =
                    new EnvironmentSource.Reader(
                            started.agentId(), latest.policyProfile(), Set.copyOf(started.tools()));
            described = source.isPresent() ? source.call(it -> it.describe(reader)) : "";
        } catch (PalyraException e) {
            return ""; // it left between the look and the call
        } catch (RuntimeException | LinkageError e) {
            LOG.warn("The tools of agent {} are not described", started.agentId(), e);
            return "";
        }
        return described == null || described.isBlank()
                ? ""
                : "Where your tools work (told by the gateway):\n"
                        + described
                        + "\n- Tool calls: at most "
                        + calls
                        + " in one run.";
    }
}
