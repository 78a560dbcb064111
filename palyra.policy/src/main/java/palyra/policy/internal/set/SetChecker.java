package palyra.policy.internal.set;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.policy.PolicyProblem;
import palyra.lib.cedar.Cedar;
import palyra.lib.cedar.CedarException;
import palyra.policy.internal.cedar.json.Json;
import palyra.policy.internal.cedar.value.CedarFormatException;
import palyra.policy.internal.decide.AnnotationChecks;
import palyra.policy.internal.decide.CaseRunner;
import palyra.policy.internal.decide.NativeEngineCheck;
import palyra.policy.internal.decide.Replay;
import palyra.shared.gate.Gate;

/**
 * Everything that a set must pass: native parser and validation, compiled evaluator, names,
 * annotations, cases, and requests of the last time on both engines. Has no effect. Used by one
 * thread.
 */
final class SetChecker {
    private final Gate<Cedar> cedar;
    private final NativeEngineCheck check;
    private final RecentRequests recent;
    private final SetCompiler compiler = new SetCompiler();
    private final AnnotationChecks obligations = new AnnotationChecks();
    private final CaseRunner cases = new CaseRunner();

    /**
     * @param check native engine's word on candidates
     */
    SetChecker(Gate<Cedar> cedar, NativeEngineCheck check, RecentRequests recent) {
        this.cedar = cedar;
        this.check = check;
        this.recent = recent;
    }

    /**
     * What came of it.
     *
     * @param problems errors first
     * @param compiled present with {@code snapshot}, exactly when no problem is an error
     * @param engineAway whether it failed for lack of the native engine, so that trying again helps
     */
    record Outcome(
            List<PolicyProblem> problems,
            Optional<CompiledSet> compiled,
            Optional<Snapshot> snapshot,
            int casesRun,
            int replayed,
            boolean engineAway) {}

    /** Checks a set. */
    Outcome run(SourceSet source, Activation stamp) {
        return run(source, stamp, this::decide);
    }

    /** Handles a set that compiled. */
    private interface Next {
        Outcome of(CompiledSet set, Snapshot snapshot, List<PolicyProblem> problems);
    }

    /** Compiles a set and tries its cases, nothing else. */
    PolicyService.Trial tryCases(SourceSet source) {
        List<CaseRunner.CaseResult> tried = new ArrayList<>();
        Outcome outcome =
                run(
                        source,
                        Activation.NONE,
                        (set, snapshot, problems) -> {
                            CaseRunner.Results results = cases.run(snapshot, snapshot.files());
                            tried.addAll(results.results());
                            problems.addAll(results.problems());
                            return refused(problems, results.run(), 0, false);
                        });
        return new PolicyService.Trial(tried, outcome.problems());
    }

    private Outcome run(SourceSet source, Activation stamp, Next next) {
        List<PolicyProblem> problems = new ArrayList<>();
        try {
            Optional<CompiledSet> compiled = compiler.compile(engine(), source, problems);
            return compiled.isEmpty()
                    ? refused(problems, 0, 0, false)
                    : next.of(compiled.get(), compiled.get().snapshot(stamp), problems);
        } catch (CedarException e) {
            problems.add(
                    PolicyProblems.error(
                            "",
                            "The native Cedar engine gave no verdict: " + e.getMessage(),
                            "Nothing is changed without its verdict; run palyra doctor."));
            return refused(problems, 0, 0, e.reason() != CedarException.Reason.REFUSED);
        } catch (PalyraException e) {
            problems.add(
                    PolicyProblems.error("", e.getMessage(), "It is tried again when it is back."));
            return refused(problems, 0, 0, true);
        } catch (CedarFormatException e) {
            problems.add(
                    PolicyProblems.error(
                            "",
                            "The compiled evaluator does not take the set: " + e.getMessage(),
                            "Simplify that policy, or report a defect."));
            return refused(problems, 0, 0, false);
        }
    }

    /**
     * Returns the engine itself: compiling may take longer than a lease should, and the bundle that
     * holds it never changes while the gateway runs.
     */
    Cedar engine() {
        Cedar found = cedar.call(present -> present);
        if (!found.status().available()) {
            throw new PalyraException(
                    ErrorCode.POLICY_UNAVAILABLE,
                    "Policies cannot be checked: " + found.status().reason());
        }
        return found;
    }

