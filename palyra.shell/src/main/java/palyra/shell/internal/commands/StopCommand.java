package palyra.shell.internal.commands;

import java.util.List;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.BundleException;
import org.osgi.framework.Constants;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.command.Command;
import palyra.api.command.CommandContext;
import palyra.api.command.ExitCodes;
import palyra.shell.internal.host.Stoppable;

/** {@code stop}: ends the gateway's process; what runs goes on after the next start. */
@Component(service = Command.class)
public final class StopCommand extends ShellCommand {
    private static final Logger LOG = LoggerFactory.getLogger(StopCommand.class);

    private final BundleContext bundles;

    @Activate
    public StopCommand(BundleContext bundles) {
        super(
                recorded(
                        "stop",
                        "Stops the gateway; runs go on after the next start.",
                        "",
                        "system.stop",
                        List.of(),
                        List.of()));
        this.bundles = bundles;
    }

    @Override
    public int run(CommandContext context) {
        context.output().line("The gateway is stopping.");
        Bundle framework = bundles.getBundle(Constants.SYSTEM_BUNDLE_LOCATION);
        // On a thread of its own and after the answer: stopping stops this bundle too.
        Runnable stop =
                () -> {
                    Thread stopper = new Thread(() -> stop(framework), "palyra-stop");
                    stopper.setDaemon(true);
                    stopper.start();
                };
        if (context instanceof Stoppable stoppable) {
            stoppable.afterwards(stop);
        } else {
            stop.run();
        }
        return ExitCodes.OK;
    }

    private static void stop(Bundle framework) {
        try {
            framework.stop();
        } catch (BundleException e) {
            LOG.error("The framework could not be stopped", e);
        }
    }
}
