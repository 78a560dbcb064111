package palyra.shell.internal.swap;

import java.util.List;
import org.osgi.framework.Bundle;

/**
 * A swap that was checked and can begin.
 *
 * @param ownBundle whether the shell itself goes away in the middle of it
 * @param refresh whether bundles that use its packages restart too
 * @param restarts components that restart, for people
 */
record SwapPlan(
        Bundle target,
        SwapRecord record,
        boolean ownBundle,
        boolean refresh,
        List<String> restarts) {}
