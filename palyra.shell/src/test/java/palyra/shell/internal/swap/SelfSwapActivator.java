package palyra.shell.internal.swap;

import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.CountDownLatch;
import java.util.function.Function;
import org.osgi.framework.BundleActivator;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceReference;
import org.osgi.service.component.runtime.ServiceComponentRuntime;
import palyra.shell.internal.fakes.ShellAccess;

/** A bundle that swaps itself when it is handed a jar. */
public class SelfSwapActivator implements BundleActivator {
    private Swapper swapper;

    @Override
    public void start(BundleContext context) {
        ServiceReference<ServiceComponentRuntime> runtime =
                context.getServiceReference(ServiceComponentRuntime.class);
        swapper =
                new Swapper(
                        ShellAccess.seams(ShellAccess.create()),
                        context.getService(runtime),
                        context);
        Function<InputStream, String> swap = jar -> swap(context, jar);
        context.registerService(Function.class, swap, null);
    }

    private String swap(BundleContext context, InputStream jar) {
        try {
            SwapPlan plan = swapper.plan(context.getBundle().getSymbolicName(), jar);
            if (!plan.ownBundle()) {
                throw new AssertionError("it does not know itself");
            }
            return swapper.begin(plan, ShellAccess.OPERATOR, 3_000, new CountDownLatch(0))
                    .operationId();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public void stop(BundleContext context) throws Exception {
        swapper.deactivate();
    }
}
