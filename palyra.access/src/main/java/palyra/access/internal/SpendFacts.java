package palyra.access.internal;

import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import palyra.api.PalyraException;
import palyra.api.core.access.AccessRequest;
import palyra.api.core.access.Spend;
import palyra.api.core.journal.BudgetAmount;
import palyra.api.core.journal.BudgetRow;
import palyra.api.core.journal.Journal;
import palyra.shared.gate.Gate;

/**
 * Adds to a request to start a run how much was spent today, as the journal knows it. Without
 * budgets, and without a journal, nothing is added: policies see no {@code spend} then.
 * Thread-safe.
 */
final class SpendFacts {
    private static final String START = "run.start";
    private static final int PAGE = 100;

    /** How long it holds that there is no budget, so that most starts read nothing. */
    private static final long NONE_MILLIS = 1_000;

    private final Gate<Journal> journal;
    private final LongSupplier clock;
    private volatile long noneUntil;

    SpendFacts(Gate<Journal> journal, LongSupplier clock) {
        this.journal = journal;
        this.clock = clock;
    }

    /** Returns the request, with what was spent if it is about a start and something was. */
    AccessRequest with(AccessRequest request) {
        if (!request.action().equals(START) || clock.getAsLong() < noneUntil) {
            return request;
        }
        Spend spend;
        try (Gate.Lease<Journal> lease = journal.lease(0)) {
            spend = tightest(lease.service(), request);
        } catch (PalyraException e) {
            return request; // the start needs the journal too, and fails by itself
        }
        Map<String, String> facts = new HashMap<>(request.facts());
        Spend.FACTS.forEach(facts::remove); // only the journal's word counts
        if (spend.calls() > 0) {
            facts.putAll(spend.facts());
        }
        return new AccessRequest(
                request.principal(), request.action(), request.resource(), request.owner(), facts);
    }

    private Spend tightest(Journal store, AccessRequest request) {
        long now = clock.getAsLong();
        String today = Instant.ofEpochMilli(now).atZone(ZoneOffset.UTC).toLocalDate().toString();
        if (store.budgets(today, "", 0, 1).isEmpty()) {
            noneUntil = now + NONE_MILLIS;
            return Spend.NONE;
        }
        Spend tightest = Spend.NONE;
        for (String subject : subjects(request)) {
            for (BudgetRow row : store.budgets(today, subject, 0, PAGE)) {
                if (row.percent() >= tightest.percent()) {
                    BudgetAmount all = row.used().plus(row.reserved());
                    tightest =
                            new Spend(all.tokens(), all.costMicros(), all.calls(), row.percent());
                }
            }
        }
        return tightest;
    }

    private static List<String> subjects(AccessRequest request) {
        List<String> subjects = new ArrayList<>();
        subjects.add("all");
        subjects.add("principal:" + request.principal().id());
        for (String kind : List.of("agent", "channel")) {
            String id = request.facts().getOrDefault(kind, "");
            if (!id.isEmpty()) {
                subjects.add(kind + ":" + id);
            }
        }
        return subjects;
    }
}
