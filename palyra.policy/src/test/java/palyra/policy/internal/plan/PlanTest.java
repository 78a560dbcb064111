package palyra.policy.internal.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static palyra.policy.internal.plan.Samples.ALL;
import static palyra.policy.internal.plan.Samples.ASK;
import static palyra.policy.internal.plan.Samples.NOT_EVE;

import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.tape.TapeEvent;
import palyra.policy.internal.plan.PlanReport.Group;
import palyra.policy.internal.set.Snapshot;

final class PlanTest {
    private static final String RUN = "01J00000000000000000000000";

    private final Records records = new Records();

    private PlanReport plan(Snapshot candidate) {
        return plan(candidate, Optional.empty(), 0, Plan.USUAL_LIMIT);
    }

    private PlanReport plan(Snapshot candidate, Optional<Snapshot> inForce, long since, int limit) {
        return new Plan(records.gate(), UnaryOperator.identity())
                .run(candidate, inForce, since, limit, () -> false);
    }

    @Test
    void listsWhatWouldNoLongerBeAllowedAndByWhichPolicy() {
        for (int i = 0; i < 5; i++) {
            records.at(1_000 + i).action("allow", Samples.start("user:eve", "s" + i));
            records.at(1_000 + i).action("allow", Samples.start("user:bob", "s" + i));
        }
        PlanReport report = plan(Samples.set(ALL, NOT_EVE));
        assertEquals(10, report.replayed());
        assertEquals(5, report.flipped());
        PlanReport.Flip flip = report.flips().get(0);
        assertEquals(1, report.flips().size());
        assertEquals(
                new Group(
                        Verdict.ALLOW, Verdict.DENY, "run.start", "Session", "user:eve", "not_eve"),
                flip.group());
        assertEquals(5, flip.count());
        assertEquals(
                List.of("journal/main:9", "journal/main:7", "journal/main:5"),
                flip.examples().stream().map(PlanReport.Example::reference).toList());
        assertEquals("s4", flip.examples().get(0).resource());
        assertEquals(1_000, report.oldestMillis());
        assertTrue(report.complete());
    }

    @Test
    void nothingFlipsWhereTheSetSaysTheSame() {
        records.action("allow", Samples.start("user:bob", "s"));
        records.call(
                TapeEvent.Verdict.APPROVAL_REQUIRED,
                RUN + ".1.0",
                Samples.call("user:bob", RUN + ".1.0", true, false));
        records.call(
                TapeEvent.Verdict.ALLOW,
                RUN + ".1.0",
                Samples.call("user:bob", RUN + ".1.0", true, true));
        PlanReport report = plan(Samples.set(ALL, ASK));
        assertEquals(3, report.replayed());
        assertEquals(List.of(), report.flips());
    }

    @Test
    void findsEveryKindOfFlip() {
        records.action("deny", Samples.start("user:bob", "s"));
        records.action("no_decision", Samples.start("user:bob", "s"));
        records.call(
                TapeEvent.Verdict.ALLOW,
                RUN + ".1.0",
                Samples.call("user:bob", RUN + ".1.0", true, false));
        records.call(
                TapeEvent.Verdict.APPROVAL_REQUIRED,
                RUN + ".1.1",
                Samples.call("user:bob", RUN + ".1.1", false, false));
        PlanReport report = plan(Samples.set(ALL, ASK));
        assertEquals(4, report.flipped());
        assertEquals(
                List.of("deny→allow 2 all", "ask→allow 1 all", "allow→ask 1 ask"),
                report.flips().stream()
                        .map(
                                flip ->
                                        flip.group().from().word()
                                                + "→"
                                                + flip.group().to().word()
                                                + " "
                                                + flip.count()
                                                + " "
                                                + flip.group().policies())
                        .toList());
        assertEquals(RUN + ".1.0", report.flips().get(2).examples().get(0).reference());
    }

    @Test
    void saysWhenNoPolicyPermitsIt() {
        records.action("allow", Samples.start("user:bob", "s"));
        PlanReport report = plan(Samples.set(NOT_EVE));
        assertEquals("", report.flips().get(0).group().policies());
    }

    @Test
    void aPermitThatPermitsNoInterpreterIsNotNamed() {
        records.call(
                TapeEvent.Verdict.ALLOW, RUN + ".1.0", Samples.shell("user:bob", RUN + ".1.0"));
        PlanReport report = plan(Samples.set(ALL));
        assertEquals(Verdict.DENY, report.flips().get(0).group().to());
        assertEquals("", report.flips().get(0).group().policies());
    }

