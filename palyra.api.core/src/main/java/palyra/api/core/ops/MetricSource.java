package palyra.api.core.ops;

import java.util.List;
import org.osgi.annotation.versioning.ConsumerType;

/** Supplies metrics. Metrics of every registered service appear under {@code /metrics}. */
@ConsumerType
public interface MetricSource {
    /** Returns the current values. Called from any thread, must not block. */
    List<Metric> metrics();
}
