package palyra.shell.internal.commands;

import java.util.ArrayList;
import java.util.List;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.Constants;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import palyra.api.command.Command;
import palyra.api.command.CommandContext;
import palyra.api.command.ExitCodes;
import palyra.api.command.OptionSpec;

/** {@code bundles}: what the gateway is made of. */
@Component(service = Command.class)
public final class BundlesCommand extends ShellCommand {
    private final BundleContext bundles;

    @Activate
    public BundlesCommand(BundleContext bundles) {
        super(
                spec(
                        "bundles",
                        "Lists the bundles and their states.",
                        "",
                        "bundle.list",
                        List.of(OptionSpec.flag("own", "Only Palyra's own")),
                        List.of()));
        this.bundles = bundles;
    }

    @Override
    public int run(CommandContext context) {
        boolean own = context.arguments().flag("own");
        List<List<?>> rows = new ArrayList<>();
        for (Bundle bundle : bundles.getBundles()) {
            if (!own || name(bundle).startsWith("palyra.")) {
                rows.add(
                        List.of(
                                bundle.getBundleId(),
                                state(bundle),
                                bundle.getVersion().toString(),
                                Words.time(bundle.getLastModified()),
                                name(bundle)));
            }
        }
        context.output().table(List.of("Id", "State", "Version", "Installed", "Bundle"), rows);
        return ExitCodes.OK;
    }

    /** Returns the symbolic name, or the location of a bundle without one. */
    public static String name(Bundle bundle) {
        return bundle.getSymbolicName() == null ? bundle.getLocation() : bundle.getSymbolicName();
    }

    /** Returns the state in a word. */
    public static String state(Bundle bundle) {
        return switch (bundle.getState()) {
            case Bundle.ACTIVE -> "active";
            case Bundle.STARTING -> "starting";
            case Bundle.STOPPING -> "stopping";
            case Bundle.RESOLVED ->
                    bundle.getHeaders().get(Constants.FRAGMENT_HOST) == null
                            ? "resolved"
                            : "fragment";
            case Bundle.INSTALLED -> "installed";
            default -> "uninstalled";
        };
    }
}
