package palyra.shell.internal.approvals;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static palyra.shell.internal.fakes.FakeApprovals.QUESTION;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import palyra.api.access.Principal;
import palyra.api.access.PrincipalKind;
import palyra.api.approval.ApprovalScope;
import palyra.api.tape.TapeEvent;
import palyra.shell.internal.fakes.FakeApprovals;
import palyra.shell.internal.fakes.FakeTape;
import palyra.shell.internal.fakes.ShellAccess;
import palyra.shell.internal.host.Seams;
import palyra.testing.command.FakeCommandContext;
import palyra.testing.wait.Await;

@Timeout(120)
class QuestionPromptTest {
    private static final String SECOND = "01J0000000000000000000000R";

    private final Seams seams = new Seams(200);
    private final FakeApprovals approvals =
            new FakeApprovals().add(FakeApprovals.question(QUESTION, 1, "Run git", ""));
    private final List<String> screen = new ArrayList<>(); // guarded by itself
    private final Keyboard keyboard = new Keyboard();
    private TerminalApprovals desk;

    @BeforeEach
    void open() throws IOException {
        seams.approvals().add(approvals, Map.of());
    }

    @AfterEach
    void close() {
        if (desk != null) {
            desk.close();
        }
    }

    private void at(InputStream in, boolean person, Principal who) {
        FakeCommandContext.Builder builder = FakeCommandContext.builder().in(in).principal(who);
        desk =
                new TerminalApprovals(
                        seams,
                        (person ? builder.terminal(80) : builder).build(),
                        text -> {
                            synchronized (screen) {
                                screen.add(text);
                            }
                        });
    }

    private void atTerminal() {
        at(keyboard.terminal(), true, ShellAccess.OPERATOR);
    }

    private String shown() {
        synchronized (screen) {
            return String.join("\n", screen);
        }
    }

    private void sees(String text) {
        Await.until(text, () -> shown().contains(text));
    }

    /** What is typed while a question is still being shown is no answer to it. */
    private void seesTheSecondAsked() {
        Await.until("the second to be asked", () -> shown().split("Your answer", -1).length == 3);
    }

    private void types(String text) throws IOException {
        keyboard.types(text);
    }

    private void asked(String id) {
        desk.recorded(
                new TapeEvent.ApprovalRequest(
                        id, FakeApprovals.CALL, "{}", Long.MAX_VALUE, "ab", 1));
    }

    private void answered(String id, String who) {
        desk.recorded(
                new TapeEvent.ApprovalDecision(
                        id, FakeApprovals.CALL, false, "", who, "not today", "", "", List.of()));
    }

    @Test
    void asksAndTakesTheChosenOption() throws Exception {
        atTerminal();
        asked(QUESTION);
        sees("Your answer: y once, a in this session, n or Enter for no, ? for all about it: ");
        assertTrue(desk.waiting());
        assertEquals(5, shown().strip().lines().count(), shown());
        assertTrue(shown().contains("? Run git (risk HIGH, open for "), shown());
        assertTrue(shown().contains("  Run git status"), shown());
        assertTrue(shown().contains("  for user:bob, agent tester"), shown());
        types("?\n");
        sees("Your answer, 1 to 4");
        assertTrue(shown().contains("in the workspace."), shown());
        assertTrue(shown().contains("The same call again."), shown());
        assertTrue(shown().contains("[4] No: It does not run. (Enter)"), shown());
        types("2 looks fine\n");
        sees("Answered: user:op said yes");
        assertEquals(ApprovalScope.SESSION, approvals.answers().get(0).scope());
        assertEquals("looks fine", approvals.answers().get(0).reason());
        assertFalse(desk.waiting());
    }

    @Test
    void takesOneLetter() throws Exception {
        approvals.add(FakeApprovals.question(SECOND, 1, "Run another", ""));
        atTerminal();
        asked(QUESTION);
        asked(SECOND);
        sees("Your answer");
        types("y\n");
        seesTheSecondAsked();
        types("a\n");
        Await.until("both", () -> approvals.answers().size() == 2);
        assertEquals(ApprovalScope.ONCE, approvals.answers().get(0).scope());
        assertTrue(approvals.answers().get(0).granted());
        assertEquals(ApprovalScope.SESSION, approvals.answers().get(1).scope());
    }

    @Test
    void aWarningIsAmongTheFiveLines() throws Exception {
        approvals.add(
                FakeApprovals.question(
                        QUESTION,
                        1,
                        "Run git",
                        "{\"call\":{\"argv\":[\"g\u0456t\"],\"onceOnly\":\"it names a shell\"}}"));
        atTerminal();
        asked(QUESTION);
        sees("Your answer");
        assertTrue(shown().contains("it names a shell"), shown());
        assertTrue(shown().contains("look closely, the command has "), shown());
    }

