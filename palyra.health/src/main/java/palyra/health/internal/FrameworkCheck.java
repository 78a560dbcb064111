package palyra.health.internal;

import java.lang.management.ManagementFactory;
import org.apache.felix.hc.api.HealthCheck;
import org.apache.felix.hc.api.Result;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.Constants;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;

/** The framework runs and no threads hold each other up for good. */
@Component(
        immediate = true,
        property = {
            HealthCheck.NAME + "=" + FrameworkCheck.NAME,
            HealthCheck.TAGS + "=" + CheckRunner.LIVE
        })
public final class FrameworkCheck implements HealthCheck {
    static final String NAME = "framework";

    private final BundleContext context;

    /** Called by the component runtime. */
    @Activate
    public FrameworkCheck(BundleContext context) {
        this.context = context;
    }

    @Override
    public Result execute() {
        int state = context.getBundle(Constants.SYSTEM_BUNDLE_ID).getState();
        if (state != Bundle.ACTIVE && state != Bundle.STARTING) {
            return new Result(Result.Status.CRITICAL, "The framework is stopping.");
        }
        long[] stuck = ManagementFactory.getThreadMXBean().findDeadlockedThreads();
        return stuck == null
                ? new Result(Result.Status.OK, "The framework runs.")
                : new Result(
                        Result.Status.CRITICAL,
                        stuck.length
                                + " threads are deadlocked; take a thread dump (jcmd PID"
                                + " Thread.print) and restart.");
    }
}
