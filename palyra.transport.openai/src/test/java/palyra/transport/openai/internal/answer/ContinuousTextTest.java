package palyra.transport.openai.internal.answer;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class ContinuousTextTest {
    private final ContinuousText text = new ContinuousText();

    @Test
    void passesOnWhatIsNew() {
        assertEquals("One, ", text.add("One, "));
        assertEquals("two", text.add("two"));
        assertEquals("", text.end("One, two"));
    }

    @Test
    void sendsNothingTwiceWhenAnAttemptRepeats() {
        text.add("One, two");
        text.drop();
        assertEquals("", text.add("One"));
        assertEquals("", text.add(", tw"));
        assertEquals(", three", text.add("o, three"));
    }

    @Test
    void goesOnBehindWhatWasRepeated() {
        text.add("One, two");
        text.drop();
        assertEquals(", three", text.add("One, two, three"));
        assertEquals("", text.end("One, two, three"));
    }

    @Test
    void marksADifferenceAndSendsTheAttemptAsAWhole() {
        text.add("One, two");
        text.drop();
        assertEquals("", text.add("One, t"));
        assertEquals(ContinuousText.AGAIN + "One, three", text.add("hree"));
        assertEquals(", four", text.add(", four"));
        assertEquals("", text.end("One, three, four"));
    }

    @Test
    void marksAnAttemptThatEndsEarlier() {
        text.add("One, two");
        text.drop();
        assertEquals("", text.add("One"));
        assertEquals(ContinuousText.AGAIN + "One", text.end("One"));
    }

    @Test
    void sendsTheRestOfWhatWasNotStreamed() {
        text.add("One");
        assertEquals(", two", text.end("One, two"));
        assertEquals("All", new ContinuousText().end("All"));
    }
}