    @Test
    void takesTheEmptyLineAsNo() throws Exception {
        atTerminal();
        asked(QUESTION);
        sees("Your answer");
        types("\n");
        sees("Answered: user:op said no");
        assertFalse(approvals.answers().get(0).granted());
    }

    @Test
    void asksAgainWhenTheLineChoosesNothing() throws Exception {
        atTerminal();
        asked(QUESTION);
        sees("Your answer");
        types("9\nmaybe\nallow\n");
        sees("Type y once, a in this session, n or Enter for no");
        types("1\n");
        sees("Answered: user:op said yes");
        assertEquals(1, approvals.answers().size());
    }

    @Test
    void neverTakesWhatWasTypedBeforeTheQuestionWasShown() throws Exception {
        atTerminal();
        types("1\n1\n1\n");
        asked(QUESTION);
        sees("Your answer");
        types("deny not this\n");
        sees("Answered: user:op said no: not this");
        assertEquals(1, approvals.answers().size());
        assertFalse(approvals.answers().get(0).granted());
    }

    @Test
    void leavesItOpenAtTheEndOfTheInput() throws Exception {
        atTerminal();
        asked(QUESTION);
        sees("Your answer");
        keyboard.close();
        sees("It stays open. Answer it with: palyra approvals decide " + QUESTION);
        assertEquals(List.of(), approvals.answers());
        assertTrue(desk.waiting());
        answered(QUESTION, "user:carol");
        sees("Answered: user:carol said no: not today");
        assertFalse(desk.waiting());
    }

    @Test
    void endsThePromptWhenSomebodyElseAnswersFirst() throws Exception {
        atTerminal();
        asked(QUESTION);
        sees("Your answer");
        approvals.decideElsewhere(QUESTION, "user:carol");
        answered(QUESTION, "user:carol");
        sees("Answered: user:carol said no: not today");
        types("1\n");
        approvals.add(FakeApprovals.question(SECOND, 1, "Run another", ""));
        asked(SECOND);
        seesTheSecondAsked();
        assertTrue(shown().contains("? Run another"));
        assertEquals(List.of(), approvals.answers());
    }

    @Test
    void tellsTheLoserOfARaceWhoWasFirst() throws Exception {
        atTerminal();
        asked(QUESTION);
        sees("Your answer");
        approvals.decideElsewhere(QUESTION, "user:carol");
        types("1\n");
        sees("It was answered before: user:carol said no.");
        answered(QUESTION, "user:carol");
        assertEquals(List.of(), approvals.answers());
    }

    @Test
    void asksOneQuestionAfterTheOther() throws Exception {
        approvals.add(FakeApprovals.question(SECOND, 1, "Run another", ""));
        atTerminal();
        asked(QUESTION);
        asked(SECOND);
        sees("Your answer");
        assertFalse(shown().contains("Run another"));
        types("1\n");
        seesTheSecondAsked();
        types("1\n");
        Await.until("both", () -> approvals.answers().size() == 2);
        assertEquals(SECOND, approvals.answers().get(1).approvalId());
    }

    @Test
    void saysHowToAnswerWithoutATerminal() throws Exception {
        at(InputStream.nullInputStream(), false, ShellAccess.OPERATOR);
        asked(QUESTION);
        sees("palyra approvals decide " + QUESTION);
        assertTrue(shown().contains("Run git (risk HIGH)"), shown());
        answered(QUESTION, "user:carol");
        sees("Answered: user:carol said no");
    }

    @Test
    void doesNotAskWhoMayNotAnswer() throws Exception {
        Principal bob =
                new Principal(
                        "user:bob",
                        PrincipalKind.USER,
                        java.util.Set.of("integrator"),
                        java.util.Set.of(),
                        "t");
        at(keyboard.terminal(), true, bob);
        asked(QUESTION);
        sees("May answer: group:operator, user:carol");
        types("1\n");
        assertFalse(shown().contains("Your answer"));
        assertEquals(List.of(), approvals.answers());
    }

    @Test
    void waitsForTheOthersAfterOneOfSeveralYeses() throws Exception {
        approvals.add(FakeApprovals.question(QUESTION, 2, "Run git", ""));
        atTerminal();
        asked(QUESTION);
        sees("Your answer");
        types("1\n");
        sees("Your yes is 1 of 2");
        assertTrue(desk.waiting());
    }

    @Test
    void showsWhatWaitsToWhoeverComesBack() throws Exception {
        atTerminal();
        desk.showPending(FakeTape.RUN);
        asked(QUESTION);
        sees("Your answer");
        synchronized (screen) {
            assertEquals(1, screen.stream().filter(each -> each.contains("? Run git")).count());
        }
    }

    @Test
    void givesItsThreadsBack() throws Exception {
        atTerminal();
        asked(QUESTION);
        sees("Your answer");
        desk.close();
        for (Thread thread : Thread.getAllStackTraces().keySet()) {
            assertFalse(
                    thread.getName().startsWith("palyra-approval") && thread.isAlive(),
                    thread.getName());
        }
    }
}