    @Test
    void saysWhatTheSetInForceWouldChangeAlready() {
        records.action("allow", Samples.start("user:eve", "s"));
        records.action("allow", Samples.start("user:bob", "s"));
        Snapshot inForce = Samples.set(ALL, NOT_EVE);
        PlanReport report = plan(Samples.set(NOT_EVE), Optional.of(inForce), 0, 100);
        assertEquals(2, report.flipped());
        for (PlanReport.Flip flip : report.flips()) {
            assertEquals(flip.group().principal().equals("user:eve") ? 1 : 0, flip.already());
        }
    }

    @Test
    void countsWhatCannotBeReadAndGoesOn() {
        String good = Samples.start("user:bob", "s");
        records.action("allow", good)
                .action("allow", "")
                .action("perhaps", good)
                .action("allow", "{\"v\":2}")
                .action("allow", good.replace("\"Session\"", "7"))
                .erased()
                .add("access_decision", "{\"decision\":")
                .add("access_decision", "[]")
                .add("something_else", "nonsense")
                .call(TapeEvent.Verdict.ALLOW, RUN + ".1.0", "", "")
                .call(TapeEvent.Verdict.ALLOW, RUN + ".1.1", "{broken")
                .action("deny", good);
        PlanReport report = plan(Samples.set(ALL));
        assertEquals(2, report.replayed());
        assertEquals(1, report.flipped());
        assertEquals(2, report.withoutEvidence());
        assertEquals(7, report.broken());
    }

    @Test
    void looksBackNoFurtherThanAsked() {
        records.at(100).action("allow", Samples.start("user:eve", "s"));
        records.call(
                TapeEvent.Verdict.ALLOW,
                RUN + ".1.0",
                Samples.call("user:eve", RUN + ".1.0", false, false));
        records.at(200).action("allow", Samples.start("user:eve", "s"));
        Snapshot candidate = Samples.set(ALL, NOT_EVE);
        assertEquals(1, plan(candidate, Optional.empty(), 150, 100).flipped());
        assertEquals(3, plan(candidate, Optional.empty(), 100, 100).flipped());
        assertEquals(0, plan(candidate, Optional.empty(), 201, 100).replayed());
    }

    @Test
    void takesTheNewestFirstAndStopsAtTheLimit() {
        records.at(1).action("allow", Samples.start("user:old", "s"));
        records.at(2)
                .call(
                        TapeEvent.Verdict.ALLOW,
                        RUN + ".1.0",
                        Samples.call("user:middle", RUN + ".1.0", false, false));
        records.at(3).action("allow", Samples.start("user:new", "s"));
        PlanReport report = plan(Samples.set(NOT_EVE), Optional.empty(), 0, 2);
        assertFalse(report.complete());
        assertEquals(
                List.of("user:new", "user:middle"),
                report.flips().stream().map(flip -> flip.group().principal()).toList());
        assertTrue(plan(Samples.set(NOT_EVE), Optional.empty(), 0, 3).complete());
    }

    @Test
    void readsVeryManyInPagesAndDecidesTheSameQuestionOnce() {
        int many = 12_345;
        for (int i = 0; i < many; i++) {
            records.at(i).action("allow", Samples.start("user:eve", "s" + i % 7));
        }
        for (int i = 0; i < 2_100; i++) {
            String call = "%026d.1.0".formatted(i);
            records.at(i)
                    .call(
                            TapeEvent.Verdict.ALLOW,
                            call,
                            Samples.call("user:bob", RUN + ".1.0", true, false));
        }
        PlanReport report = plan(Samples.set(ALL, NOT_EVE, ASK));
        assertEquals(many + 2_100, report.replayed());
        assertEquals(many + 2_100, report.flipped());
        assertEquals(8, report.distinct());
        assertEquals(2, report.flips().size());
        assertEquals(many, report.flips().get(0).count());
        assertEquals(3, report.flips().get(0).examples().size());
        assertTrue(report.complete());
    }

    @Test
    void manyGroupsBecomeFewAndNoneIsLost() {
        FlipGroups flips = new FlipGroups();
        for (int i = 0; i < 5_000; i++) {
            flips.add(
                    new Group(Verdict.ALLOW, Verdict.DENY, "run.start", "Session", "user:" + i, ""),
                    false,
                    new PlanReport.Example("journal:" + i, "s", i));
        }
        List<PlanReport.Flip> list = flips.list();
        assertEquals(FlipGroups.MOST_GROUPS + 1, list.size());
        assertEquals(5_000, list.stream().mapToLong(PlanReport.Flip::count).sum());
        assertEquals(FlipGroups.OTHERS, list.get(0).group().principal());
    }

    @Test
    void canBeStopped() {
        records.action("allow", Samples.start("user:eve", "s"));
        PalyraException stopped =
                assertThrows(
                        PalyraException.class,
                        () ->
                                new Plan(records.gate(), UnaryOperator.identity())
                                        .run(
                                                Samples.set(ALL),
                                                Optional.empty(),
                                                0,
                                                10,
                                                () -> true));
        assertEquals(ErrorCode.CANCELLED, stopped.code());
    }
}
