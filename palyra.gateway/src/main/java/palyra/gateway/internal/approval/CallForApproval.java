package palyra.gateway.internal.approval;

import java.util.Optional;
import java.util.Set;
import palyra.api.Require;
import palyra.api.core.access.CallFacts;
import palyra.api.core.access.Confinement;
import palyra.api.core.access.WorkspaceState;
import palyra.api.core.tools.CallDescription;
import palyra.api.tool.Capability;
import palyra.api.tool.ToolDescriptor;
import palyra.shared.approval.Binding;
import palyra.shared.tool.FactsDigest;

/**
 * A call as approval requests show it and as grants are matched with it.
 *
 * @param capabilities what its tool can reach
 * @param readOnly whether its tool changes nothing
 * @param confinement where policy wants it to run
 * @param bindingSha256 see {@link Binding}; independent of the workspace's content, which {@code
 *     facts} say when it was asked for
 */
public record CallForApproval(
        String tool,
        String inputJson,
        Set<Capability> capabilities,
        boolean readOnly,
        CallFacts facts,
        CallDescription description,
        Confinement confinement,
        String bindingSha256) {
    /** Checks and copies. */
    public CallForApproval {
        Require.text(tool, "tool");
        Require.text(inputJson, "input");
        capabilities = Set.copyOf(capabilities);
        Require.present(facts, "facts");
        Require.present(description, "description");
        Require.present(confinement, "confinement");
        Require.text(bindingSha256, "binding");
    }

    /**
     * Returns a call.
     *
     * @param descriptor its tool; null when no executor offers it, which counts as changing
     *     something
     */
    public static CallForApproval of(
            String tool,
            String inputJson,
            ToolDescriptor descriptor,
            CallFacts facts,
            CallDescription description,
            Confinement confinement) {
        return new CallForApproval(
                tool,
                inputJson,
                descriptor == null ? Set.of() : descriptor.capabilities(),
                descriptor != null && descriptor.readOnly(),
                facts,
                description,
                confinement,
                Binding.sha256(
                        tool,
                        inputJson,
                        FactsDigest.of(facts.in(WorkspaceState.NONE)),
                        confinement.tier().name(),
                        confinement.egress().name()));
    }

    /**
     * Returns the same call of which part is hidden from people: it has nothing in common with
     * others and is allowed for itself alone.
     *
     * @param what the hidden parts, in a sentence
     */
    public CallForApproval hiding(String what) {
        String before = description.onceOnly();
        return new CallForApproval(
                tool,
                inputJson,
                capabilities,
                readOnly,
                facts,
                new CallDescription(
                        description.summary(),
                        description.argv(),
                        before.isEmpty() ? what : ApprovalText.sentence(before) + " " + what,
                        Optional.empty(),
                        description.workspaceNotes()),
                confinement,
                bindingSha256);
    }

    /** Returns whether it starts a program. */
    boolean startsProgram() {
        return !facts.executable().isEmpty() || capabilities.contains(Capability.PROCESS_EXEC);
    }

    /** Returns whether it may be allowed for itself alone. */
    boolean onceOnly() {
        return !description.onceOnly().isEmpty();
    }
}
