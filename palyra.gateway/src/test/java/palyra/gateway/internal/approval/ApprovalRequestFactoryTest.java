package palyra.gateway.internal.approval;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import palyra.api.approval.ApprovalScope;
import palyra.api.core.access.ApprovalTerms;
import palyra.api.core.access.CallFacts;
import palyra.api.core.access.Confinement;
import palyra.api.core.journal.ApprovalRow;
import palyra.api.core.tools.CallDescription;
import palyra.shared.approval.ApprovalRequestBody;
import palyra.shared.approval.ApprovalRequestCodec;

class ApprovalRequestFactoryTest {
    private static List<String> options(ApprovalRequestBody question) {
        return question.prompt().options().stream()
                .map(ApprovalRequestBody.Option::optionId)
                .toList();
    }

    @Test
    void saysExactlyWhatWouldHappen() {
        ApprovalRequestBody question = Samples.question(Samples.TERMS, Samples.ls());
        assertEquals(
                """
                Agent "default" asks to call palyra.process.run on behalf of "user:alice".
                What: "list files"
                Program: "/usr/bin/ls"
                Its SHA-256: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
                Words: "ls" "-l" "a b"
                Folder: "/work"
                Reads: "/work"
                Sandbox: Tier C, egress strict
                Who may answer: another person than "user:alice"
                Input: {"command":"ls"}
                Open for: 1 day; without an answer it is a no""",
                question.prompt().summary());
        assertEquals("MEDIUM", question.prompt().risk());
        assertEquals("policy tools.exec asks", question.prompt().explanation());
        assertEquals(86_400, question.prompt().timeoutSeconds());
    }

    @Test
    void offersWhatPolicyAndThePatternAllowAndPreselectsTheNo() {
        ApprovalRequestBody question = Samples.question(Samples.TERMS, Samples.ls());
        assertEquals(
                List.of(
                        "allow_once",
                        "allow_session",
                        "allow_session_pattern",
                        "allow_timeboxed",
                        "allow_timeboxed_pattern",
                        "deny_once"),
                options(question));
        List<ApprovalRequestBody.Option> preselected =
                question.prompt().options().stream()
                        .filter(ApprovalRequestBody.Option::defaultSelected)
                        .toList();
        assertEquals(1, preselected.size());
        assertEquals("deny_once", preselected.get(0).optionId());
    }

    /** A person may choose another time, and the grant is described with the same words. */
    @Test
    void whatAGrantForAWhileCoversNamesNoTime() {
        List<ApprovalRequestBody.Option> timeboxed =
                Samples.question(Samples.TERMS, Samples.ls()).prompt().options().stream()
                        .filter(option -> option.optionId().startsWith("allow_timeboxed"))
                        .toList();
        assertEquals(2, timeboxed.size());
        for (ApprovalRequestBody.Option option : timeboxed) {
            assertTrue(option.label().endsWith("for 1 hour"), option.label());
            assertTrue(!option.description().contains("1 hour"), option.description());
            assertTrue(option.description().contains("until the grant ends"), option.description());
        }
    }

    @Test
    void withoutAPatternAndWithFewerScopesItOffersLess() {
        ApprovalTerms session =
                new ApprovalTerms(
                        Set.of("group:approver"), false, 60_000, Set.of(ApprovalScope.SESSION), 1);
        ApprovalRequestBody question =
                Samples.question(
                        session,
                        Samples.call(
                                Samples.program("/usr/bin/git"),
                                Samples.described("", null),
                                Confinement.STRICTEST));
        assertEquals(List.of("allow_once", "allow_session", "deny_once"), options(question));
        assertEquals(List.of("ONCE", "SESSION"), question.terms().scopes());
    }

    @Test
    void aShellIsOnceOnlyAndTheOptionSaysWhy() {
        ApprovalRequestBody question =
                Samples.question(
                        Samples.TERMS,
                        Samples.call(
                                Samples.program("/usr/bin/bash"),
                                Samples.described("a shell runs what its input says.", null),
                                Confinement.STRICTEST));
        assertEquals(List.of("allow_once", "deny_once"), options(question));
        assertEquals(List.of("ONCE"), question.terms().scopes());
        assertTrue(
                question.prompt().options().get(0).description().contains("a shell runs"),
                question.prompt().options().get(0).description());
        assertEquals("CRITICAL", question.prompt().risk());
    }

