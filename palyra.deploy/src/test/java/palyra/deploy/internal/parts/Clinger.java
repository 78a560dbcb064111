package palyra.deploy.internal.parts;

import java.util.concurrent.CountDownLatch;
import org.osgi.framework.BundleActivator;
import org.osgi.framework.BundleContext;

/** An activator whose stop never ends by itself. */
public class Clinger implements BundleActivator {
    @Override
    public void start(BundleContext context) {}

    @Override
    public void stop(BundleContext context) throws InterruptedException {
        new CountDownLatch(1).await();
    }
}
