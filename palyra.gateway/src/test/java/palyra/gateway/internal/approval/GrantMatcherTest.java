package palyra.gateway.internal.approval;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import palyra.api.core.access.CallFacts;
import palyra.api.core.access.Confinement;
import palyra.api.core.journal.GrantRow;
import palyra.api.core.tools.CallPattern;
import palyra.shared.approval.Coverage;

class GrantMatcherTest {
    private static final CallPattern LS = Samples.pattern("{\"p\":\"ls\"}", "-l", "-a");

    private static CallForApproval under(Confinement confinement) {
        return Samples.call(Samples.program("/usr/bin/ls"), Samples.described("", LS), confinement);
    }

    private static CallForApproval with(CallPattern pattern, String onceOnly) {
        return Samples.call(
                Samples.program("/usr/bin/ls"),
                Samples.described(onceOnly, pattern),
                Confinement.STRICTEST);
    }

    @Test
    void anExactGrantCoversTheSameBindingOnly() {
        Coverage coverage = Samples.coverage(Samples.ls(), "EXACT", null);
        assertTrue(GrantMatcher.includes(coverage, Samples.ls()));
        CallFacts other =
                new CallFacts(
                        "/usr/bin/ls",
                        "b".repeat(64),
                        "/work",
                        "",
                        java.util.Set.of(),
                        1,
                        java.util.Set.of(),
                        java.util.Set.of(),
                        java.util.Set.of(),
                        java.util.Set.of("/work"),
                        java.util.Set.of(),
                        java.util.Set.of());
        assertFalse(
                GrantMatcher.includes(
                        coverage,
                        Samples.call(other, Samples.described("", LS), Confinement.STRICTEST)),
                "the program's digest changed");
    }

    @Test
    void aPatternGrantCoversFewerOptionsAndNoMore() {
        Coverage coverage = Samples.coverage(Samples.ls(), "PATTERN", LS);
        assertTrue(GrantMatcher.includes(coverage, with(Samples.pattern(LS.fixed(), "-a"), "")));
        assertTrue(GrantMatcher.includes(coverage, with(Samples.pattern(LS.fixed()), "")));
        assertFalse(GrantMatcher.includes(coverage, with(Samples.pattern(LS.fixed(), "-R"), "")));
        assertFalse(GrantMatcher.includes(coverage, with(Samples.pattern("{\"p\":\"rm\"}"), "")));
        assertFalse(GrantMatcher.includes(coverage, with(null, "")), "no pattern");
        assertFalse(GrantMatcher.includes(coverage, with(null, "a shell")), "once only");
    }

    @Test
    void aCallInALooserPlaceIsNotCovered() {
        Coverage coverage =
                Samples.coverage(
                        under(new Confinement(Confinement.Tier.C, Confinement.Egress.PREFLIGHT)),
                        "PATTERN",
                        LS);
        assertTrue(GrantMatcher.includes(coverage, under(Confinement.STRICTEST)), "stricter");
        assertFalse(
                GrantMatcher.includes(
                        coverage,
                        under(new Confinement(Confinement.Tier.B, Confinement.Egress.STRICT))));
        assertFalse(
                GrantMatcher.includes(
                        coverage,
                        under(new Confinement(Confinement.Tier.C, Confinement.Egress.NONE))));
    }

    @Test
    void whatThisEngineDoesNotKnowCoversNothing() {
        Coverage known = Samples.coverage(Samples.ls(), "EXACT", null);
        for (Coverage strange :
                List.of(
                        new Coverage(
                                "SESSION",
                                "FUZZY",
                                "",
                                known.bindingSha256(),
                                "C",
                                "STRICT",
                                null,
                                known.voters(),
                                "",
                                List.of()),
                        new Coverage(
                                "SESSION",
                                "EXACT",
                                "",
                                known.bindingSha256(),
                                "D",
                                "STRICT",
                                null,
                                known.voters(),
                                "",
                                List.of()))) {
            assertFalse(GrantMatcher.includes(strange, Samples.ls()), strange.toString());
        }
    }

    private static boolean isFor(GrantRow row) {
        return GrantMatcher.isFor(row, Samples.ALICE, Samples.ls(), 5_000);
    }

    @Test
    void aGrantIsForItsOwnerAgentSessionCallAndToolAlone() {
        assertTrue(isFor(Samples.grant("session", "", 0, 0)));
        assertTrue(isFor(Samples.grant("", "call", 1, 0)));
        assertFalse(isFor(Samples.grant("another", "", 0, 0)));
        assertFalse(isFor(Samples.grant("", "another", 1, 0)));
        assertFalse(isFor(Samples.grant("session", "", 2, 2)), "used up");
        assertFalse(isFor(changed("user:bob", "default", "palyra.process.run", 0)));
        assertFalse(isFor(changed("user:alice", "other", "palyra.process.run", 0)));
        assertFalse(isFor(changed("user:alice", "default", "palyra.fs.read_file", 0)));
        assertFalse(isFor(changed("user:alice", "default", "palyra.process.run", 5_000)), "over");
        assertTrue(isFor(changed("user:alice", "default", "palyra.process.run", 5_001)));
    }

    private static GrantRow changed(String principal, String agent, String tool, long expires) {
        return new GrantRow(
                "grant",
                "question",
                "",
                principal,
                agent,
                tool,
                "",
                GrantRow.State.ACTIVE,
                new byte[0],
                1,
                expires,
                0,
                0,
                0,
                "");
    }

    @Test
    void anEndedGrantIsForNobody() {
        for (GrantRow.State state : GrantRow.State.values()) {
            GrantRow row =
                    new GrantRow(
                            "grant",
                            "question",
                            "",
                            "user:alice",
                            "default",
                            "palyra.process.run",
                            "",
                            state,
                            new byte[0],
                            1,
                            0,
                            0,
                            0,
                            0,
                            "");
            assertTrue(isFor(row) == (state == GrantRow.State.ACTIVE), state.name());
        }
    }

    @Test
    void aGrantLeavesRoomForAsManyStartsAsItHas() {
        GrantUses uses = new GrantUses();
        GrantRow two = Samples.grant("session", "", 2, 0);
        uses.begin();
        assertTrue(uses.hasRoom(two));
        uses.take("grant");
        assertTrue(uses.hasRoom(two));
        uses.take("grant");
        assertFalse(uses.hasRoom(two), "both starts of this unit are taken");
        uses.begin();
        assertTrue(uses.hasRoom(two), "the next unit reads the journal again");
        uses.refused("grant");
        uses.refused("grant");
        assertTrue(uses.hasRoom(two));
        uses.refused("grant");
        assertFalse(uses.hasRoom(two), "the journal says no again and again");
    }
}
