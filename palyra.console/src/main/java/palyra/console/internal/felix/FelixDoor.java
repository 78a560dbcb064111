package palyra.console.internal.felix;

import java.util.Map;
import org.apache.felix.webconsole.spi.SecurityProvider;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.BundleEvent;
import org.osgi.framework.BundleListener;
import org.osgi.framework.FrameworkUtil;
import org.osgi.framework.ServiceRegistration;
import palyra.console.internal.Seams;
import palyra.console.internal.session.Origins;
import palyra.console.internal.session.Sessions;

/**
 * Offers the guard when Felix's Web Console is there, which does not answer without it. The guard's
 * class needs a package of that bundle, so it is not touched before. Thread-safe.
 */
public final class FelixDoor implements BundleListener {
    private static final String WEB_CONSOLE = "org.apache.felix.webconsole";
    private static final String ID = "palyra.console"; // the launcher names it

    private final BundleContext context;
    private final Seams seams;
    private final Sessions sessions;
    private final Origins origins;
    private ServiceRegistration<?> registration; // guarded by this
    private boolean closed; // guarded by this

    /** Creates the door; nothing is offered before {@link #open}. */
    public FelixDoor(BundleContext context, Seams seams, Sessions sessions, Origins origins) {
        this.context = context;
        this.seams = seams;
        this.sessions = sessions;
        this.origins = origins;
    }

    /** Offers the guard now or as soon as the Web Console comes. */
    public void open() {
        context.addBundleListener(this);
        for (Bundle bundle : context.getBundles()) {
            consider(bundle);
        }
    }

    /** Takes the guard back, with which the Web Console ends to answer. */
    public void close() {
        context.removeBundleListener(this);
        ServiceRegistration<?> offered;
        synchronized (this) {
            closed = true;
            offered = registration;
            registration = null;
        }
        if (offered != null) {
            offered.unregister();
        }
    }

    @Override
    public void bundleChanged(BundleEvent event) {
        if (event.getType() == BundleEvent.RESOLVED || event.getType() == BundleEvent.STARTED) {
            consider(event.getBundle());
        }
    }

    private void consider(Bundle bundle) {
        boolean resolved =
                (bundle.getState() & (Bundle.RESOLVED | Bundle.STARTING | Bundle.ACTIVE)) != 0;
        if (!WEB_CONSOLE.equals(bundle.getSymbolicName()) || !resolved) {
            return;
        }
        synchronized (this) {
            if (closed || registration != null) {
                return;
            }
            registration =
                    context.registerService(
                            SecurityProvider.class,
                            new FelixGuard(seams, sessions, origins),
                            FrameworkUtil.asDictionary(Map.of(SecurityProvider.PROPERTY_ID, ID)));
        }
    }
}
