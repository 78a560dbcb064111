package palyra.skills.engine.wasmtime.internal;

import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import palyra.testing.sandbox.ChildJvm;
import palyra.testing.sandbox.Results;

/** The worker under the real Tier B, as an unprivileged user. */
class TierBWorkerTest {
    @TestFactory
    Stream<DynamicTest> worksUnderTierBOnly() throws Exception {
        return Results.atLeast(15, ChildJvm.run(TierBWorker.class), Map.of());
    }
}
