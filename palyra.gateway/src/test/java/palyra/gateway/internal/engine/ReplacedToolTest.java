package palyra.gateway.internal.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.access.CallFacts;
import palyra.api.core.access.ToolPolicyRequest;
import palyra.api.core.tools.ConfinedResult;
import palyra.api.core.tools.ConfinedTool;
import palyra.api.core.tools.ToolExamination;
import palyra.api.core.tools.ToolOrder;
import palyra.api.core.tools.ToolProposed;
import palyra.api.tool.Capability;
import palyra.api.tool.ToolDescriptor;
import palyra.testing.access.FakeAccess;
import palyra.testing.model.ScriptedModelProvider;
import palyra.testing.tool.RecordingConfinedTool;

/** A tool that is replaced, or away, at the moment at which its call is decided. */
class ReplacedToolTest {
    private static final String TOOL = "test.replaced";
    private static final CallFacts FACTS =
            new CallFacts(
                    "",
                    "a".repeat(64),
                    "",
                    "new@2",
                    Set.of(),
                    0,
                    Set.of("example.org"),
                    Set.of(),
                    Set.of(),
                    Set.of(),
                    Set.of(),
                    Set.of());

    @TempDir Path state;
    private final ScriptedModelProvider model = new ScriptedModelProvider();
    private final FakeAccess access = FakeAccess.forTools();
    private final AtomicInteger looks = new AtomicInteger();
    private LightGateway.Surroundings around;
    private LightGateway gateway;

    /** A tool that does something before it says what a call would do. */
    private record Hooked(RecordingConfinedTool tool, Set<Capability> capabilities, Runnable hook)
            implements ConfinedTool {
        @Override
        public ToolDescriptor descriptor() {
            ToolDescriptor usual = tool.descriptor();
            return new ToolDescriptor(
                    usual.name(),
                    usual.description(),
                    usual.inputSchemaJson(),
                    capabilities,
                    false,
                    false,
                    usual.timeoutMillis(),
                    usual.maxInputBytes());
        }

        @Override
        public ToolExamination examine(ToolProposed proposed) {
            hook.run();
            return tool.examine(proposed);
        }

        @Override
        public ConfinedResult run(ToolOrder order) {
            return tool.run(order);
        }
    }

    private void open(ConfinedTool tool) {
        around = new LightGateway.Surroundings(state, "boot", tool);
        gateway =
                new LightGateway(around, model, "boot/1", UnaryOperator.identity(), access)
                        .awaitReady();
        gateway.offering(TOOL);
        model.propose(TOOL, "{}").answer("done");
    }

    @AfterEach
    void close() {
        gateway.close();
        model.close();
        around.close();
    }

    private ToolPolicyRequest lastAsked() {
        List<ToolPolicyRequest> asked = access.toolRequests();
        return asked.get(asked.size() - 1);
    }

    /** Otherwise a version that reaches the network is decided as the one that only computed. */
    @Test
    void aVersionThatMayDoMoreIsNotDecidedAsTheOneBefore() {
        RecordingConfinedTool before = new RecordingConfinedTool(TOOL);
        RecordingConfinedTool after =
                new RecordingConfinedTool(TOOL).finding(ToolExamination.facts(FACTS));
        Hooked later = new Hooked(after, Set.of(Capability.NETWORK), () -> {});
        open(
                new Hooked(
                        before,
                        Set.of(),
                        () -> {
                            if (looks.getAndIncrement() == 0) {
                                around.add(later, Map.of("service.ranking", 9, "service.id", 9L));
                            }
                        }));
        gateway.ended(gateway.submit("go").runId());
        assertEquals(Set.of(Capability.NETWORK), lastAsked().descriptor().capabilities());
        assertEquals(FACTS, lastAsked().situation().facts());
        assertTrue(before.orders().isEmpty());
        assertEquals(1, after.orders().size());
    }

    @Test
    void aToolThatIsAwayForAMomentIsWaitedForBeforeItsCallIsDecided() {
        RecordingConfinedTool tool =
                new RecordingConfinedTool(TOOL).finding(ToolExamination.facts(FACTS));
        open(
                new Hooked(
                        tool,
                        Set.of(),
                        () -> {
                            if (looks.getAndIncrement() < 3) {
                                throw new PalyraException(
                                        ErrorCode.TOOL_UNAVAILABLE, "It is being replaced.");
                            }
                        }));
        gateway.ended(gateway.submit("go").runId());
        assertEquals(1, access.toolRequests().size());
        assertEquals(FACTS, lastAsked().situation().facts());
        assertEquals(1, tool.orders().size());
    }
}
