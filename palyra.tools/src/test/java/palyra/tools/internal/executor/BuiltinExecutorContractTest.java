package palyra.tools.internal.executor;

import java.util.Map;
import palyra.api.core.tools.ToolExecutor;
import palyra.api.tool.ToolResult;
import palyra.testing.tool.RecordingTool;
import palyra.testing.tool.ToolExecutorContract;

class BuiltinExecutorContractTest extends ToolExecutorContract {
    private final RecordingTool quick =
            RecordingTool.named("test.quick").returning("{\"ok\":true}");
    private final RecordingTool lasting = RecordingTool.named("test.lasting").holding();
    private final RecordingTool failing =
            RecordingTool.named("test.failing").doing(call -> ToolResult.failed("It cannot."));

    @Override
    protected ToolExecutor open() {
        BuiltinExecutor executor =
                new BuiltinExecutor(new ToolsSettings(64, 100, 2_000, 1_048_576));
        executor.addTool(quick, Map.of("service.id", 1L));
        executor.addTool(lasting, Map.of("service.id", 2L));
        executor.addTool(failing, Map.of("service.id", 3L));
        return executor;
    }

    @Override
    protected void withdraw(ToolExecutor executor) {
        ((BuiltinExecutor) executor).close();
    }

    @Override
    protected Call quick() {
        return new Call("test.quick", "{}");
    }

    @Override
    protected Call failing() {
        return new Call("test.failing", "{}");
    }

    @Override
    protected Call lasting() {
        return new Call("test.lasting", "{}");
    }

    @Override
    protected int lastingStarts() {
        return lasting.calls().size();
    }
}
