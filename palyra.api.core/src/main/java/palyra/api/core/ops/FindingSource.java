package palyra.api.core.ops;

import java.util.List;
import org.osgi.annotation.versioning.ConsumerType;

/** Supplies findings. Whoever registers it as a service appears in {@code palyra doctor}. */
@ConsumerType
public interface FindingSource {
    /**
     * Returns what is worth knowing now, worst first; empty when all is well. Called from any
     * thread, must not block.
     */
    List<Finding> findings();
}
