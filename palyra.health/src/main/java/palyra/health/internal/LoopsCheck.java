package palyra.health.internal;

import java.util.List;
import java.util.stream.Collectors;
import org.apache.felix.hc.api.HealthCheck;
import org.apache.felix.hc.api.Result;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import palyra.api.core.ops.LoopView;

/** Readiness check: no essential loop fails or is stalled. */
@Component(
        immediate = true,
        property = {
            HealthCheck.NAME + "=" + LoopsCheck.NAME,
            HealthCheck.TAGS + "=" + CheckRunner.READY
        })
public final class LoopsCheck implements HealthCheck {
    static final String NAME = "loops";

    private final LoopCollector collector;

    /** Called by the component runtime. */
    @Activate
    public LoopsCheck(@Reference LoopCollector collector) {
        this.collector = collector;
    }

    @Override
    public Result execute() {
        List<LoopView> failing =
                collector.loops().stream()
                        .filter(loop -> loop.essential() && loop.isFailing())
                        .toList();
        return failing.isEmpty()
                ? new Result(Result.Status.OK, "Every essential loop runs.")
                : new Result(
                        Result.Status.CRITICAL,
                        failing.stream().map(LoopsCheck::words).collect(Collectors.joining(" ")));
    }

    private static String words(LoopView loop) {
        return "The loop "
                + loop.name()
                + " is "
                + loop.state()
                + (loop.lastFailure().isEmpty() ? "." : " (" + loop.lastFailure() + ").");
    }
}
