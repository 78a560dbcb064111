package palyra.transport.openai.internal;

import jakarta.servlet.Servlet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.osgi.framework.Constants;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Modified;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import org.osgi.service.component.annotations.ReferencePolicyOption;
import org.osgi.service.metatype.annotations.Designate;
import org.osgi.service.servlet.whiteboard.propertytypes.HttpWhiteboardServletAsyncSupported;
import org.osgi.service.servlet.whiteboard.propertytypes.HttpWhiteboardServletName;
import org.osgi.service.servlet.whiteboard.propertytypes.HttpWhiteboardServletPattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.PalyraException;
import palyra.api.core.access.Access;
import palyra.api.core.gateway.AgentRegistry;
import palyra.api.core.journal.Journal;
import palyra.api.core.ops.Finding;
import palyra.api.core.ops.FindingSource;
import palyra.api.core.ops.LoopSource;
import palyra.api.core.ops.LoopView;
import palyra.api.core.ops.Metric;
import palyra.api.core.ops.MetricSource;
import palyra.api.run.Runs;
import palyra.shared.loop.LoopSpec;
import palyra.shared.loop.SupervisedTimer;
import palyra.transport.openai.internal.http.OpenCalls;

/** The OpenAI-compatible server. What it calls may come and go while it stays. */
@Component(
        name = OpenAiServlet.PID,
        configurationPid = OpenAiServlet.PID,
        immediate = true,
        service = {Servlet.class, MetricSource.class, FindingSource.class, LoopSource.class},
        // before what answers while this bundle is being replaced
        property = Constants.SERVICE_RANKING + ":Integer=100")
@Designate(ocd = OpenAiConfiguration.class)
@HttpWhiteboardServletName("palyra-openai")
@HttpWhiteboardServletPattern("/v1/*")
@HttpWhiteboardServletAsyncSupported
public final class OpenAiComponent extends OpenAiServlet
        implements MetricSource, FindingSource, LoopSource {
    private static final long serialVersionUID = 1L;
    private static final Logger LOG = LoggerFactory.getLogger(OpenAiComponent.class);
    private static final long TOKEN_SECONDS = 15;

    private final transient State state;
    private final transient SupervisedTimer timer;

    /** What the servlet and the component share. */
    private static final class State {
        private final Seams seams = Seams.empty();
        private final RequestCounts counts = new RequestCounts();
        private final OpenCalls calls = new OpenCalls(this::bounds);
        private volatile OpenAiSettings settings; // null until a configuration was usable
        private volatile String problem = ""; // why the newest configuration is not used

        private OpenAiSettings.Bounds bounds() {
            return settings.bounds(); // asked for requests only, which need settings
        }

        private void apply(OpenAiConfiguration configuration) {
            try {
                settings = OpenAiSettings.of(configuration);
                problem = "";
            } catch (PalyraException e) {
                problem = e.getMessage();
                LOG.warn("palyra.transport.openai is not used: {}", problem);
            }
        }
    }

    /** Called by the component runtime. */
    @Activate
    public OpenAiComponent(OpenAiConfiguration configuration) {
        this(new State());
        state.apply(configuration);
    }

    private OpenAiComponent(State state) {
        super(state.seams, () -> Optional.ofNullable(state.settings), state.calls, state.counts);
        this.state = state;
        timer = new SupervisedTimer(LoopSpec.of("palyra-openai", OpenAiServlet.PID));
        timer.every(1, TimeUnit.SECONDS, this::sweep);
        timer.every(TOKEN_SECONDS, TimeUnit.SECONDS, this::checkTokens);
    }

    private void sweep() {
        if (state.settings != null) {
            state.calls.sweep();
        }
    }

    private void checkTokens() {
        state.calls.checkTokens(
                token -> state.seams.access().call(access -> access.authenticate(token)));
    }

    @Modified
    void modified(OpenAiConfiguration configuration) {
        state.apply(configuration);
    }

    @Deactivate
    void deactivate() {
        state.calls.closeAll("This server is being replaced.");
        timer.close();
    }

    @Reference(
            cardinality = ReferenceCardinality.MULTIPLE,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    void bindRuns(Runs arrived, Map<String, Object> properties) {
        state.seams.runs().add(arrived, properties);
    }

    void unbindRuns(Runs leaving) {
        state.seams.runs().remove(leaving);
    }

    @Reference(
            cardinality = ReferenceCardinality.MULTIPLE,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    void bindAgents(AgentRegistry arrived, Map<String, Object> properties) {
        state.seams.agents().add(arrived, properties);
    }

    void unbindAgents(AgentRegistry leaving) {
        state.seams.agents().remove(leaving);
    }

    @Reference(
            cardinality = ReferenceCardinality.MULTIPLE,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    void bindAccess(Access arrived, Map<String, Object> properties) {
        state.seams.access().add(arrived, properties);
    }

    void unbindAccess(Access leaving) {
        state.seams.access().remove(leaving);
    }

    @Reference(
            cardinality = ReferenceCardinality.MULTIPLE,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    void bindJournal(Journal arrived, Map<String, Object> properties) {
        state.seams.journal().add(arrived, properties);
    }

    void unbindJournal(Journal leaving) {
        state.seams.journal().remove(leaving);
    }

    @Override
    public List<Metric> metrics() {
        List<Metric> open =
                List.of(
                        Metric.gauge(
                                "palyra_openai_open_requests",
                                "Requests of the OpenAI-compatible server being answered.",
                                state.calls.size()),
                        Metric.counter(
                                "palyra_openai_stalled_total",
                                "Clients cut off because they did not read what was sent.",
                                (double) state.calls.stalled()));
        return Stream.concat(open.stream(), state.counts.metrics().stream()).toList();
    }

    @Override
    public List<Finding> findings() {
        String problem = state.problem;
        return problem.isEmpty()
                ? List.of()
                : List.of(
                        new Finding(
                                Finding.Severity.ERROR,
                                "openai",
                                "palyra.transport.openai is not used as configured: "
                                        + problem
                                        + (state.settings == null
                                                ? "; the server is off."
                                                : "; the configuration before counts."),
                                "Correct conf/palyra.transport.openai.json."));
    }

    @Override
    public List<LoopView> loops() {
        return List.of(timer.view());
    }
}
