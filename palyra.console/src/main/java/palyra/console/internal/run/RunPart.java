package palyra.console.internal.run;

import java.util.List;
import java.util.Map;
import palyra.api.approval.ApprovalView;
import palyra.api.console.Level;
import palyra.api.run.RunView;
import palyra.console.internal.run.card.Item;

/**
 * One run as readers see it.
 *
 * @param run its state
 * @param items its story
 * @param truncated whether it is longer than what is shown here
 * @param finishedTurn last turn whose whole text is in the story; live text of later ones follows
 * @param lastSeq last record that was read
 * @param approvals approval requests that wait and that the reader may see, by id
 * @param mayCancel whether the reader may cancel it now
 * @param place where it is shown, for coming back after a change: {@code run} or {@code session}
 * @param notice why the last change was refused; empty for none
 */
public record RunPart(
        RunView run,
        List<Item> items,
        boolean truncated,
        int finishedTurn,
        long lastSeq,
        Map<String, ApprovalView> approvals,
        boolean mayCancel,
        String place,
        String notice) {
    /** Returns whether the run goes on. */
    public boolean live() {
        return !run.state().terminal();
    }

    /** Returns its address. */
    public String address() {
        return "/console/runs/" + run.runId();
    }

    /** Returns the address of its tape. */
    public String tape() {
        return address() + "/tape";
    }

    /** Returns the address of a record on its tape's page. */
    public String record(long seq) {
        return TapePages.address(run.runId(), seq);
    }

    /** Returns the approval request of a card; null when the reader may not see it. */
    public ApprovalView approval(String approvalId) {
        return approvals.get(approvalId);
    }

    /** Returns its state in words. */
    public String state() {
        return RunWords.state(run.state());
    }

    /** Returns how its state is shown. */
    public Level level() {
        return RunWords.level(run.state());
    }

    /** Returns the same with a notice. */
    RunPart with(String said) {
        return new RunPart(
                run, items, truncated, finishedTurn, lastSeq, approvals, mayCancel, place, said);
    }
}
