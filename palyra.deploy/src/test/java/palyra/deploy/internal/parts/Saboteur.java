package palyra.deploy.internal.parts;

import org.osgi.framework.Bundle;
import org.osgi.framework.BundleActivator;
import org.osgi.framework.BundleContext;
import org.osgi.framework.BundleException;

/** An activator that stops another bundle, and puts it back when it is stopped itself. */
public class Saboteur implements BundleActivator {
    private static final String VICTIM = "test.victim";

    @Override
    public void start(BundleContext context) throws BundleException {
        victim(context).stop();
    }

    @Override
    public void stop(BundleContext context) throws BundleException {
        victim(context).start();
    }

    private static Bundle victim(BundleContext context) {
        for (Bundle bundle : context.getBundles()) {
            if (VICTIM.equals(bundle.getSymbolicName())) {
                return bundle;
            }
        }
        throw new IllegalStateException("there is no " + VICTIM);
    }
}
