package palyra.sandbox.internal.process;

import java.util.List;
import palyra.api.tool.Tool;

/** The tools {@code palyra.process.…}. */
public final class ProcessTools {
    private ProcessTools() {}

    /** Returns all of them. */
    public static List<Tool> all(ProcessToolService service) {
        return List.of(
                new ProcessRunTool(service),
                new ProcessStartTool(service),
                new ProcessStatusTool(service.backgrounds()),
                new ProcessStopTool(service.backgrounds()));
    }
}