    @Test
    void aCallThatOnlyPoliciesAllowOnceSaysWhichPoliciesDo() {
        ApprovalTerms once =
                new ApprovalTerms(
                        Set.of("group:approver"), false, 60_000, Set.of(ApprovalScope.ONCE), 1);
        ApprovalRequestBody question = Samples.question(once, Samples.ls());
        String why = "the policies allow an answer for one call alone (tools.exec).";
        assertEquals(List.of("allow_once", "deny_once"), options(question));
        assertTrue(question.prompt().summary().contains("\nOnce only: " + why + "\n"));
        String means = question.prompt().options().get(0).description();
        assertTrue(means.endsWith(" It cannot be allowed for longer: " + why), means);
        assertFalse(question.prompt().summary().contains("Who may answer"));
        assertEquals("", question.call().onceOnly());
    }

    @Test
    void whatIsHiddenFollowsAWholeSentence() {
        CallForApproval call =
                Samples.call(
                        Samples.program("/usr/bin/make"),
                        Samples.described("it is a script", null),
                        Confinement.STRICTEST);
        assertEquals(
                "it is a script. Part of it is hidden.",
                call.hiding("Part of it is hidden.").description().onceOnly());
        String means =
                Samples.question(Samples.TERMS, call).prompt().options().get(0).description();
        assertTrue(means.endsWith(": it is a script."), means);
    }

    @Test
    void wordsThatLookLikeLinesStayWithinTheirLine() {
        CallFacts facts =
                new CallFacts(
                        "/usr/bin/ls",
                        "",
                        "/work\nSandbox: none",
                        "",
                        Set.of(),
                        0,
                        Set.of(),
                        Set.of(),
                        Set.of(),
                        Set.of("/a\nSecrets: none"),
                        Set.of(),
                        Set.of());
        ApprovalRequestBody question =
                Samples.question(
                        Samples.TERMS,
                        Samples.call(
                                facts,
                                new CallDescription(
                                        "x\nSandbox: none",
                                        List.of("ls", "\nSandbox: none\n"),
                                        "",
                                        Optional.empty()),
                                Confinement.STRICTEST));
        long lines =
                question.prompt().summary().lines().filter(l -> l.startsWith("Sandbox:")).count();
        assertEquals(1, lines, question.prompt().summary());
        assertEquals(1, question.requestSummary().lines().count());
    }

    @Test
    void theLineIsShortWhateverItIsMadeOf() {
        for (String piece : List.of("x", "é", "漢", "😀")) {
            ApprovalRequestBody question =
                    Samples.question(
                            Samples.TERMS,
                            Samples.call(
                                    CallFacts.none(),
                                    new CallDescription(
                                            piece.repeat(2_000), List.of(), "", Optional.empty()),
                                    Confinement.STRICTEST));
            byte[] bytes = question.requestSummary().getBytes(StandardCharsets.UTF_8);
            assertTrue(bytes.length <= 1_024, piece + ": " + bytes.length);
            assertEquals(
                    question.requestSummary(),
                    new String(bytes, StandardCharsets.UTF_8),
                    "no half characters");
        }
    }

    @Test
    void escalatesHalfwayBetweenTheReminderAndTheEnd() {
        ApprovalTerms terms =
                new ApprovalTerms(
                        Set.of("group:approver"),
                        false,
                        100_000,
                        Set.of(ApprovalScope.ONCE),
                        2,
                        40_000,
                        Set.of("group:chiefs"));
        ApprovalRequestBody question = Samples.question(terms, Samples.ls());
        assertEquals(1_100_000, question.expiresAtMillis());
        assertEquals(1_080_000, question.terms().escalateAtMillis());
        ApprovalRow row = ApprovalRequestFactory.row(question, terms.reminderMillis());
        assertEquals(1_060_000, row.noticeAtMillis());
        assertEquals(2, row.quorum());
        assertEquals(0, Samples.question(Samples.TERMS, Samples.ls()).terms().escalateAtMillis());
    }

    @Test
    void theTapeAndTheJournalHoldTheSameBytes() {
        ApprovalRequestBody question = Samples.question(Samples.TERMS, Samples.ls());
        byte[] stored = ApprovalRequestFactory.row(question, 1).payload();
        assertArrayEquals(
                ApprovalRequestFactory.event(question)
                        .detailsJson()
                        .getBytes(StandardCharsets.UTF_8),
                stored);
        assertEquals(question, ApprovalRequestCodec.question(stored));
    }

    @Test
    void saysTimesInWords() {
        assertEquals("1 hour 30 minutes", ApprovalText.duration(5_400_000));
        assertEquals("1 day", ApprovalText.duration(86_400_000));
        assertEquals("less than a second", ApprovalText.duration(999));
        assertEquals("2 days 1 hour", ApprovalText.duration(2 * 86_400_000 + 3_661_000));
    }
}
