package palyra.examples.append.internal;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Set;
import org.osgi.framework.BundleContext;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.metatype.annotations.Designate;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.tool.Capability;
import palyra.api.tool.Tool;
import palyra.api.tool.ToolDescriptor;
import palyra.api.tool.ToolInvocation;
import palyra.api.tool.ToolResult;

/**
 * Appends one line to a file, so that effects can be counted: as many lines as calls took effect.
 *
 * <p>Registered as a service by the {@code @Component} annotation alone; the gateway offers it from
 * then on and stops its calls before the bundle goes.
 */
@Component(service = Tool.class, configurationPid = AppendConfiguration.PID)
@Designate(ocd = AppendConfiguration.class)
public final class AppendTool implements Tool {
    private static final String STATE_PROPERTY = "palyra.state";
    private static final ToolDescriptor DESCRIPTOR =
            new ToolDescriptor(
                    "palyra.test.append",
                    "Appends one line of text to a file in a folder of its own.",
                    """
                    {"type":"object","additionalProperties":false,"required":["file","line"],\
                    "properties":{\
                    "file":{"type":"string","pattern":"^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$",\
                    "description":"Name of the file."},\
                    "line":{"type":"string","maxLength":4096,"description":"The line."},\
                    "millis":{"type":"integer","minimum":0,"maximum":30000,\
                    "description":"Wait so long before appending."},\
                    "afterMillis":{"type":"integer","minimum":0,"maximum":30000,\
                    "description":"Wait so long after appending."}}}""",
                    Set.of(Capability.FILESYSTEM_WRITE),
                    false, // twice is two lines: never start it again after a crash
                    false,
                    2L * AppendRequest.MAX_MILLIS + 5_000,
                    16_384);

    private final AppendFolder folder;

    /** Starts with the place of the files; the folder is made when the first line comes. */
    @Activate
    public AppendTool(BundleContext bundle, AppendConfiguration configuration) {
        this(
                new AppendFolder(
                        place(configuration.folder(), bundle.getProperty(STATE_PROPERTY)),
                        configuration.maxFileBytes()));
    }

    AppendTool(AppendFolder folder) {
        this.folder = folder;
    }

    static Path place(String configured, String state) {
        if (!configured.isBlank()) {
            return Path.of(configured);
        }
        if (state == null || state.isBlank()) {
            throw new PalyraException(
                    ErrorCode.INVALID_ARGUMENT,
                    "palyra.examples.append: neither folder nor the framework property "
                            + STATE_PROPERTY
                            + " is set; set folder to an absolute path");
        }
        return Path.of(state, "append");
    }

    @Override
    public ToolDescriptor descriptor() {
        return DESCRIPTOR;
    }

    @Override
    public ToolResult execute(ToolInvocation invocation) throws InterruptedException {
        AppendRequest request = AppendRequest.read(invocation.inputJson());
        Thread.sleep(request.millis());
        long bytes = append(request);
        lingerUnlessInterrupted(request.afterMillis());
        return ToolResult.of("{\"file\":\"" + request.file() + "\",\"sizeBytes\":" + bytes + "}");
    }

    private long append(AppendRequest request) throws InterruptedException {
        byte[] line = (request.line() + "\n").getBytes(StandardCharsets.UTF_8);
        try {
            return folder.append(request.file(), line);
        } catch (IOException e) {
            throw new PalyraException(
                    ErrorCode.READ_ONLY,
                    "The line could not be appended to "
                            + request.file()
                            + " for certain ("
                            + e.getClass().getSimpleName()
                            + "); look at the file before trying again.",
                    e);
        }
    }

    /**
     * The line is on the disk: an interrupt from now on reports success, because the effect
     * happened.
     */
    private static void lingerUnlessInterrupted(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