    /**
     * Returns whether a stored set is what its texts compile to. Without the native engine, or with
     * one of another language version this cannot be told, and it counts as a loss.
     */
    boolean sameAsTexts(CompiledSet stored) {
        try {
            Cedar engine = engine();
            return !engine.status().languageVersion().equals(stored.language())
                    || compiler.compile(engine, stored.source(), new ArrayList<>())
                            .map(fresh -> same(fresh, stored))
                            .orElse(false);
        } catch (CedarException | PalyraException e) {
            return true;
        }
    }

    private static boolean same(CompiledSet fresh, CompiledSet stored) {
        return fresh.effective().equals(stored.effective())
                && fresh.origins().equals(stored.origins())
                && json(fresh.policiesJson()).equals(json(stored.policiesJson()))
                && json(fresh.schemaJson()).equals(json(stored.schemaJson()));
    }

    private static JsonNode json(String text) {
        return Json.parse(text, "A compiled set");
    }

    private Outcome decide(CompiledSet set, Snapshot snapshot, List<PolicyProblem> problems) {
        problems.addAll(obligations.check(snapshot));
        CaseRunner.Results results = cases.run(snapshot, snapshot.files());
        problems.addAll(
                set.source().changedByOperator()
                        ? withShippedSummed(results.problems())
                        : results.problems());
        int replayed = PolicyProblems.anyError(problems) ? 0 : replay(snapshot, problems);
        check.release(snapshot);
        return PolicyProblems.anyError(problems)
                ? refused(problems, results.run(), replayed, false)
                : new Outcome(
                        PolicyProblems.sorted(problems),
                        Optional.of(set.warned(problems)),
                        Optional.of(snapshot),
                        results.run(),
                        replayed,
                        false);
    }

    /** An operator's policies may mean otherwise than shipped cases: one warning says so. */
    static List<PolicyProblem> withShippedSummed(List<PolicyProblem> found) {
        Map<Boolean, List<PolicyProblem>> byOrigin =
                found.stream()
                        .collect(
                                Collectors.partitioningBy(
                                        problem -> SourceSet.shipped(problem.file())));
        List<PolicyProblem> problems = new ArrayList<>(byOrigin.get(false));
        List<PolicyProblem> shipped = byOrigin.get(true);
        if (!shipped.isEmpty()) {
            problems.add(
                    PolicyProblems.warning(
                            shipped.get(0).file(),
                            shipped.size()
                                    + (shipped.size() == 1
                                            ? " shipped case is"
                                            : " shipped cases are")
                                    + " decided otherwise by your policies. "
                                    + shipped.get(0).message(),
                            "When you mean that, nothing is to be done; palyra policy test lists"
                                    + " them all."));
        }
        return problems;
    }

    private int replay(Snapshot snapshot, List<PolicyProblem> problems) {
        int replayed = 0;
        for (String evidence : recent.find()) {
            Optional<Replay.Outcome> outcome = replay(snapshot, evidence);
            if (outcome.isPresent() && outcome.get().unconfirmed().isEmpty()) {
                replayed++;
            }
            outcome.flatMap(Replay.Outcome::difference)
                    .ifPresent(
                            difference ->
                                    problems.add(
                                            PolicyProblems.error(
                                                    "",
                                                    difference.sentence()
                                                            + " The policy request: "
                                                            + difference.evidenceJson(),
                                                    "This is a defect; please report it. The set"
                                                            + " does not come into force.")));
        }
        return replayed;
    }

    /** Evidence of an older form or schema says nothing about this set. */
    private Optional<Replay.Outcome> replay(Snapshot snapshot, String evidence) {
        try {
            return Optional.of(Replay.run(snapshot, check, evidence));
        } catch (PalyraException e) {
            return Optional.empty();
        }
    }

    private static Outcome refused(
            List<PolicyProblem> problems, int casesRun, int replayed, boolean engineAway) {
        return new Outcome(
                PolicyProblems.sorted(problems),
                Optional.empty(),
                Optional.empty(),
                casesRun,
                replayed,
                engineAway);
    }
}
