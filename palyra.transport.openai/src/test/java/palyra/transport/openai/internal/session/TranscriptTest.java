package palyra.transport.openai.internal.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import palyra.transport.openai.internal.OpenAiSettings;
import palyra.transport.openai.internal.ask.Ask;
import palyra.transport.openai.internal.ask.Said;

class TranscriptTest {
    private static Said user(String text) {
        return new Said(Said.Role.USER, text);
    }

    private static Said agent(String text) {
        return new Said(Said.Role.ASSISTANT, text);
    }

    private static String of(Said... said) {
        return Transcript.fingerprint("default", List.of(said));
    }

    /** Computed apart from this code, as docs/formats.md says. */
    @Test
    void theFingerprintIsThatOfTheDocumentedForm() {
        assertEquals(
                "398b2400b4ca6cdb29b92ea0b32a8564d8cce388c173be63b7f2a6fe9ab59929",
                of(user("Hi"), agent("One two")));
    }

    @Test
    void theAnswerMayComeLater() {
        List<Said> earlier = List.of(user("Hi"), agent("One"), agent("two"));
        assertEquals(
                of(user("Hi"), agent("One two"), user(" Ä \"x\" "), agent("Three")),
                Transcript.begin("default", earlier, "Ä \"x\"").with("<think>y</think>Three"));
        assertEquals(
                of(user("Hi"), agent("")), Transcript.begin("default", List.of(), "Hi").with(""));
    }

    @Test
    void blanksAndFoldedReasoningDoNotCount() {
        String plain = of(user("Hi"), agent("One two"));
        assertEquals(plain, of(user(" Hi\n"), agent("One\n\n two ")));
        assertEquals(plain, of(user("Hi"), agent("<think>x</think>One two")));
        assertEquals(
                plain,
                of(user("Hi"), agent("<details type=\"reasoning\" done>a\nb</details>\nOne two")));
        assertEquals(plain, of(user("Hi"), agent("One"), agent("two")));
    }

    @Test
    void wordsRolesOrderAndAgentCount() {
        String plain = of(user("Hi"), agent("One"));
        Set<String> others =
                Set.of(
                        of(user("Hi"), agent("Two")),
                        of(agent("Hi"), user("One")),
                        of(user("Hi One")),
                        of(user("Hi"), user("One")),
                        Transcript.fingerprint("other", List.of(user("Hi"), agent("One"))),
                        of(user("Hi"), agent("<thinker>One</thinker>")),
                        of(user("Hi"), agent("<think>One")));
        assertEquals(7, others.size());
        others.forEach(other -> assertNotEquals(plain, other));
    }

    @Test
    void aHostileTextCostsItsLengthAlone() {
        for (String piece : List.of("<details>", "<think", "<details></details>", "<thinking>")) {
            String text = piece.repeat(100_000);
            assertTimeoutPreemptively(Duration.ofSeconds(20), () -> of(agent(text)));
        }
    }

    @Test
    void aPreambleKeepsTheNewestWithinItsBound() {
        OpenAiSettings.Conversation settings =
                new OpenAiSettings.Conversation(
                        List.of(), OpenAiSettings.Instructions.CARRY, true, 40, 1);
        Ask ask =
                new Ask(
                        "default",
                        "Brief.",
                        List.of(user("x".repeat(30)), agent("near"), user("nearer")),
                        "Now",
                        false,
                        false,
                        "",
                        "",
                        List.of());
        String text = Preamble.compose(ask, settings);
        assertTrue(text.contains("Brief."), text);
        assertTrue(text.contains("(1 earlier messages are left out.)"), text);
        assertTrue(text.contains("assistant: near\nuser: nearer"), text);
        assertTrue(text.endsWith("\n\n[Newest message:]\nNow"), text);
        OpenAiSettings.Conversation quiet =
                new OpenAiSettings.Conversation(
                        List.of(), OpenAiSettings.Instructions.IGNORE, false, 40, 1);
        assertEquals("Now", Preamble.compose(ask, quiet));
    }

    @Test
    void namesMakeOneKeyEach() {
        assertEquals("openai:a:chat:x", Places.key("a", "chat", "x"));
        assertTrue(Places.key("a", "chat", "b\u202e").startsWith("openai:a:chat:#"));
        assertNotEquals(
                Places.key("a", "chat", Places.key("a", "chat", "ü").substring(14)),
                Places.key("a", "chat", "ü"));
    }
}
