package palyra.channels.internal.files;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.IntSupplier;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.channel.Connector;
import palyra.api.channel.ConnectorCapabilities.Feature;
import palyra.api.core.access.Access;
import palyra.api.core.journal.Journal;
import palyra.api.core.sandbox.WorkspaceFiles;
import palyra.api.core.tools.ConfinedTool;
import palyra.shared.gate.Gate;

/**
 * What the tools for files need.
 *
 * @param workspaces what reads and writes files of workspaces
 * @param connectors connector at work by its name; empty while it is not there
 * @param maxFileBytes largest file
 */
public record ChannelFiles(
        Gate<Journal> journal,
        Gate<Access> access,
        Gate<WorkspaceFiles> workspaces,
        Function<String, Optional<Connector>> connectors,
        HeldFiles held,
        IntSupplier maxFileBytes) {
    /** Returns the tools. */
    public List<ConfinedTool> tools() {
        return List.of(new FetchFileTool(this), new SendFileTool(this));
    }

    /** A call lasts longer than a lease may, so the lease covers the look-up. */
    WorkspaceFiles files() {
        return workspaces.call(present -> present);
    }

    /**
     * Returns a connector with a feature.
     *
     * @throws PalyraException TOOL_UNAVAILABLE
     */
    Connector require(String surface, Feature feature, String what) {
        Connector connector =
                connectors
                        .apply(surface)
                        .orElseThrow(
                                () ->
                                        new PalyraException(
                                                ErrorCode.TOOL_UNAVAILABLE,
                                                "No connector is there for "
                                                        + surface
                                                        + " at the moment; try again later."));
        if (!connector.capabilities().has(feature)) {
            throw new PalyraException(
                    ErrorCode.TOOL_UNAVAILABLE, surface + " cannot " + what + ".");
        }
        return connector;
    }
}
