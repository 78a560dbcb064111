package palyra.sandbox.internal.process;

import java.util.List;
import palyra.api.tool.Tool;

/** The tools {@code palyra.process.…}. */
public final class ProcessTools {
    private ProcessTools() {}

    /** Returns all of them. */
    public static List<Tool> all(ProcessToolService desk) {
        return List.of(
                new ProcessRunTool(desk),
                new ProcessStartTool(desk),
                new ProcessStatusTool(desk.backgrounds()),
                new ProcessStopTool(desk.backgrounds()));
    }
}
