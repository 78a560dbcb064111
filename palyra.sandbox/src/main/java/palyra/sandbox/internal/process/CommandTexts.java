package palyra.sandbox.internal.process;

import java.util.Set;
import palyra.api.tool.Capability;
import palyra.api.tool.ToolDescriptor;
import palyra.sandbox.internal.run.LimitText;
import palyra.sandbox.internal.run.SandboxSettings;

/** What the descriptions of the tools for commands have in common, as it is configured. */
final class CommandTexts {
    private CommandTexts() {}

    /** Returns the description of a tool that starts commands. */
    static ToolDescriptor described(
            String name, String description, String schema, Set<Capability> capabilities) {
        return new ToolDescriptor(
                name,
                description,
                schema,
                capabilities,
                false,
                false,
                ProcessRunTool.TIMEOUT_MILLIS,
                ProcessRunTool.MAX_INPUT_BYTES);
    }

    /** Returns how long a call may take, and what is returned of its output. */
    static String limits(SandboxSettings now) {
        return " It may take "
                + LimitText.seconds(now.defaultWallMillis())
                + ", with timeout_ms up to "
                + LimitText.seconds(now.limits().wallMillis())
                + ". Of output above "
                + now.limits().outputBytes()
                + " bytes the beginning and the end are returned"
                + (now.output().callBytes() == 0
                        ? "."
                        : "; stdout_file and stderr_file name files with all of it, which"
                                + " commands can read. palyra.fs.read_file reads parts of them."
                                + " palyra.fs.search finds lines in them.");
    }

    /** Returns what a command reaches. */
    static String network(SandboxSettings now) {
        return now.allowedHosts().isEmpty()
                ? " There is no network but for hosts that you name in hosts."
                : " It reaches "
                        + LimitText.hosts(now.allowedHosts())
                        + "; name other hosts in hosts.";
    }
}
