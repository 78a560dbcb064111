package palyra.tools.internal.executor;

import java.util.Map;
import palyra.api.tool.Tool;

/** Makes the real executor of tools without the framework. */
public final class SimulatedTools {
    private SimulatedTools() {}

    /** Returns an executor that offers these tools. */
    public static BuiltinExecutor with(Tool... tools) {
        BuiltinExecutor executor =
                new BuiltinExecutor(new ToolsSettings(64, 1_000, 1_000, 8 << 20));
        for (int i = 0; i < tools.length; i++) {
            executor.addTool(tools[i], Map.of("service.id", (long) i));
        }
        return executor;
    }

    /** Ends its calls, as when its bundle stops. */
    public static void close(BuiltinExecutor executor) {
        executor.close();
    }
}
