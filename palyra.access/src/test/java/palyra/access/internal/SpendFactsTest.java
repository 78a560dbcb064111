package palyra.access.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import palyra.api.ErrorCode;
import palyra.api.access.Principal;
import palyra.api.access.PrincipalKind;
import palyra.api.core.access.AccessRequest;
import palyra.api.core.access.Spend;
import palyra.api.core.journal.BudgetAmount;
import palyra.api.core.journal.BudgetRow;
import palyra.api.core.journal.Journal;
import palyra.shared.gate.Gate;

/** What policies are told of money before a run starts. */
class SpendFactsTest {
    private static final Principal ANNA =
            new Principal("user:anna", PrincipalKind.USER, Set.of(), Set.of(), "t");

    private final AtomicLong now = new AtomicLong(1_772_323_200_000L); // 2026-03-01T00:00Z
    private final List<BudgetRow> rows = new ArrayList<>();
    private final AtomicLong reads = new AtomicLong();
    private final Gate<Journal> journal =
            new Gate<>("the journal", ErrorCode.JOURNAL_UNAVAILABLE, 0);
    private final SpendFacts facts = new SpendFacts(journal, now::get);

    private Journal store() {
        return (Journal)
                Proxy.newProxyInstance(
                        Journal.class.getClassLoader(),
                        new Class<?>[] {Journal.class},
                        (proxy, method, args) -> {
                            reads.incrementAndGet();
                            return rows.stream()
                                    .filter(row -> row.period().equals(args[0]))
                                    .filter(
                                            row ->
                                                    args[1].equals("")
                                                            || row.subject().equals(args[1]))
                                    .toList();
                        });
    }

    private void account(String subject, String period, long calls) {
        rows.add(
                new BudgetRow(
                        rows.size() + 1,
                        "b",
                        subject,
                        period,
                        new BudgetAmount(0, 0, 10),
                        new BudgetAmount(calls * 100, calls * 7, calls),
                        BudgetAmount.NONE,
                        0,
                        0));
    }

    private static AccessRequest start(Map<String, String> more) {
        return new AccessRequest(ANNA, "run.start", "session:s", "", more);
    }

    @Test
    void tellsOfTheFullestAccountOfToday() {
        journal.add(store(), Map.of());
        account("principal:user:anna", "2026-03-01", 3);
        account("channel:discord:42", "2026-03-01", 9);
        account("principal:user:bob", "2026-03-01", 10);
        account("principal:user:anna", "2026-02-28", 10);
        AccessRequest asked = facts.with(start(Map.of("channel", "discord:42")));
        assertEquals("90", asked.facts().get("spendPercent"));
        assertEquals("900", asked.facts().get("spendTokens"));
        assertEquals("30", facts.with(start(Map.of())).facts().get("spendPercent"));
    }

    @Test
    void onlyTheJournalsWordCounts() {
        journal.add(store(), Map.of());
        account("principal:user:bob", "2026-03-01", 3);
        AccessRequest asked = facts.with(start(new Spend(0, 0, 1, 0).facts()));
        assertEquals(Map.of(), asked.facts());
    }

    @Test
    void saysNothingWithoutBudgetsOrJournalAndReadsSeldom() {
        AccessRequest request = start(Map.of("agent", "helper"));
        assertSame(request, facts.with(request));
        journal.add(store(), Map.of());
        facts.with(request);
        assertEquals(1, reads.get());
        facts.with(request);
        assertEquals(1, reads.get());
        account("agent:helper", "2026-03-01", 5);
        now.addAndGet(2_000);
        assertEquals("50", facts.with(request).facts().get("spendPercent"));
    }

    @Test
    void leavesOtherQuestionsAlone() {
        journal.add(store(), Map.of());
        AccessRequest request = AccessRequest.of(ANNA, "run.read", "run:1");
        assertSame(request, facts.with(request));
        assertEquals(0, reads.get());
    }
}
