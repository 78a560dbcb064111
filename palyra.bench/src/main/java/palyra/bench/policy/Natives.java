package palyra.bench.policy;

import java.util.ServiceLoader;
import palyra.lib.cedar.Cedar;

/** The native engine of this process: it is loaded once and never goes. */
final class Natives {
    private static final Cedar CEDAR = ServiceLoader.load(Cedar.class).findFirst().orElseThrow();

    private Natives() {}

    /** Returns it; throws when there is no library, which java.library.path must name. */
    static Cedar cedar() {
        if (!CEDAR.status().available()) {
            throw new IllegalStateException(CEDAR.status().reason());
        }
        return CEDAR;
    }
}
