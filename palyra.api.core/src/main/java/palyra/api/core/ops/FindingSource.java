package palyra.api.core.ops;

import java.util.List;
import org.osgi.annotation.versioning.ConsumerType;

/** Supplies findings. Findings of every registered service appear in {@code palyra doctor}. */
@ConsumerType
public interface FindingSource {
    /**
     * Returns the current findings, worst first; empty when all is well. Called from any thread,
     * must not block.
     */
    List<Finding> findings();
}
