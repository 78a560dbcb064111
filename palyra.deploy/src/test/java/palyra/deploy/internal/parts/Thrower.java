package palyra.deploy.internal.parts;

import org.osgi.framework.BundleActivator;
import org.osgi.framework.BundleContext;

/** An activator that fails. */
public class Thrower implements BundleActivator {
    @Override
    public void start(BundleContext context) {
        throw new IllegalStateException("no start today");
    }

    @Override
    public void stop(BundleContext context) {}
}
