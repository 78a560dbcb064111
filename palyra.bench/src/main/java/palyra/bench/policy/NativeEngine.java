package palyra.bench.policy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import palyra.lib.cedar.CedarFile;
import palyra.lib.cedar.Compilation;
import palyra.lib.cedar.CompileRequest;
import palyra.lib.cedar.PreparedPolicySet;
import palyra.policy.internal.cedar.json.Json;

/** The native engine of Cedar with a prepared policy set and requests as JSON texts. */
final class NativeEngine implements BenchEngine, AutoCloseable {
    private PreparedPolicySet prepared;
    private List<String> requests = List.of();

    /** Parses the policies of a scenario, as the product does for both engines. */
    static Compilation compile(Scenario scenario) {
        Compilation compiled =
                Natives.cedar()
                        .compile(
                                CompileRequest.of(
                                        List.of(CedarFile.of("scenario.cedar", scenario.text()))));
        if (!compiled.ok()) {
            throw new IllegalStateException(compiled.diagnostics().getFirst().render());
        }
        return compiled;
    }

    @Override
    public String name() {
        return "the native engine";
    }

    @Override
    public void prepare(Scenario scenario) {
        close();
        prepared = Natives.cedar().prepare(compile(scenario));
        requests = scenario.asks().stream().map(ask -> json(ask, scenario)).toList();
    }

    private static String json(Scenario.Ask ask, Scenario scenario) {
        ObjectNode request = (ObjectNode) Json.parse("{}", "A request");
        request.set("principal", Json.parse(ask.principal().json(), "A principal"));
        request.set("action", Json.parse(ask.action().json(), "An action"));
        request.set("resource", Json.parse(ask.resource().json(), "A resource"));
        request.set("context", Json.parse(ask.contextJson(), "A context"));
        request.set("entities", Json.parse(scenario.entitiesJson(), "The entities"));
        request.put("validateRequest", false);
        return request.toString();
    }

    @Override
    public Round round(long nanos) {
        return Round.of(i -> prepared.decide(requests.get(i)).allowed(), requests.size(), nanos);
    }

    @Override
    public void close() {
        if (prepared != null) {
            prepared.close();
            prepared = null;
        }
    }
}
