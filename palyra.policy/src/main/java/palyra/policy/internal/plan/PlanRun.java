package palyra.policy.internal.plan;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.UnaryOperator;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.policy.internal.decide.Decider;
import palyra.policy.internal.decide.PolicyRequest;
import palyra.policy.internal.set.Snapshot;
import palyra.shared.hash.Digests;

/** One plan under way: what it remembers and counts. Used by one thread, works with several. */
final class PlanRun implements AutoCloseable {
    private static final int REMEMBERED = 20_000;

    /** One processor stays free for decisions that are waited for. */
    private static final int THREADS =
            Math.clamp(Runtime.getRuntime().availableProcessors() - 1, 1, 4);

    private final Snapshot candidate;
    private final Optional<Snapshot> inForce;
    private final UnaryOperator<PolicyRequest> assumed;
    private final ExecutorService workers = Executors.newFixedThreadPool(THREADS, PlanRun::thread);
    private final Map<String, Optional<CandidateDecision>> remembered =
            new LinkedHashMap<>(16, 0.75f, true) {
                private static final long serialVersionUID = 1L;

                @Override
                protected boolean removeEldestEntry(
                        Map.Entry<String, Optional<CandidateDecision>> eldest) {
                    return size() > REMEMBERED;
                }
            };
    private final FlipGroups flips = new FlipGroups();
    private long replayed;
    private long distinct;
    private long flipped;
    private long withoutEvidence;
    private long broken;
    private long oldestMillis;

    PlanRun(Snapshot candidate, Optional<Snapshot> inForce, UnaryOperator<PolicyRequest> assumed) {
        this.candidate = candidate;
        this.inForce = inForce;
        this.assumed = assumed;
    }

    private static Thread thread(Runnable work) {
        Thread thread = new Thread(work, "palyra-policy-plan");
        thread.setDaemon(true);
        return thread;
    }

    /** Decides the new ones among them, then counts them all. */
    void take(List<RecordedDecision> batch) throws InterruptedException {
        List<String> keys = new ArrayList<>();
        Map<String, RecordedDecision> fresh = new LinkedHashMap<>();
        for (RecordedDecision each : batch) {
            String key = each.evidenceJson().isEmpty() ? "" : key(each);
            keys.add(key);
            if (!key.isEmpty() && !remembered.containsKey(key)) {
                fresh.putIfAbsent(key, each);
            }
        }
        Map<String, Optional<CandidateDecision>> said = decide(fresh);
        for (int i = 0; i < batch.size(); i++) {
            String key = keys.get(i);
            RecordedDecision each = batch.get(i);
            oldestMillis = each.timeMillis();
            if (key.isEmpty()) {
                withoutEvidence++;
            } else {
                count(each, said.containsKey(key) ? said.get(key) : remembered.get(key));
            }
        }
        remembered.putAll(said);
        distinct += said.size();
    }

    /** The verdict belongs to it: only then is it known whether the set in force is asked. */
    private String key(RecordedDecision each) {
        byte[] bytes = each.evidenceJson().getBytes(StandardCharsets.UTF_8);
        return Digests.sha256Hex(bytes) + each.verdict().ordinal();
    }

    private Map<String, Optional<CandidateDecision>> decide(Map<String, RecordedDecision> fresh)
            throws InterruptedException {
        List<Map.Entry<String, RecordedDecision>> all = new ArrayList<>(fresh.entrySet());
        int share = Math.max(1, Math.ceilDiv(all.size(), THREADS));
        List<Callable<Map<String, Optional<CandidateDecision>>>> work = new ArrayList<>();
        for (int from = 0; from < all.size(); from += share) {
            List<Map.Entry<String, RecordedDecision>> part =
                    all.subList(from, Math.min(all.size(), from + share));
            work.add(() -> decideAll(part));
        }
        Map<String, Optional<CandidateDecision>> said = new LinkedHashMap<>();
        for (Future<Map<String, Optional<CandidateDecision>>> done : workers.invokeAll(work)) {
            said.putAll(result(done));
        }
        return said;
    }

    private static <T> T result(Future<T> done) throws InterruptedException {
        try {
            return done.get();
        } catch (ExecutionException e) {
            throw new PalyraException(
                    ErrorCode.INTERNAL, "A decision could not be replayed.", e.getCause());
        }
    }

    private Map<String, Optional<CandidateDecision>> decideAll(
            List<Map.Entry<String, RecordedDecision>> part) {
        Map<String, Optional<CandidateDecision>> said = new LinkedHashMap<>();
        part.forEach(each -> said.put(each.getKey(), decideOne(each.getValue())));
        return said;
    }

    private Optional<CandidateDecision> decideOne(RecordedDecision recorded) {
        PolicyRequest request;
        try {
            request = PolicyRequest.parse(recorded.evidenceJson());
        } catch (PalyraException e) {
            return Optional.empty();
        }
        var answer = Decider.decide(candidate, assumed.apply(request));
        CandidateDecision said =
                new CandidateDecision(
                        Verdict.of(answer.outcome()),
                        request.action().id(),
                        request.resource().type(),
                        request.resource().id(),
                        request.principal().id(),
                        answer.reasonCode().equals("policy.interpreter")
                                ? List.of() // those that permit it permit no interpreter
                                : answer.policyIds(),
                        Optional.empty());
        boolean flips = said.verdict() != recorded.verdict();
        return flips && inForce.isPresent()
                ? Optional.of(
                        said.withNow(Verdict.of(Decider.decide(inForce.get(), request).outcome())))
                : Optional.of(said);
    }

    private void count(RecordedDecision recorded, Optional<CandidateDecision> found) {
        if (found.isEmpty()) {
            broken++;
            return;
        }
        CandidateDecision said = found.get();
        replayed++;
        if (said.verdict() != recorded.verdict()) {
            flipped++;
            flips.add(
                    new PlanReport.Group(
                            recorded.verdict(),
                            said.verdict(),
                            said.action(),
                            said.resourceType(),
                            said.principal(),
                            String.join(", ", said.policies())),
                    said.now().filter(now -> now == said.verdict()).isPresent(),
                    new PlanReport.Example(
                            recorded.reference(), said.resource(), recorded.timeMillis()));
        }
    }

    PlanReport report(long brokenRecords, boolean complete) {
        return new PlanReport(
                replayed,
                distinct,
                flipped,
                withoutEvidence,
                broken + brokenRecords,
                complete,
                flips.list(),
                oldestMillis);
    }

    @Override
    public void close() {
        workers.shutdownNow();
    }
}
