package palyra.deploy.internal.parts;

import java.util.Arrays;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleActivator;
import org.osgi.framework.BundleContext;

/** An activator whose start ends when another bundle is being started, or when it is that one. */
public class Follower implements BundleActivator {
    private static final String LEADER = "acme.one";

    @Override
    public void start(BundleContext context) throws InterruptedException {
        while (Arrays.stream(context.getBundles()).noneMatch(Follower::isStarting)) {
            Thread.sleep(5);
        }
    }

    private static boolean isStarting(Bundle bundle) {
        return LEADER.equals(bundle.getSymbolicName()) && bundle.getState() == Bundle.STARTING;
    }

    @Override
    public void stop(BundleContext context) {}
}
