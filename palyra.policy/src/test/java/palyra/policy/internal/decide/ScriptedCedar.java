package palyra.policy.internal.decide;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import palyra.lib.cedar.Cedar;
import palyra.lib.cedar.CedarDecision;
import palyra.lib.cedar.CedarFile;
import palyra.lib.cedar.CedarStatus;
import palyra.lib.cedar.Compilation;
import palyra.lib.cedar.CompileRequest;
import palyra.lib.cedar.Converted;
import palyra.lib.cedar.Diagnostic;
import palyra.lib.cedar.PreparedPolicySet;
import palyra.lib.cedar.PreparedUse;
import palyra.shared.gate.Gate;

/** A native engine that says what a test wants it to say. */
final class ScriptedCedar implements Cedar {
    private final Function<String, CedarDecision> script;
    final List<Prepared> prepared = Collections.synchronizedList(new ArrayList<>());
    final List<PreparedUse> uses = Collections.synchronizedList(new ArrayList<>());

    /** While it is there, sets that come next are not prepared. */
    volatile CountDownLatch holdsNext = new CountDownLatch(0);

    ScriptedCedar(Function<String, CedarDecision> script) {
        this.script = script;
    }

    /** One that always says the same. */
    static ScriptedCedar saying(boolean allowed, String... determining) {
        CedarDecision decision = new CedarDecision(allowed, List.of(determining), List.of());
        return new ScriptedCedar(request -> decision);
    }

    Gate<Cedar> gate() {
        Gate<Cedar> gate = Sets.emptyGate();
        gate.add(this, Map.of());
        return gate;
    }

    final class Prepared implements PreparedPolicySet {
        volatile boolean closed;

        @Override
        public CedarDecision decide(String requestJson) {
            return script.apply(requestJson);
        }

        @Override
        public void close() {
            closed = true;
        }
    }

    @Override
    public PreparedPolicySet prepare(Compilation compilation) {
        Prepared set = new Prepared();
        prepared.add(set);
        return set;
    }

    @Override
    public PreparedPolicySet prepare(CompileRequest request, PreparedUse use) {
        uses.add(use);
        if (use == PreparedUse.NEXT) {
            held();
        }
        Prepared set = new Prepared();
        prepared.add(set);
        return set;
    }

    private void held() {
        try {
            if (!holdsNext.await(60, TimeUnit.SECONDS)) {
                throw new IllegalStateException("The test did not let go.");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public Compilation compile(CompileRequest request) {
        return new Compilation(request, List.of(), List.of(), "{}");
    }

    @Override
    public CedarStatus status() {
        return new CedarStatus(true, "", "4.10", 0, 0, prepared.size());
    }

    @Override
    public Converted format(CedarFile policies, int lineWidth, int indentWidth) {
        throw new UnsupportedOperationException();
    }

    @Override
    public List<Diagnostic> checkSchema(CedarFile schema) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Converted schemaToJson(CedarFile schema) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Converted schemaToCedar(CedarFile schema) {
        throw new UnsupportedOperationException();
    }

    @Override
    public List<Diagnostic> checkEntities(CedarFile schema, CedarFile entities) {
        throw new UnsupportedOperationException();
    }
}
