package palyra.api.core.ops;

import java.util.List;
import org.osgi.annotation.versioning.ConsumerType;

/**
 * Supplies the long-lived loops of a part of Palyra. Loops of every registered service appear in
 * {@code palyra status}, {@code palyra doctor}, {@code /readyz} and {@code /metrics}.
 */
@ConsumerType
public interface LoopSource {
    /** Returns every loop and how it is now. Called from any thread, must not block. */
    List<LoopView> loops();
}
