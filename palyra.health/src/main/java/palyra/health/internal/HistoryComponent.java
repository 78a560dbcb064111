package palyra.health.internal;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.osgi.framework.BundleContext;
import org.osgi.framework.FrameworkUtil;
import org.osgi.framework.ServiceRegistration;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import palyra.api.command.Command;
import palyra.api.core.ops.LoopSource;
import palyra.api.core.ops.LoopView;
import palyra.health.internal.history.MetricHistory;
import palyra.health.internal.history.MetricsCommand;
import palyra.shared.loop.LoopSpec;
import palyra.shared.loop.SupervisedLoop;

/** Looks at the metrics again and again, for {@code palyra metrics} and the console's charts. */
@Component(service = LoopSource.class, immediate = true)
public final class HistoryComponent implements LoopSource {
    private static final long STOP_MILLIS = 2_000;

    private final SupervisedLoop loop;
    private final ServiceRegistration<Command> command;

    /** Called by the component runtime. */
    @Activate
    public HistoryComponent(@Reference MetricCollector collector, BundleContext context) {
        MetricHistory history = new MetricHistory(System.currentTimeMillis());
        loop =
                SupervisedLoop.every(
                                LoopSpec.of("palyra-metric-history", "palyra.health"),
                                Duration.ofMillis(MetricHistory.FINE_MILLIS),
                                () -> history.look(System.currentTimeMillis(), collector.metrics()))
                        .start();
        command =
                context.registerService(
                        Command.class,
                        new MetricsCommand(history),
                        FrameworkUtil.asDictionary(Map.of()));
    }

    @Override
    public List<LoopView> loops() {
        return loop.isAlive() ? List.of(loop.view()) : List.of();
    }

    /** Called by the component runtime. */
    @Deactivate
    public void deactivate() {
        command.unregister();
        loop.close(STOP_MILLIS);
    }
}
