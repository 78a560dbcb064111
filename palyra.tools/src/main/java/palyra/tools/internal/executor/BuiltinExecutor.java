package palyra.tools.internal.executor;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Modified;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import org.osgi.service.component.annotations.ReferencePolicyOption;
import org.osgi.service.metatype.annotations.Designate;
import palyra.api.core.ops.Finding;
import palyra.api.core.ops.FindingSource;
import palyra.api.core.ops.LoopSource;
import palyra.api.core.ops.LoopView;
import palyra.api.core.ops.Metric;
import palyra.api.core.ops.MetricSource;
import palyra.api.core.tools.ToolExamination;
import palyra.api.core.tools.ToolExecutor;
import palyra.api.core.tools.ToolLookup;
import palyra.api.core.tools.ToolOrder;
import palyra.api.core.tools.ToolOutcome;
import palyra.api.core.tools.ToolProposed;
import palyra.api.tool.Tool;
import palyra.api.tool.ToolDescriptor;

/**
 * Runs the {@link Tool} services of this JVM. The component stays when tools come and go; what it
 * does lives in {@link CallRunner}.
 */
@Component(
        service = {ToolExecutor.class, MetricSource.class, FindingSource.class, LoopSource.class},
        configurationPid = ToolsConfiguration.PID,
        immediate = true) // a delayed one would end its calls when the gateway, its only user, is
// swapped
@Designate(ocd = ToolsConfiguration.class)
public final class BuiltinExecutor
        implements ToolExecutor, MetricSource, FindingSource, LoopSource {
    private final ToolRegistry toolRegistry = new ToolRegistry();
    private final CallRunner runner;

    /** Starts with a configuration. */
    @Activate
    public BuiltinExecutor(ToolsConfiguration configuration) {
        this(ToolsSettings.from(configuration));
    }

    BuiltinExecutor(ToolsSettings settings) {
        runner = new CallRunner(toolRegistry, settings);
    }

    /** Takes a changed configuration; it counts from the next call on. */
    @Modified
    void modified(ToolsConfiguration configuration) {
        runner.use(ToolsSettings.from(configuration));
    }

    /** Takes a tool into choice. */
    @Reference(
            cardinality = ReferenceCardinality.MULTIPLE,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY,
            unbind = "removeTool",
            updated = "updateTool")
    void addTool(Tool tool, Map<String, ?> properties) {
        toolRegistry.add(tool, properties);
    }

    /** Takes a tool out of choice, then lets its calls end or ends them, before its bundle goes. */
    void removeTool(Tool tool) {
        toolRegistry.remove(tool);
        runner.withdraw(tool);
    }

    /** Takes a changed ranking of a tool. */
    void updateTool(Tool tool, Map<String, ?> properties) {
        toolRegistry.update(tool, properties);
    }

    /** Ends all calls and waits for their threads. */
    @Deactivate
    void close() {
        runner.close();
    }

    @Override
    public List<ToolDescriptor> catalogue() {
        return toolRegistry.catalogue();
    }

    @Override
    public ToolExamination examine(ToolProposed proposed) {
        return runner.examine(proposed);
    }

    @Override
    public void start(ToolOrder order, Consumer<ToolOutcome> sink) {
        runner.start(order, sink);
    }

    @Override
    public ToolLookup attach(String callId, int attempt, Consumer<ToolOutcome> sink) {
        return runner.attach(callId, attempt, sink);
    }

    @Override
    public boolean mayRepeat(String toolName, String callId, int attempt) {
        return runner.mayRepeat(toolName, callId, attempt);
    }

    @Override
    public String leftBy(String toolName, String agentId, String callId, int attempt) {
        return runner.leftBy(toolName, agentId, callId, attempt);
    }

    @Override
    public void cancel(String callId) {
        runner.cancel(callId);
    }

    @Override
    public void forget(String callId) {
        runner.forget(callId);
    }

    @Override
    public List<LoopView> loops() {
        return List.of(runner.loop());
    }

    @Override
    public List<Metric> metrics() {
        return runner.metrics();
    }

    @Override
    public List<Finding> findings() {
        List<Finding> findings = new ArrayList<>(toolRegistry.findings());
        findings.addAll(runner.findings());
        return findings;
    }
}
