package palyra.bench.policy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import palyra.api.ErrorCode;
import palyra.api.access.DecisionSource;
import palyra.api.access.Permit;
import palyra.api.access.Principal;
import palyra.api.access.PrincipalKind;
import palyra.api.core.journal.Journal;
import palyra.api.core.policy.PolicyReport;
import palyra.bench.journal.BenchStore;
import palyra.lib.cedar.Cedar;
import palyra.policy.internal.decide.Engine;
import palyra.policy.internal.decide.EngineDivergence;
import palyra.policy.internal.decide.EngineSettings;
import palyra.policy.internal.decide.NativeEngineCheck;
import palyra.policy.internal.set.EngineSelector;
import palyra.policy.internal.set.PolicyDependencies;
import palyra.policy.internal.set.PolicyFolders;
import palyra.policy.internal.set.PolicySets;
import palyra.policy.internal.set.PolicySettings;
import palyra.policy.internal.set.Snapshot;
import palyra.shared.files.DurableFiles;
import palyra.shared.gate.Gate;

/** What palyra.policy is made of, with files, journal and both engines, but without a framework. */
final class PolicyProduct implements AutoCloseable {
    private static final Principal OPERATOR =
            new Principal(
                    "user:bench", PrincipalKind.USER, Set.of("operator"), Set.of(), "credential");

    private final BenchStore store;
    private final Gate<Cedar> cedar;
    private final Gate<Journal> journal;
    private final NativeEngineCheck second;
    private final PolicySets sets;
    private final Engine engine;

    /** Opens it in a new folder; the shipped policies alone come into force by {@link #apply}. */
    PolicyProduct(Path folder) throws IOException {
        Path state = folder.resolve("state");
        BenchStore.makePrivate(state);
        store = BenchStore.open(state);
        cedar = new Gate<>("The native Cedar engine", ErrorCode.POLICY_UNAVAILABLE, 0);
        cedar.add(Natives.cedar(), Map.of());
        journal = new Gate<>("The journal", ErrorCode.JOURNAL_UNAVAILABLE, 0);
        journal.add(store.journal(), Map.of());
        second = new NativeEngineCheck(cedar);
        sets =
                new PolicySets(
                        new PolicyDependencies(
                                places(state),
                                cedar,
                                journal,
                                second,
                                new Trusting(),
                                new DurableFiles(),
                                "bench",
                                System::currentTimeMillis),
                        PolicySettings.standard());
        engine =
                new Engine(
                        sets::inForce,
                        () -> "No set is in force.",
                        second,
                        EngineSettings.DEFAULT,
                        PolicyProduct::differ);
        sets.begin();
    }

    /** The files were left alone before anything is measured: nothing waits for them. */
    private static PolicyFolders places(Path state) throws IOException {
        PolicyFolders usual = PolicyFolders.of(state, state);
        return new PolicyFolders(
                SetText.shipped(), usual.own(), usual.store(), 0, 60_000, usual.graceMillis());
    }

    private static void differ(EngineDivergence difference) {
        throw new IllegalStateException("the engines differ: " + difference.sentence());
    }

    /** The compiled engine decides, as long as nothing is wrong with it. */
    private static final class Trusting implements EngineSelector {
        @Override
        public void restore() {}

        @Override
        public void withdraw(EngineDivergence difference) {
            differ(difference);
        }

        @Override
        public boolean lost() {
            return false;
        }
    }

    /** Checks a set as a reload does and brings it into force. */
    PolicyReport apply(Path folder) {
        Permit permit =
                new Permit(
                        "bench",
                        OPERATOR,
                        "policy.apply",
                        "",
                        DecisionSource.POLICY,
                        "",
                        System.currentTimeMillis());
        PolicyReport report = sets.apply(permit, folder, "");
        if (report.outcome() != PolicyReport.Outcome.APPLIED) {
            throw new IllegalStateException(report.summary() + " " + report.problems());
        }
        return report;
    }

    Engine engine() {
        return engine;
    }

    Snapshot inForce() {
        return sets.inForce().orElseThrow();
    }

    Optional<EngineDivergence> difference() {
        return engine.difference();
    }

    BenchStore store() {
        return store;
    }

    @Override
    public void close() {
        sets.close();
        engine.close();
        second.close();
        store.close();
    }
}
