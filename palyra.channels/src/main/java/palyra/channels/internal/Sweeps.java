package palyra.channels.internal;

import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.PalyraException;

/** What is looked at again and again, each by itself: a failure of one leaves the others alone. */
record Sweeps(List<Sweep> all) {
    private static final Logger LOG = LoggerFactory.getLogger(Sweeps.class);

    /**
     * One of them.
     *
     * @param of what it looks at, for the log
     */
    record Sweep(String of, Runnable work) {}

    Sweeps {
        all = List.copyOf(all);
    }

    /** Does all; what one could not do is done by its next turn. A defect is thrown at the end. */
    void run() {
        RuntimeException defect = null;
        for (Sweep one : all) {
            try {
                one.work().run();
            } catch (PalyraException e) {
                LOG.info("{} are looked at later: {}", one.of(), e.getMessage());
            } catch (RuntimeException e) {
                defect = e;
            }
        }
        if (defect != null) {
            throw defect;
        }
    }
}
