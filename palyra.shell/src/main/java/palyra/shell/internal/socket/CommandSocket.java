package palyra.shell.internal.socket;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Dictionary;
import java.util.Map;
import org.osgi.framework.BundleContext;
import org.osgi.framework.FrameworkUtil;
import org.osgi.framework.ServiceRegistration;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Modified;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.metatype.annotations.Designate;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.ops.Endpoint;
import palyra.api.core.ops.LoopSource;
import palyra.api.core.ops.Ops;
import palyra.shell.internal.host.CommandHost;
import palyra.shell.internal.host.Seams;

/** The command socket as a component: {@code run/command.sock} in the state folder. */
@Component(
        service = {},
        immediate = true,
        configurationPid = "palyra.shell")
@Designate(ocd = ShellSettings.class)
public final class CommandSocket {
    private final CommandServer server;
    private final ServiceRegistration<Endpoint> endpoint;
    private final ServiceRegistration<LoopSource> loops;

    @Activate
    public CommandSocket(
            @Reference CommandHost host,
            @Reference Seams seams,
            BundleContext context,
            ShellSettings settings)
            throws IOException {
        Limits limits = Limits.of(settings);
        Path path = path(context);
        server = CommandServer.open(path, host, seams.access(), limits);
        Dictionary<String, Object> properties =
                FrameworkUtil.asDictionary(
                        Map.of(Ops.ENDPOINT_NAME, "commands", Ops.ENDPOINT_URI, "unix:" + path));
        endpoint = context.registerService(Endpoint.class, new Endpoint() {}, properties);
        loops = context.registerService(LoopSource.class, server::loops, null);
    }

    private static Path path(BundleContext context) {
        String state = context.getProperty(Ops.STATE_FOLDER);
        if (state == null || state.isBlank()) {
            throw new PalyraException(
                    ErrorCode.INVALID_ARGUMENT,
                    "The framework property "
                            + Ops.STATE_FOLDER
                            + " is not set; start the gateway with palyra up.");
        }
        return Path.of(state).toAbsolutePath().normalize().resolve("run").resolve("command.sock");
    }

    @Modified
    void modified(ShellSettings settings) {
        server.limits(Limits.of(settings));
    }

    @Deactivate
    void deactivate() {
        endpoint.unregister();
        loops.unregister();
        server.close();
    }
}
