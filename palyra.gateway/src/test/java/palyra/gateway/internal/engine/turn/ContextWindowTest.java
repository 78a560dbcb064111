package palyra.gateway.internal.engine.turn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import palyra.api.model.ModelMessage;
import palyra.api.model.ToolProposal;

/** What is left out of a conversation that is too long, and what never is. */
class ContextWindowTest {
    private static final TokenEstimator TOKENS = new TokenEstimator(3);

    private static ModelMessage.User user(String text) {
        return new ModelMessage.User(text);
    }

    private static ModelMessage.Assistant says(String text, String... callIds) {
        List<ToolProposal> calls = new ArrayList<>();
        for (String id : callIds) {
            calls.add(new ToolProposal(id, "tool", "{}"));
        }
        return new ModelMessage.Assistant(text, calls);
    }

    private static ModelMessage.ToolOutput output(String id, String text) {
        return new ModelMessage.ToolOutput(id, "tool", true, text);
    }

    private static ContextWindow.Fitted fit(
            long most, List<ModelMessage> earlier, List<ModelMessage> conversation) {
        return new ContextWindow(TOKENS, most).fit("rules", earlier, conversation);
    }

    @Test
    void leavesAConversationThatFitsAsItIs() {
        List<ModelMessage> earlier = List.of(user("a"), says("b"));
        List<ModelMessage> now = List.of(user("c"), says("", "1"), output("1", "x"));
        ContextWindow.Fitted fitted = fit(Long.MAX_VALUE, earlier, now);
        assertEquals("", fitted.leftOut());
        assertEquals(6, fitted.messages().size());
    }

    @Test
    void dropsTheOldestExchangesFirst() {
        List<ModelMessage> earlier = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            earlier.add(user("question " + i + " " + "x".repeat(300)));
            earlier.add(says("answer " + i));
        }
        ContextWindow.Fitted fitted = fit(500, earlier, List.of(user("now")));
        assertTrue(fitted.size() <= 500);
        assertEquals(new ModelMessage.System("rules"), fitted.messages().get(0));
        assertEquals(user("now"), fitted.messages().getLast());
        assertTrue(fitted.messages().contains(says("answer 9")));
        assertTrue(!fitted.messages().contains(says("answer 0")));
        assertTrue(fitted.leftOut().contains("earlier exchanges left out"), fitted.leftOut());
    }

    @Test
    void oneLineStandsForTheOldestRoundsOfTheRun() {
        List<ModelMessage> now = new ArrayList<>(List.of(user("now")));
        for (int i = 0; i < 6; i++) {
            now.add(says("", "c" + i));
            now.add(output("c" + i, "y".repeat(600)));
        }
        ContextWindow.Fitted fitted = fit(600, List.of(), now);
        assertTrue(fitted.size() <= 600);
        assertTrue(fitted.messages().get(2).text().contains("left out"));
        assertTrue(fitted.messages().contains(now.getLast()));
        assertTrue(fitted.leftOut().contains("of tool calls left out"), fitted.leftOut());
    }

    @Test
    void shortensHugeOutputsWithAMarkerAndKeepsBothEnds() {
        String huge = "BEGIN" + "z".repeat(100_000) + "END";
        List<ModelMessage> now = List.of(user("now"), says("", "1"), output("1", huge));
        ContextWindow.Fitted fitted = fit(1_000, List.of(), now);
        String shown = fitted.messages().getLast().text();
        assertTrue(fitted.size() <= 1_000);
        assertTrue(shown.startsWith("BEGIN") && shown.endsWith("END"));
        assertTrue(shown.contains("characters left out"));
        assertTrue(fitted.leftOut().contains("1 tool output shortened"), fitted.leftOut());
    }

    @Test
    void shorteningNeverSplitsACodePoint() {
        String pairs = "😀".repeat(2_000);
        for (int chars = 300; chars < 360; chars++) {
            String shorter = TextShortener.to(pairs, chars);
            assertEquals(
                    shorter,
                    new String(
                            shorter.getBytes(java.nio.charset.StandardCharsets.UTF_8),
                            java.nio.charset.StandardCharsets.UTF_8));
        }
    }

    @Test
    void keepsWhatMustStayInAnyConversation() {
        Random random = new Random(7);
        for (int i = 0; i < 2_000; i++) {
            List<ModelMessage> earlier = earlier(random);
            List<ModelMessage> now = run(random);
            long most = 50 + random.nextInt(3_000);
            ContextWindow.Fitted fitted = fit(most, earlier, now);
            List<ModelMessage> shown = fitted.messages();
            assertEquals(new ModelMessage.System("rules"), shown.get(0));
            assertTrue(shown.contains(now.get(0)), "the present message stays");
            for (ModelMessage message : now) {
                if (message instanceof ModelMessage.User) {
                    assertTrue(shown.contains(message), "what people said stays");
                }
            }
            assertPaired(shown);
            assertLastRoundStays(now, shown);
            boolean whole = shown.size() == 1 + earlier.size() + now.size();
            assertEquals(
                    fitted.leftOut().isEmpty(),
                    whole && shown.subList(1, shown.size()).equals(joined(earlier, now)));
            assertEquals(fitted.size(), TOKENS.of(shown));
            if (TOKENS.of(joined(List.of(new ModelMessage.System("rules")), joined(earlier, now)))
                    <= most) {
                assertTrue(fitted.leftOut().isEmpty(), "nothing goes without need");
            }
        }
    }

    private static List<ModelMessage> joined(List<ModelMessage> a, List<ModelMessage> b) {
        List<ModelMessage> all = new ArrayList<>(a);
        all.addAll(b);
        return all;
    }

    /** Every call that is shown has its output right after, and no output stands alone. */
    private static void assertPaired(List<ModelMessage> shown) {
        Set<String> open = new LinkedHashSet<>();
        for (ModelMessage message : shown) {
            if (message instanceof ModelMessage.ToolOutput output) {
                assertTrue(open.remove(output.callId()), "an output without its call");
            } else {
                assertEquals(Set.of(), open, "a call without its output");
                if (message instanceof ModelMessage.Assistant assistant) {
                    assistant.proposals().forEach(call -> open.add(call.callId()));
                }
            }
        }
        assertEquals(Set.of(), open);
    }

    private static void assertLastRoundStays(List<ModelMessage> now, List<ModelMessage> shown) {
        for (ModelMessage message : now.reversed()) {
            if (message instanceof ModelMessage.Assistant) {
                assertTrue(shown.contains(message), "the last round stays");
                return;
            }
        }
    }

    private static List<ModelMessage> earlier(Random random) {
        List<ModelMessage> earlier = new ArrayList<>();
        for (int i = random.nextInt(8); i > 0; i--) {
            earlier.add(user("q" + i + "x".repeat(random.nextInt(500))));
            earlier.add(says("a" + i + "x".repeat(random.nextInt(500))));
        }
        return earlier;
    }

    private static List<ModelMessage> run(Random random) {
        List<ModelMessage> now = new ArrayList<>(List.of(user("present " + random.nextInt())));
        int rounds = random.nextInt(6);
        for (int r = 0; r < rounds; r++) {
            String[] ids = new String[1 + random.nextInt(3)];
            for (int c = 0; c < ids.length; c++) {
                ids[c] = r + "." + c;
            }
            now.add(says("thinking " + r, ids));
            for (String id : ids) {
                now.add(output(id, "y".repeat(random.nextInt(4_000))));
            }
            if (random.nextInt(4) == 0) {
                now.add(user("[event] " + r));
            }
        }
        return now;
    }
}
