package palyra.sandbox.internal.process;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.access.WorkspaceState;
import palyra.api.core.tools.CallDescription;
import palyra.api.core.tools.ToolExamination;
import palyra.sandbox.internal.guard.ResolvedCommand;
import palyra.sandbox.internal.run.Runner;
import palyra.sandbox.internal.workspace.WorkspaceStates;
import palyra.shared.tool.FactsDigest;

/**
 * Binds a person's answer to what the workspace holds: the files as they are, and what runs there
 * and may change them. It holds for every program without knowing which files it reads.
 * Thread-safe.
 */
public final class WorkspaceBinding {
    private static final int MOST_SHOWN_CHARS = 200;
    private static final String UNUSABLE = "sandbox.workspace";

    private final WorkspaceStates states;
    private final Runner runner;

    /**
     * Creates it.
     *
     * @param runner knows what runs
     */
    public WorkspaceBinding(WorkspaceStates states, Runner runner) {
        this.states = states;
        this.runner = runner;
    }

    /**
     * Returns what a call would do, in the workspace as it is now.
     *
     * @param since digest of the state that people were asked about before; empty for none
     */
    ToolExamination bound(ResolvedCommand command, CallDescription said, String since) {
        Map<String, List<String>> running = running(command);
        try {
            WorkspaceStates.Seen seen = states.see(command.workspace(), since);
            List<String> notes = new ArrayList<>(seen.changes());
            running.forEach((id, words) -> notes.add("running: " + id + " " + shown(words)));
            return ToolExamination.facts(
                    command.facts()
                            .in(
                                    new WorkspaceState(
                                            seen.sha256(), seen.entries(), running.keySet())),
                    said.with(notes));
        } catch (PalyraException e) {
            return ToolExamination.refused(UNUSABLE, e.getMessage());
        }
    }

    /**
     * Makes sure that a command is what was decided on, in the same workspace when the decision
     * rests on an answer that is bound to it.
     *
     * @throws PalyraException DENIED when it is not; nothing was started
     */
    void requireUnchanged(String decidedSha256, ResolvedCommand command) {
        if (decidedSha256.isEmpty() || decidedSha256.equals(FactsDigest.of(command.facts()))) {
            return;
        }
        WorkspaceState now =
                new WorkspaceState(
                        states.digest(command.workspace()), 0, running(command).keySet());
        if (!decidedSha256.equals(FactsDigest.of(command.facts().in(now)))) {
            throw new PalyraException(
                    ErrorCode.DENIED,
                    "The command has changed since it was decided (its program, folder, paths,"
                            + " the files of the workspace or its processes), so it was not"
                            + " started; propose it again.");
        }
    }

    private Map<String, List<String>> running(ResolvedCommand command) {
        return new TreeMap<>(runner.runningIn(command.workspace().toString()));
    }

    private static String shown(List<String> words) {
        String all = String.join(" ", words);
        return all.length() <= MOST_SHOWN_CHARS ? all : all.substring(0, MOST_SHOWN_CHARS) + "…";
    }
}
