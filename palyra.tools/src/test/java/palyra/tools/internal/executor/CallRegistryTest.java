package palyra.tools.internal.executor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.tools.ToolExecutor;
import palyra.api.tool.ToolResult;
import palyra.testing.tool.RecordingTool;

class CallRegistryTest {
    private static final ToolsSettings SETTINGS = new ToolsSettings(8, 50, 300, 16_777_216);
    private static final ToolsSettings SMALL = new ToolsSettings(8, 50, 300, 1_048_576);

    private final RecordingTool tool = RecordingTool.named("test.a");
    private final ToolRegistry.Offer offer = new ToolRegistry.Offer(tool, tool.descriptor(), 0, 1);

    private Call admit(CallRegistry registry, String callId) {
        return admit(registry, callId, SETTINGS);
    }

    private Call admit(CallRegistry registry, String callId, ToolsSettings settings) {
        return registry.admit(
                        callId,
                        1,
                        settings,
                        () ->
                                new Call(
                                        offer,
                                        ExecutorFixture.order("test.a", callId, 1),
                                        outcome -> {}))
                .call();
    }

    private void runThrough(CallRegistry registry, String callId, String output) {
        runThrough(registry, callId, output, SETTINGS);
    }

    private void runThrough(
            CallRegistry registry, String callId, String output, ToolsSettings settings) {
        Call call = admit(registry, callId, settings);
        call.end(Outcomes.returned(call, ToolResult.of(output)));
        registry.ended(call);
        registry.released(call);
    }

    @Test
    void keepsAsManyOutcomesAsPromisedAndNoMore() {
        CallRegistry registry = new CallRegistry();
        for (int i = 0; i < ToolExecutor.MAX_KEPT; i++) {
            runThrough(registry, "call-" + i, "{}");
        }
        assertEquals(ToolExecutor.MAX_KEPT, registry.kept());
        PalyraException refused =
                assertThrows(PalyraException.class, () -> runThrough(registry, "one-more", "{}"));
        assertEquals(ErrorCode.RESOURCE_EXHAUSTED, refused.code());
        assertTrue(registry.find("call-0").isPresent(), "a young outcome was lost");
    }

    @Test
    void givesUpTheOldestOutcomesOnlyWhenItNeedsRoom() {
        CallRegistry registry = new CallRegistry(0);
        for (int i = 0; i <= ToolExecutor.MAX_KEPT; i++) {
            runThrough(registry, "call-" + i, "{}");
        }
        assertEquals(ToolExecutor.MAX_KEPT, registry.kept());
        assertFalse(registry.find("call-0").isPresent(), "the oldest outcome is still there");
        assertTrue(registry.find("call-1").isPresent(), "more was given up than needed");
    }

    @Test
    void boundsTheMemoryOfKeptOutcomes() {
        String large = "\"" + "x".repeat(250_000) + "\"";
        CallRegistry young = new CallRegistry(TimeUnit.MINUTES.toNanos(10));
        for (int i = 0; i < 3; i++) {
            runThrough(young, "call-" + i, large, SMALL);
        }
        assertThrows(PalyraException.class, () -> runThrough(young, "call-3", large, SMALL));
        CallRegistry old = new CallRegistry(0);
        for (int i = 0; i < 100; i++) {
            runThrough(old, "call-" + i, large, SMALL);
        }
        assertTrue(old.kept() <= 4, "kept " + old.kept());
    }

    @Test
    void aRunningCallIsNeverGivenUpForRoom() {
        CallRegistry registry = new CallRegistry(0);
        Call running = admit(registry, "running");
        for (int i = 0; i < ToolExecutor.MAX_KEPT + 10; i++) {
            runThrough(registry, "call-" + i, "{}");
        }
        assertEquals(running, registry.find("running").orElseThrow());
    }

    @Test
    void aRevokedCallLeavesNothingBehind() {
        CallRegistry registry = new CallRegistry();
        for (int i = 0; i < 20; i++) {
            registry.revoke(admit(registry, "call-" + i));
        }
        assertEquals(0, registry.occupied().size());
        assertFalse(registry.find("call-0").isPresent());
    }

    @Test
    void takesNothingOnceClosed() {
        CallRegistry registry = new CallRegistry();
        assertEquals(0, registry.close().size());
        PalyraException refused =
                assertThrows(PalyraException.class, () -> admit(registry, "call-1"));
        assertEquals(ErrorCode.TOOL_UNAVAILABLE, refused.code());
    }
}
