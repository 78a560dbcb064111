package palyra.simulation.world;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import palyra.api.tool.Capability;
import palyra.api.tool.Tool;
import palyra.api.tool.ToolDescriptor;
import palyra.api.tool.ToolInvocation;
import palyra.api.tool.ToolResult;

/** The world outside, on which calls have effects. It outlives every process. */
final class Effects {
    /** May be started once only. */
    static final String ONCE = "sim.once";

    /** May be repeated. */
    static final String AGAIN = "sim.again";

    /** May be started once only, after a person agreed. */
    static final String ASKING = "sim.asking";

    private final Faults faults;
    private final Map<String, Integer> begun = new LinkedHashMap<>(); // call id → how often
    private final List<String> wrong = new ArrayList<>();

    Effects(Faults faults) {
        this.faults = faults;
    }

    Tool[] tools() {
        return new Tool[] {
            new Effect(describe(ONCE, false)),
            new Effect(describe(AGAIN, true)),
            new Effect(describe(ASKING, false))
        };
    }

    private static ToolDescriptor describe(String name, boolean repeatable) {
        return new ToolDescriptor(
                name,
                "Has an effect.",
                "{\"type\":\"object\"}",
                repeatable ? Set.of() : Set.of(Capability.FILESYSTEM_WRITE),
                repeatable,
                repeatable,
                30_000,
                4_096);
    }

    /** Returns how often the call was carried out. */
    int of(String callId) {
        return begun.getOrDefault(callId, 0);
    }

    /** Returns the calls that were carried out. */
    Set<String> calls() {
        return begun.keySet();
    }

    /** Returns what no history may show. */
    List<String> wrong() {
        return wrong;
    }

    private final class Effect implements Tool {
        private final ToolDescriptor descriptor;

        Effect(ToolDescriptor descriptor) {
            this.descriptor = descriptor;
        }

        @Override
        public ToolDescriptor descriptor() {
            return descriptor;
        }

        @Override
        public ToolResult execute(ToolInvocation invocation) throws Exception {
            int times = begun.merge(invocation.callId(), 1, Integer::sum);
            if (times > 1 && !descriptor.idempotent()) {
                wrong.add(descriptor.name() + " ran " + times + " times for " + invocation);
            }
            Thread.sleep(faults.below(10) == 0 ? 5_000 : faults.below(300));
            if (faults.happens(5)) {
                throw new IllegalStateException("the tool failed");
            }
            return ToolResult.of("{\"done\":true}");
        }
    }
}
