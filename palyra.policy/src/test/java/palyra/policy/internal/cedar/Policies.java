package palyra.policy.internal.cedar;

import java.util.List;
import java.util.Map;
import palyra.lib.cedar.PolicySetLimits;
import palyra.policy.internal.cedar.entity.Entities;
import palyra.policy.internal.cedar.entity.Entity;
import palyra.policy.internal.cedar.json.JavaValues;
import palyra.policy.internal.cedar.value.EntityUid;

/** Short ways to policies and requests for tests. */
final class Policies {
    static final EntityUid ALICE = EntityUid.of("User", "alice");
    static final EntityUid READ = EntityUid.of("Action", "read");
    static final EntityUid DOC = EntityUid.of("Doc", "d1");

    private Policies() {}

    static PolicySet compile(String text) {
        return new PolicySetCompiler(PolicySetLimits.STANDARD).compile(Oracle.est(text));
    }

    static Decision decide(String text, Request request) {
        return new Evaluator(compile(text)).decide(request);
    }

    /** Alice reads the document. */
    static Request request(Map<String, ?> context, Entity... entities) {
        return new Request(
                ALICE, READ, DOC, JavaValues.record(context), Entities.of(List.of(entities)));
    }
}
