package palyra.deploy.internal.parts;

import java.util.concurrent.CountDownLatch;
import org.osgi.framework.BundleActivator;
import org.osgi.framework.BundleContext;

/** An activator that never ends by itself. */
public class Sleeper implements BundleActivator {
    @Override
    public void start(BundleContext context) throws InterruptedException {
        new CountDownLatch(1).await();
    }

    @Override
    public void stop(BundleContext context) {}
}
