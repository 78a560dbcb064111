package palyra.api.core.tools;

import java.util.Set;
import palyra.api.Require;
import palyra.api.core.access.Confinement;
import palyra.api.tool.ToolInvocation;

/**
 * A call that was decided, recorded and is now to happen.
 *
 * @param toolName tool
 * @param invocation the call
 * @param agentId agent of the run
 * @param groups groups of the run's principal when the run was started
 * @param confinement where it must run, if it runs foreign code: at least this strict
 * @param factsSha256 digest of the facts that were decided on, see {@code
 *     palyra.shared.tool.FactsDigest}; an executor that finds other facts at the start refuses.
 *     Empty when none were recorded
 * @param allowedByPerson whether a person was asked about this very call and said yes; false when
 *     policy or a grant for several calls allowed it
 */
public record ToolOrder(
        String toolName,
        ToolInvocation invocation,
        String agentId,
        Set<String> groups,
        Confinement confinement,
        String factsSha256,
        boolean allowedByPerson) {
    /** Checks and copies. */
    public ToolOrder {
        Require.text(toolName, "tool name");
        Require.present(invocation, "invocation");
        agentId = Require.orEmpty(agentId);
        groups = Set.copyOf(groups);
        Require.present(confinement, "confinement");
        factsSha256 = Require.orEmpty(factsSha256);
    }

    /** Returns an order under the strictest confinement, without recorded facts. */
    public static ToolOrder of(String toolName, ToolInvocation invocation) {
        return new ToolOrder(toolName, invocation, "", Set.of(), Confinement.STRICTEST, "", false);
    }
}
