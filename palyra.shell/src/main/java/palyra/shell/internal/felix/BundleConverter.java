package palyra.shell.internal.felix;

import java.util.Arrays;
import org.apache.felix.service.command.Converter;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import palyra.shell.internal.commands.BundlesCommand;

/** Lets a command of Felix take a bundle by its id or symbolic name. */
@Component(service = Converter.class, property = "osgi.converter.classes=org.osgi.framework.Bundle")
public final class BundleConverter implements Converter {
    private final BundleContext context;

    @Activate
    public BundleConverter(BundleContext context) {
        this.context = context;
    }

    @Override
    public Object convert(Class<?> desired, Object from) {
        if (!desired.isAssignableFrom(Bundle.class) || from instanceof Bundle) {
            return null;
        }
        String text = String.valueOf(from);
        if (text.matches("[0-9]{1,18}")) {
            return context.getBundle(Long.parseLong(text));
        }
        return Arrays.stream(context.getBundles())
                .filter(bundle -> text.equals(bundle.getSymbolicName()))
                .findFirst()
                .orElse(null);
    }

    @Override
    public CharSequence format(Object target, int level, Converter escape) {
        if (!(target instanceof Bundle bundle)) {
            return null;
        }
        String line =
                bundle.getBundleId()
                        + " "
                        + BundlesCommand.state(bundle)
                        + " "
                        + BundlesCommand.name(bundle);
        return level == LINE || level == PART ? line : line + " " + bundle.getVersion();
    }
}
