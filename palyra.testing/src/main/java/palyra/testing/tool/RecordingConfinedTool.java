package palyra.testing.tool;

import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import palyra.api.core.access.CallFacts;
import palyra.api.core.tools.ConfinedResult;
import palyra.api.core.tools.ConfinedTool;
import palyra.api.core.tools.ToolExamination;
import palyra.api.core.tools.ToolOrder;
import palyra.api.core.tools.ToolProposed;
import palyra.api.tape.TapeEvent.Outcome;
import palyra.api.tool.Capability;
import palyra.api.tool.ToolDescriptor;
import palyra.api.tool.ToolResult;

/** A confined tool that does nothing and remembers what it was asked and told. Thread-safe. */
public final class RecordingConfinedTool implements ConfinedTool {
    private final String name;
    private final List<ToolProposed> proposed = new CopyOnWriteArrayList<>();
    private final List<ToolOrder> orders = new CopyOnWriteArrayList<>();
    private volatile ToolExamination found = ToolExamination.facts(CallFacts.none());
    private volatile ConfinedResult result =
            new ConfinedResult(
                    Outcome.SUCCEEDED,
                    ToolResult.of("{\"ran\":true}"),
                    "sandbox_test",
                    "strict tier=test",
                    "e".repeat(64));

    /** Creates a tool of a name. */
    public RecordingConfinedTool(String name) {
        this.name = name;
    }

    /** Makes every examination from now on find this. */
    public RecordingConfinedTool finding(ToolExamination examination) {
        found = examination;
        return this;
    }

    /** Makes every run from now on end like this. */
    public RecordingConfinedTool endingWith(ConfinedResult ending) {
        result = ending;
        return this;
    }

    /** Returns what was examined, in order. */
    public List<ToolProposed> proposed() {
        return List.copyOf(proposed);
    }

    /** Returns what was run, in order. */
    public List<ToolOrder> orders() {
        return List.copyOf(orders);
    }

    @Override
    public ToolDescriptor descriptor() {
        return new ToolDescriptor(
                name,
                "Does nothing, confined.",
                "{\"type\":\"object\"}",
                Set.of(Capability.PROCESS_EXEC),
                false,
                false,
                60_000,
                65_536);
    }

    @Override
    public ToolExamination examine(ToolProposed call) {
        proposed.add(call);
        return found;
    }

    @Override
    public ConfinedResult run(ToolOrder order) {
        orders.add(order);
        return result;
    }
}
