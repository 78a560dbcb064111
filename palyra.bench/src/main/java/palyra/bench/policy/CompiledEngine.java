package palyra.bench.policy;

import java.util.ArrayList;
import java.util.List;
import palyra.lib.cedar.Compilation;
import palyra.lib.cedar.PolicySetLimits;
import palyra.policy.internal.cedar.Evaluator;
import palyra.policy.internal.cedar.PolicySetCompiler;
import palyra.policy.internal.cedar.Request;
import palyra.policy.internal.cedar.entity.Entities;
import palyra.policy.internal.cedar.json.EntitiesReader;
import palyra.policy.internal.cedar.json.Json;
import palyra.policy.internal.cedar.json.ValueReader;
import palyra.policy.internal.cedar.value.EntityUid;

/** Policies compiled into Java, with entities and requests prepared. */
final class CompiledEngine implements BenchEngine {
    private Evaluator evaluator;
    private List<Request> requests = List.of();

    @Override
    public String name() {
        return "palyra.policy";
    }

    @Override
    public void prepare(Scenario scenario) {
        Compilation compiled = NativeEngine.compile(scenario);
        evaluator =
                new Evaluator(
                        new PolicySetCompiler(PolicySetLimits.STANDARD).compile(compiled.json()));
        Entities entities =
                Entities.of(EntitiesReader.withoutSchema().read(scenario.entitiesJson()));
        List<Request> read = new ArrayList<>();
        for (Scenario.Ask ask : scenario.asks()) {
            read.add(
                    new Request(
                            uid(ask.principal()),
                            uid(ask.action()),
                            uid(ask.resource()),
                            ValueReader.trusted()
                                    .record(
                                            Json.parse(ask.contextJson(), "A context"),
                                            "the context"),
                            entities));
        }
        requests = read;
    }

    private static EntityUid uid(Scenario.Name name) {
        return EntityUid.of(name.type(), name.id());
    }

    @Override
    public Round round(long nanos) {
        return Round.of(i -> evaluator.decide(requests.get(i)).allowed(), requests.size(), nanos);
    }
}
